#include "file_identity.hpp"

#include <algorithm>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"

#ifdef _WIN32
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#else
#include <sys/stat.h>
#include <cerrno>
#endif

namespace tickreel::library {

#ifdef _WIN32

namespace {

std::uint64_t together(DWORD high, DWORD low) noexcept {
  return std::uint64_t{high} << 32 | low;
}

}  // namespace

// Asked of the opened file: a folder tells the time of the last change only after the file was closed.
result<file_identity> identify(const std::filesystem::path& path) {
  const HANDLE opened = ::CreateFileW(path.c_str(), FILE_READ_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                      OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (opened == INVALID_HANDLE_VALUE) {
    const DWORD reason = ::GetLastError();
    const bool denied = reason == ERROR_ACCESS_DENIED || reason == ERROR_SHARING_VIOLATION;
    return fail(denied ? error_code::permission_denied : error_code::not_found);
  }
  BY_HANDLE_FILE_INFORMATION found = {};
  const bool known = ::GetFileInformationByHandle(opened, &found) != 0;
  ::CloseHandle(opened);
  if (!known) return fail(error_code::io_failed);
  if ((found.dwFileAttributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE)) != 0) {
    return fail(error_code::not_found, error::no_offset, "not a file");
  }
  // Windows counts from 1601, in steps of 100 ns.
  constexpr std::int64_t epoch_100ns = 116'444'736'000'000'000;
  const auto time = static_cast<std::int64_t>(
      together(found.ftLastWriteTime.dwHighDateTime, found.ftLastWriteTime.dwLowDateTime));
  return file_identity{together(found.nFileSizeHigh, found.nFileSizeLow), (time - epoch_100ns) * 100,
                       static_cast<std::int64_t>(together(found.nFileIndexHigh, found.nFileIndexLow))};
}

#else

result<file_identity> identify(const std::filesystem::path& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0) {
    const int reason = errno;
    // A name too long or through a file that is no folder leads nowhere either.
    if (reason == ENOENT || reason == ENOTDIR || reason == ENAMETOOLONG || reason == ELOOP) {
      return fail(error_code::not_found);
    }
    return fail(from_system_error(reason));
  }
  if (!S_ISREG(found.st_mode)) return fail(error_code::not_found, error::no_offset, "not a file");
#ifdef __APPLE__
  const auto& time = found.st_mtimespec;
#else
  const auto& time = found.st_mtim;
#endif
  return file_identity{static_cast<std::uint64_t>(found.st_size),
                       std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec,
                       static_cast<std::int64_t>(found.st_ino)};
}

#endif

std::filesystem::path full_path(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::path out = std::filesystem::absolute(path, problem).lexically_normal();
  if (problem) out = path.lexically_normal();
  // "folder/" and "folder" are one.
  if (!out.has_filename() && out.has_parent_path() && out != out.root_path()) out = out.parent_path();
  return out;
}

result<std::uint64_t> fingerprint(const std::filesystem::path& path, std::uint64_t bytes) {
  constexpr std::uint64_t whole_bytes = 1u << 20;
  constexpr std::uint64_t piece_bytes = 64u << 10;
  constexpr std::uint64_t pieces = whole_bytes / piece_bytes;
  auto input = file::open_for_reading(path);
  if (!input) return fail(input.error());
  byte_vector content(static_cast<std::size_t>(std::min(bytes, whole_bytes)) + (bytes > whole_bytes ? 8 : 0));
  if (bytes <= whole_bytes) {
    const auto count = input->read_at(content, 0);
    if (!count) return fail(count.error());
    return xxh3_64(byte_span(content).first(*count));
  }
  const mutable_byte_span room(content);
  for (std::uint64_t piece = 0; piece < pieces; ++piece) {
    const std::uint64_t at = (bytes - piece_bytes) / (pieces - 1) * piece;
    const std::uint64_t from = piece + 1 == pieces ? bytes - piece_bytes : at;
    const auto count = input->read_at(
        room.subspan(static_cast<std::size_t>(piece * piece_bytes), static_cast<std::size_t>(piece_bytes)),
        from);
    if (!count) return fail(count.error());
  }
  byte_writer size(room.last(8));
  size.u64(bytes);
  return xxh3_64(content);
}

}  // namespace tickreel::library
