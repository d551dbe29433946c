#include "tickreel/zip/archive.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "tickreel/bytes/reader.hpp"

namespace tickreel::zip {

namespace {

constexpr std::uint32_t local_magic = 0x04034B50;
constexpr std::uint32_t end_magic = 0x06054B50;
constexpr std::size_t end_record_bytes = 22;
constexpr std::uint32_t in_zip64_record = std::numeric_limits<std::uint32_t>::max();

struct end_record {
  std::uint64_t end = 0;            // of the archive, its comment included
  std::uint64_t directory_end = 0;  // as the record says
  bool is_zip64 = false;            // the directory's place is in another record
};

std::optional<end_record> read_end_record(byte_span bytes, std::uint64_t offset) {
  byte_reader in(bytes);
  if (in.u32() != end_magic) return std::nullopt;
  in.skip(8);
  const std::uint32_t directory_bytes = in.u32();
  const std::uint32_t directory = in.u32();
  const std::uint16_t comment_bytes = in.u16();
  if (!in.ok()) return std::nullopt;
  return end_record{offset + end_record_bytes + comment_bytes, std::uint64_t{directory} + directory_bytes,
                    directory == in_zip64_record || directory_bytes == in_zip64_record};
}

// The last end record of `bytes`, which begin at `begin`, and its offset. With `consistent`, only one that is
// where its directory ends.
std::optional<std::pair<end_record, std::uint64_t>> find_last_end_record(byte_span bytes, std::uint64_t begin,
                                                                         bool consistent) {
  for (std::size_t at = bytes.size() < end_record_bytes ? 0 : bytes.size() - end_record_bytes + 1;
       at-- > 0;) {
    if (bytes[at] != std::byte{'P'}) continue;
    const auto found = read_end_record(bytes.subspan(at), begin + at);
    if (found && (!consistent || found->directory_end == begin + at)) return std::pair(*found, begin + at);
  }
  return std::nullopt;
}

}  // namespace

result<first_entry> read_first_entry(byte_span head) {
  byte_reader in(head);
  if (in.u32() != local_magic) return fail(error_code::bad_magic, 0);
  in.skip(2);
  const std::uint16_t flags = in.u16();
  first_entry entry;
  entry.method = in.u16();
  in.skip(4);
  first_entry::content_facts content;
  content.crc32 = in.u32();
  content.stored_bytes = in.u32();
  const std::uint32_t bytes = in.u32();
  const std::uint16_t name_bytes = in.u16();
  const std::uint16_t extra_bytes = in.u16();
  entry.name = std::string(as_text(in.bytes(name_bytes)));
  in.skip(extra_bytes);
  if (!in.ok()) return in.failure("zip entry");
  constexpr std::uint16_t encrypted = 1;
  if ((flags & encrypted) != 0 || (entry.method != 0 && entry.method != 8)) {
    return fail(error_code::unsupported_codec, 0, "zip entry with method {}", entry.method);
  }
  entry.data_offset = in.offset();
  constexpr std::uint16_t descriptor_follows = 8;
  entry.has_data_descriptor = (flags & descriptor_follows) != 0;
  const bool is_filled_in = content.crc32 != 0 || content.stored_bytes != 0 || bytes != 0;
  if (!entry.has_data_descriptor && is_filled_in) {
    if (content.stored_bytes != in_zip64_record || entry.method != 0) entry.content = content;
  }
  return entry;
}

// The last end record of two archives names places of the first only where that ends as it does itself.
std::optional<std::uint64_t> find_archive_end(const read_bytes& read, std::uint64_t file_bytes) {
  if (byte_reader(read(0, 4)).u32() != local_magic) return std::nullopt;
  constexpr std::uint64_t max_record_bytes = end_record_bytes + 0xFFFF;
  const std::uint64_t begin = file_bytes - std::min(file_bytes, max_record_bytes);
  const auto last =
      find_last_end_record(read(begin, static_cast<std::size_t>(file_bytes - begin)), begin, false);
  if (last && (last->first.is_zip64 || last->first.directory_end >= last->second)) return last->first.end;
  if (last) {
    const std::uint64_t place = last->first.directory_end;
    const auto first = read_end_record(read(place, end_record_bytes), place);
    return first ? first->end : last->first.end;
  }
  // Farther from the end of the file than a comment reaches.
  constexpr std::size_t piece_bytes = 1u << 20;
  for (std::uint64_t at = 0; at < file_bytes; at += piece_bytes - end_record_bytes) {
    if (const auto inside = find_last_end_record(read(at, piece_bytes), at, true)) return inside->first.end;
  }
  return std::nullopt;
}

}  // namespace tickreel::zip
