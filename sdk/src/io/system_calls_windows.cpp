// system_calls on Windows.
#ifdef _WIN32

#ifndef NOMINMAX
#define NOMINMAX
#endif
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "tickreel/io/file.hpp"

namespace tickreel {

namespace {

// Locks lie on a byte that no reel reaches, because a locked range cannot be read by others.
constexpr DWORD lock_offset_high = 0x7FFFFFFF;

std::int64_t last_error() noexcept {
  switch (::GetLastError()) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      return -ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return -EEXIST;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
      return -EACCES;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return -ENOSPC;
    case ERROR_LOCK_VIOLATION:
    case ERROR_SHARING_VIOLATION:
    case ERROR_IO_PENDING:
      return -EAGAIN;
    case ERROR_NOT_ENOUGH_MEMORY:
      return -ENOMEM;
    default:
      return -EIO;
  }
}

std::wstring wide(const char* utf8) {
  const int length = ::MultiByteToWideChar(CP_UTF8, 0, utf8, -1, nullptr, 0);
  if (length <= 0) return {};
  std::wstring text(static_cast<std::size_t>(length), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, utf8, -1, text.data(), length);
  text.pop_back();
  return text;
}

HANDLE as_handle(std::int64_t handle) noexcept {
  return reinterpret_cast<HANDLE>(handle);
}

OVERLAPPED at(std::uint64_t offset) noexcept {
  OVERLAPPED place = {};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32);
  return place;
}

DWORD clamped(std::size_t size) noexcept {
  return static_cast<DWORD>(std::min<std::size_t>(size, std::size_t{1} << 30));
}

std::int64_t answer(BOOL worked) noexcept {
  return worked ? 0 : last_error();
}

}  // namespace

std::int64_t system_calls::open(const char* path, unsigned flags) {
  const DWORD access = GENERIC_READ | ((flags & write) != 0 ? GENERIC_WRITE : 0);
  DWORD how = OPEN_EXISTING;
  if ((flags & create_new) != 0) {
    how = CREATE_NEW;
  } else if ((flags & create) != 0) {
    how = (flags & truncate_existing) != 0 ? CREATE_ALWAYS : OPEN_ALWAYS;
  } else if ((flags & truncate_existing) != 0) {
    how = TRUNCATE_EXISTING;
  }
  // Others may read, rename and even delete meanwhile, as on other systems; the lock keeps writers out.
  const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const HANDLE handle =
      ::CreateFileW(wide(path).c_str(), access, share, nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr);
  return handle == INVALID_HANDLE_VALUE ? last_error() : reinterpret_cast<std::int64_t>(handle);
}

std::int64_t system_calls::close(std::int64_t handle) {
  return answer(::CloseHandle(as_handle(handle)));
}

std::int64_t system_calls::read_at(std::int64_t handle, mutable_byte_span into, std::uint64_t offset) {
  OVERLAPPED place = at(offset);
  DWORD count = 0;
  if (::ReadFile(as_handle(handle), into.data(), clamped(into.size()), &count, &place)) return count;
  return ::GetLastError() == ERROR_HANDLE_EOF ? 0 : last_error();
}

std::int64_t system_calls::write_at(std::int64_t handle, byte_span from, std::uint64_t offset) {
  OVERLAPPED place = at(offset);
  DWORD count = 0;
  if (::WriteFile(as_handle(handle), from.data(), clamped(from.size()), &count, &place)) return count;
  return last_error();
}

std::int64_t system_calls::sync(std::int64_t handle) {
  return answer(::FlushFileBuffers(as_handle(handle)));
}

std::int64_t system_calls::truncate(std::int64_t handle, std::uint64_t size) {
  FILE_END_OF_FILE_INFO end = {};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  return answer(::SetFileInformationByHandle(as_handle(handle), FileEndOfFileInfo, &end, sizeof end));
}

std::int64_t system_calls::size(std::int64_t handle) {
  LARGE_INTEGER size = {};
  return ::GetFileSizeEx(as_handle(handle), &size) ? size.QuadPart : last_error();
}

std::int64_t system_calls::lock(std::int64_t handle) {
  OVERLAPPED place = {};
  place.OffsetHigh = lock_offset_high;
  return answer(
      ::LockFileEx(as_handle(handle), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place));
}

std::int64_t system_calls::rename(const char* from, const char* to) {
  return answer(::MoveFileExW(wide(from).c_str(), wide(to).c_str(),
                              MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH));
}

std::int64_t system_calls::rename_new(const char* from, const char* to) {
  return answer(::MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_WRITE_THROUGH));
}

std::int64_t system_calls::remove(const char* path) {
  return answer(::DeleteFileW(wide(path).c_str()));
}

// MOVEFILE_WRITE_THROUGH did it; there is no handle to a folder that could be flushed.
std::int64_t system_calls::sync_folder(const char*) {
  return 0;
}

system_calls& system_calls::real() noexcept {
  static system_calls calls;
  return calls;
}

}  // namespace tickreel

#endif
