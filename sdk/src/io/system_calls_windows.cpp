// system_calls on Windows.
#ifdef _WIN32

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "windows_system.hpp"

namespace tickreel {

namespace {

using windows_system::last_error;
using windows_system::wide;

// Locks use a byte beyond the end of any reel, because others cannot read a locked range.
constexpr DWORD lock_offset_high = 0x7FFFFFFF;
constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

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
  // Others may read, rename and even delete meanwhile, as on other systems; the lock excludes writers.
  const HANDLE handle =
      ::CreateFileW(wide(path).c_str(), access, share_all, nullptr, how, FILE_ATTRIBUTE_NORMAL, nullptr);
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

std::int64_t system_calls::version(std::int64_t handle) {
  BY_HANDLE_FILE_INFORMATION found = {};
  if (!::GetFileInformationByHandle(as_handle(handle), &found)) return last_error();
  const DWORD parts[] = {found.dwVolumeSerialNumber,
                         found.nFileIndexHigh,
                         found.nFileIndexLow,
                         found.nFileSizeHigh,
                         found.nFileSizeLow,
                         found.ftLastWriteTime.dwHighDateTime,
                         found.ftLastWriteTime.dwLowDateTime};
  return static_cast<std::int64_t>(xxh3_64(std::as_bytes(std::span(parts))) >> 1);
}

std::int64_t system_calls::lock(std::int64_t handle) {
  OVERLAPPED place = {};
  place.OffsetHigh = lock_offset_high;
  return answer(
      ::LockFileEx(as_handle(handle), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place));
}

std::int64_t system_calls::is_locked(std::int64_t handle) {
  OVERLAPPED place = {};
  place.OffsetHigh = lock_offset_high;
  if (!::LockFileEx(as_handle(handle), LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place)) {
    const std::int64_t refused = last_error();
    return refused == -EAGAIN ? 1 : refused;
  }
  return answer(::UnlockFileEx(as_handle(handle), 0, 1, 0, &place));
}

void system_calls::wait_ms(std::uint32_t duration_ms) {
  ::Sleep(duration_ms);
}

namespace {

// The argument of FileRenameInfoEx; headers older than the flags have another layout.
struct posix_rename {
  DWORD flags;
  HANDLE folder;
  DWORD name_bytes;
  wchar_t name[1];
};
constexpr DWORD replace_if_exists = 0x1;  // FILE_RENAME_FLAG_REPLACE_IF_EXISTS
constexpr DWORD posix_semantics = 0x2;    // FILE_RENAME_FLAG_POSIX_SEMANTICS
constexpr auto file_rename_info_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);

// Replaces a file that other processes have open, if they permit deletion: they keep the old file. Supported
// by Windows 10 on NTFS.
bool replace_open_file(const std::wstring& from, const std::wstring& to) {
  const HANDLE opened = ::CreateFileW(from.c_str(), DELETE | SYNCHRONIZE | GENERIC_WRITE, share_all, nullptr,
                                      OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (opened == INVALID_HANDLE_VALUE) return false;
  std::vector<std::byte> room(sizeof(posix_rename) + to.size() * sizeof(wchar_t));
  auto* const how = new (room.data()) posix_rename{};
  how->flags = replace_if_exists | posix_semantics;
  how->name_bytes = static_cast<DWORD>(to.size() * sizeof(wchar_t));
  std::memcpy(how->name, to.c_str(), (to.size() + 1) * sizeof(wchar_t));
  const bool done =
      ::SetFileInformationByHandle(opened, file_rename_info_ex, how, static_cast<DWORD>(room.size())) != 0;
  // Written through, like the alternative call.
  if (done) (void)::FlushFileBuffers(opened);
  ::CloseHandle(opened);
  return done;
}

// Whether a file cannot be replaced because another process has it open.
bool is_held(const std::wstring& path) {
  const HANDLE alone =
      ::CreateFileW(path.c_str(), DELETE, 0, nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (alone == INVALID_HANDLE_VALUE) return ::GetLastError() == ERROR_SHARING_VIOLATION;
  ::CloseHandle(alone);
  return false;
}

}  // namespace

std::int64_t system_calls::rename(const char* from, const char* to) {
  const std::wstring old_name = wide(from);
  const std::wstring new_name = wide(to);
  if (::MoveFileExW(old_name.c_str(), new_name.c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH)) {
    return 0;
  }
  const std::int64_t refused = last_error();
  if (refused != -EACCES && refused != -EAGAIN) return refused;
  if (replace_open_file(old_name, new_name)) return 0;
  return is_held(new_name) ? -EAGAIN : refused;
}

std::int64_t system_calls::rename_new(const char* from, const char* to) {
  return answer(::MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_WRITE_THROUGH));
}

std::int64_t system_calls::remove(const char* path) {
  return answer(::DeleteFileW(wide(path).c_str()));
}

// MOVEFILE_WRITE_THROUGH has done it; folders have no handle that could be flushed.
std::int64_t system_calls::sync_folder(const char*) {
  return 0;
}

system_calls& system_calls::real() noexcept {
  static system_calls calls;
  return calls;
}

}  // namespace tickreel

#endif
