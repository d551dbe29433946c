#include "file_identity.hpp"

#include <algorithm>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"

#ifdef _WIN32
#include <chrono>
#else
#include <sys/stat.h>
#include <cerrno>
#endif

namespace tickreel::library {

#ifdef _WIN32

result<file_identity> identify(const std::filesystem::path& path) {
  std::error_code problem;
  const auto status = std::filesystem::status(path, problem);
  if (!std::filesystem::exists(status) || !std::filesystem::is_regular_file(status)) {
    return fail(error_code::not_found);
  }
  file_identity out;
  out.bytes = std::filesystem::file_size(path, problem);
  if (problem) return fail(error_code::io_failed);
  const auto time = std::filesystem::last_write_time(path, problem);
  if (problem) return fail(error_code::io_failed);
  const auto system_time = std::chrono::clock_cast<std::chrono::system_clock>(time);
  out.modified_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(system_time.time_since_epoch()).count();
  return out;
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
