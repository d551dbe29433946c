// Detects a .butter, and finds its end in a longer file.
#include <algorithm>

#include "butter_format.hpp"
#include "butter_pieces.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::files {

namespace {

// Whether the first chunk after the table, which `in` is at, begins as one of this codec does.
bool first_chunk_fits(byte_reader in, codec_id codec, std::uint32_t chunks) noexcept {
  if (!in.ok() || in.remaining() / 4 <= chunks) return false;
  in.skip(std::size_t{4} * chunks);
  const std::uint16_t begin = in.u16();
  if (!in.ok()) return false;
  constexpr std::uint16_t gzip = 0x8B1F;
  constexpr std::uint16_t zstd = 0xB528;
  constexpr std::uint16_t keyframe = 0xFEFC;
  return begin == (codec == codec_id::gzip ? gzip : codec == codec_id::zstd ? zstd : keyframe);
}

}  // namespace

// There is no magic: a version byte, an interval, a codec byte, and then texts and tables that must be
// plausible. (docs/formats/butter.md has the table.)
claim claims_butter(const probe& file) noexcept {
  byte_reader in(file.head);
  const std::uint8_t version = in.u8();
  if (!in.ok() || version < 1 || version > 3) return claim::no;
  in.skip(2);
  constexpr std::uint8_t last_compression = 6;
  const std::uint8_t compression = in.u8();
  if (compression > last_compression) return claim::no;
  const codec_id codec = butter::codec_of(static_cast<butter::compression>(compression)).codec;
  constexpr std::size_t longest_text = 1024;  // the known reader fails on longer texts
  // Player names may contain any character; but then other checks must succeed.
  bool has_control_characters = false;
  const auto read_text = [&] {
    const std::string_view text = in.zero_terminated(longest_text);
    has_control_characters = has_control_characters || std::any_of(text.begin(), text.end(), [](char each) {
                               return static_cast<unsigned char>(each) < 0x20;
                             });
  };
  read_text();
  in.skip(16 + 4);  // session id and address
  const std::size_t players = in.u8();
  for (std::size_t each = 0; each < players && in.ok(); ++each) read_text();
  in.skip(players * (8 + 1 + 1));  // user ids, numbers, levels
  in.skip(2);                      // rounds and round scores
  const unsigned map_code = static_cast<unsigned>(in.u8()) >> 1;
  const std::uint32_t chunks = in.u32();
  if (has_control_characters && !first_chunk_fits(in, codec, chunks)) return claim::no;
  if (!in.ok()) {
    // Truncated inside the head, or a head larger than the probe.
    return file.file_bytes >= 4 + 1 + 16 + 4 + 1 && in.offset() > 8 ? claim::plausible : claim::no;
  }
  if (map_code > 64 || std::uint64_t{chunks} > file.file_bytes) return claim::no;
  std::uint64_t stored = 0;
  for (std::uint32_t each = 0; each < chunks && in.ok(); ++each) stored += in.u32();
  return in.ok() && in.offset() + stored <= file.file_bytes ? claim::certain : claim::plausible;
}

// The table of chunks gives it. A table without entries does not.
std::optional<std::uint64_t> find_end_of_butter(byte_source& from, std::uint64_t file_bytes) {
  pieces_of_source pieces(from);
  const auto opened = read_head(pieces, file_bytes, {});
  if (!opened || opened->reader.chunk_count() == 0) return std::nullopt;
  const std::size_t last = opened->reader.chunk_count() - 1;
  return opened->reader.chunk_offset(last) + opened->reader.chunk_bytes(last);
}

}  // namespace tickreel::files
