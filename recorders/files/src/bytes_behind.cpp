#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "formats.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/files/behind.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/icrep/header.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

namespace {

using end_offset = std::optional<std::uint64_t>;

// Up to `bytes` from there; fewer at the end.
byte_span piece(byte_source& from, std::uint64_t offset, std::size_t bytes) {
  const auto read = from.view(offset, bytes);
  return read ? *read : byte_span{};
}

end_offset end_of_reel(byte_source& from, std::uint64_t /*file_bytes*/) {
  const auto opened = reel::reader::open(from);
  if (!opened || opened->contents().end != reel::reel_end::closed) return std::nullopt;
  return opened->contents().valid_bytes;
}

// A live one goes on to the end of the file.
end_offset end_of_icrep(byte_source& from, std::uint64_t /*file_bytes*/) {
  const auto head = icrep::read_header(piece(from, 0, icrep::header_bytes));
  if (!head || head->live) return std::nullopt;
  std::uint64_t end = icrep::header_bytes;
  for (const icrep::section& each : {head->metadata, head->orders, head->keyframes, head->events,
                                     head->signature, head->voice, head->embedded}) {
    end = std::max(end, std::uint64_t{each.offset} + each.length);
  }
  return end;
}

//   end record = u32 magic | u16 disk * 2 | u16 entries * 2 | u32 bytes and u32 offset of the directory
//              | u16 bytes of a comment | comment
constexpr std::size_t zip_end_bytes = 22;
constexpr std::uint32_t zip_end_magic = 0x06054B50;

struct zip_end {
  std::uint64_t end = 0;            // of the archive, its comment included
  std::uint64_t directory_end = 0;  // as it says
  bool is_long = false;             // places stand in another record, of zip64
};

std::optional<zip_end> read_zip_end(byte_span bytes, std::uint64_t offset) {
  byte_reader in(bytes);
  if (in.u32() != zip_end_magic) return std::nullopt;
  in.skip(8);
  const std::uint32_t directory_bytes = in.u32();
  const std::uint32_t directory = in.u32();
  const std::uint16_t comment_bytes = in.u16();
  if (!in.ok()) return std::nullopt;
  constexpr std::uint32_t elsewhere = std::numeric_limits<std::uint32_t>::max();
  return zip_end{offset + zip_end_bytes + comment_bytes, std::uint64_t{directory} + directory_bytes,
                 directory == elsewhere || directory_bytes == elsewhere};
}

// The last end record from `begin` on, and where it stands. With `consistent`, only one that stands where the
// directory ends.
std::optional<std::pair<zip_end, std::uint64_t>> last_zip_end(byte_span bytes, std::uint64_t begin,
                                                              bool consistent) {
  for (std::size_t at = bytes.size() < zip_end_bytes ? 0 : bytes.size() - zip_end_bytes + 1; at-- > 0;) {
    if (bytes[at] != std::byte{'P'}) continue;
    const auto found = read_zip_end(bytes.subspan(at), begin + at);
    if (found && (!consistent || found->directory_end == begin + at)) return std::pair(*found, begin + at);
  }
  return std::nullopt;
}

// Of two archives in one file the last end record is found; it names places of the first one only where that
// ends as it does itself. What stands in front of an archive is none of this.
end_offset end_of_zip(byte_source& from, std::uint64_t file_bytes) {
  constexpr std::uint32_t local_magic = 0x04034B50;
  if (byte_reader(piece(from, 0, 4)).u32() != local_magic) return std::nullopt;
  constexpr std::uint64_t most_bytes = zip_end_bytes + 0xFFFF;
  const std::uint64_t begin = file_bytes - std::min(file_bytes, most_bytes);
  const auto found =
      last_zip_end(piece(from, begin, static_cast<std::size_t>(file_bytes - begin)), begin, false);
  if (found && (found->first.is_long || found->first.directory_end >= found->second)) return found->first.end;
  if (found) {
    const std::uint64_t place = found->first.directory_end;
    const auto first = read_zip_end(piece(from, place, zip_end_bytes), place);
    return first ? first->end : found->first.end;
  }
  // Farther from the file's end than a comment reaches.
  constexpr std::size_t piece_bytes = 1u << 20;
  for (std::uint64_t at = 0; at < file_bytes; at += piece_bytes - zip_end_bytes) {
    if (const auto inside = last_zip_end(piece(from, at, piece_bytes), at, true)) return inside->first.end;
  }
  return std::nullopt;
}

//   prefix = magic "MPQ" 1B | u32 | u32 offset of the archive; archive = magic "MPQ" 1A | u32 | u32 its bytes
// and behind it a strong signature, "NGIS" and 256 bytes, where there is one.
end_offset end_of_mpq(byte_source& from, std::uint64_t file_bytes) {
  constexpr std::uint32_t archive_magic = 0x1A51504D;
  constexpr std::uint32_t signature_magic = 0x5349474E;
  constexpr std::uint64_t signature_bytes = 260;
  byte_reader prefix(piece(from, 8, 4));
  const std::uint64_t archive = prefix.u32();
  byte_reader head(piece(from, archive, 12));
  if (!prefix.ok() || head.u32() != archive_magic) return std::nullopt;
  head.skip(4);
  const std::uint64_t bytes = head.u32();
  if (!head.ok() || bytes == 0) return std::nullopt;
  const std::uint64_t end = archive + bytes;
  const bool is_signed = end < file_bytes && byte_reader(piece(from, end, 4)).u32() == signature_magic;
  return is_signed ? end + signature_bytes : end;
}

struct end_finder {
  std::string_view format;
  end_offset (*find)(byte_source& from, std::uint64_t file_bytes);
};
constexpr end_finder finders[] = {{"reel", &end_of_reel},
                                  {"icrep", &end_of_icrep},
                                  {"echoreplay", &end_of_zip},
                                  {"sc2replay", &end_of_mpq}};

}  // namespace

std::string bytes_behind::sentence() const {
  return std::to_string(bytes) + " bytes behind the end at offset " + std::to_string(offset) +
         " are no part of this recording: another one may stand there, which 'tickreel recover' tells";
}

std::optional<bytes_behind> find_bytes_behind(const byte_source& from) {
  const auto found = detect(from);
  const auto size = from.size();
  if (!found || !size) return std::nullopt;
  const auto of = std::ranges::find(finders, (*found)->name, &end_finder::format);
  if (of == std::end(finders)) return std::nullopt;
  byte_source reading = from;
  const end_offset end = of->find(reading, *size);
  if (!end || *end >= *size) return std::nullopt;
  return bytes_behind{*end, *size - *end};
}

std::optional<bytes_behind> find_bytes_behind(const file_path& path) {
  const auto from = open_file(path);
  return from ? find_bytes_behind(*from) : std::nullopt;
}

}  // namespace tickreel::files
