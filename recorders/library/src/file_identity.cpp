#include "file_identity.hpp"

#include <algorithm>
#include <cerrno>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/folder.hpp"

namespace tickreel::library {

result<file_identity> identify(const std::filesystem::path& path) {
  const auto found = status_of(path);
  if (!found) {
    const int reason = found.error().system_error;
    // A name that is too long, or that passes through a file, does not exist either.
    if (reason == ENOTDIR || reason == ENAMETOOLONG || reason == ELOOP) return fail(error_code::not_found);
    return fail(from_system_error(reason));
  }
  if (found->kind != entry_kind::file) return fail(error_code::not_found, error::no_offset, "not a file");
  return file_identity{found->bytes, found->modified_ns, static_cast<std::int64_t>(found->file_id)};
}

std::int64_t tag_number(std::string_view tag) {
  return static_cast<std::int64_t>(xxh3_64(as_bytes(tag)));
}

std::filesystem::path full_path(const std::filesystem::path& path) {
  std::error_code problem;
  std::filesystem::path out = std::filesystem::absolute(path, problem).lexically_normal();
  if (problem) out = path.lexically_normal();
  // "folder/" and "folder" are the same.
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
