// Converts paths and errors of Windows. Included only by sources that call the system.
#pragma once

#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include <cerrno>
#include <cstdint>
#include <string>

namespace tickreel::windows_system {

constexpr DWORD disk_quota_exceeded = 1295;  // missing in older headers

inline std::int64_t last_error() noexcept {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
      return -ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return -EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
      return -EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
    case disk_quota_exceeded:
      return -ENOSPC;
    case ERROR_LOCK_VIOLATION:
    case ERROR_SHARING_VIOLATION:
    case ERROR_IO_PENDING:
      return -EAGAIN;
    case ERROR_NOT_ENOUGH_MEMORY:
      return -ENOMEM;
    case ERROR_DIRECTORY:
      return -ENOTDIR;
    default:
      return -EIO;
  }
}

inline std::wstring widened(const char* utf8) {
  const int length = ::MultiByteToWideChar(CP_UTF8, 0, utf8, -1, nullptr, 0);
  if (length <= 0) return {};
  std::wstring text(static_cast<std::size_t>(length), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8, -1, text.data(), length);
  text.pop_back();
  return text;
}

// Paths of 260 characters and more must be absolute and have a prefix, unless the user has changed a system
// setting.
inline std::wstring wide(const char* utf8) {
  std::wstring path = widened(utf8);
  constexpr std::size_t longest_plain = 240;
  if (path.starts_with(LR"(\\?\)")) return path;
  const DWORD size = ::GetFullPathNameW(path.c_str(), 0, nullptr, nullptr);
  if (size < longest_plain && path.size() < longest_plain) return path;
  std::wstring whole(size, L'\0');
  const DWORD length = ::GetFullPathNameW(path.c_str(), size, whole.data(), nullptr);
  if (length == 0 || length >= size) return path;
  whole.resize(length);
  return whole.starts_with(LR"(\\)") ? LR"(\\?\UNC\)" + whole.substr(2) : LR"(\\?\)" + whole;
}

// A name from the system as UTF-8.
inline std::string narrow(const wchar_t* name) {
  const int length = ::WideCharToMultiByte(CP_UTF8, 0, name, -1, nullptr, 0, nullptr, nullptr);
  if (length <= 0) return {};
  std::string text(static_cast<std::size_t>(length), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, name, -1, text.data(), length, nullptr, nullptr);
  text.pop_back();
  return text;
}

}  // namespace tickreel::windows_system
