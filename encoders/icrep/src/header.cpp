#include "tickreel/icrep/header.hpp"

#include <algorithm>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::icrep {

// off  type       field
//   0  u8[4]      "ICRP"
//   4  u16        version
//   6  u8         compression algorithm
//   7  u8         flags
//   8  u32, u32   metadata: offset, length; then orders, keyframes, events, signature
//  48  u64        total ticks
//  56  u8[32]     final state hash
//  88  u32, u32   voice, then embedded resources
// 104  u32        lost frames

namespace {

constexpr std::string_view magic = "ICRP";
constexpr std::uint16_t version_bc1 = 1;
constexpr std::uint8_t algorithm_lz4 = 1;
constexpr std::uint64_t flags_offset = 7;

enum flag : std::uint8_t {
  flag_signed = 1,
  flag_events = 2,
  flag_voice = 8,
  flag_incomplete = 16,
  flag_live = 128
};
constexpr std::uint8_t known_flags = flag_signed | flag_events | flag_voice | flag_incomplete | flag_live;

void write(byte_writer& out, section place) noexcept {
  out.u32(place.offset);
  out.u32(place.length);
}

section read(byte_reader& in) noexcept {
  section place;
  place.offset = in.u32();
  place.length = in.u32();
  return place;
}

}  // namespace

std::array<std::byte, header_bytes> to_bytes(const file_header& header) noexcept {
  std::array<std::byte, header_bytes> bytes;
  byte_writer out(bytes);
  out.bytes(as_bytes(magic));
  out.u16(version_bc1);
  out.u8(algorithm_lz4);
  unsigned flags = 0;
  if (header.is_signed) flags |= flag_signed;
  if (header.has_events) flags |= flag_events;
  if (header.has_voice) flags |= flag_voice;
  if (header.incomplete) flags |= flag_incomplete;
  if (header.live) flags |= flag_live;
  out.u8(static_cast<std::uint8_t>(flags));
  write(out, header.metadata);
  write(out, header.orders);
  write(out, header.keyframes);
  write(out, header.events);
  write(out, header.signature);
  out.u64(header.total_ticks);
  out.bytes(header.final_state_hash);
  write(out, header.voice);
  write(out, header.embedded);
  out.u32(header.lost_frame_count);
  return bytes;
}

result<file_header> read_header(byte_span file) noexcept {
  if (file.size() < header_bytes) {
    return fail(error_code::truncated, file.size(), "a header has 108 bytes, not {}",
                static_cast<std::int64_t>(file.size()));
  }
  byte_reader in(file);
  if (as_text(in.bytes(magic.size())) != magic) return fail(error_code::bad_magic, 0, "not \"ICRP\"");
  if (const std::uint16_t version = in.u16(); version != version_bc1) {
    return fail(error_code::unsupported_version, 4, "version {}", version);
  }
  if (const std::uint8_t algorithm = in.u8(); algorithm != algorithm_lz4) {
    return fail(error_code::unsupported_codec, 6, "compression algorithm {}", algorithm);
  }
  const std::uint8_t flags = in.u8();
  if ((flags & ~unsigned{known_flags}) != 0) {
    return fail(error_code::malformed, flags_offset, "reserved flags are set: {}", flags);
  }
  file_header header;
  header.is_signed = (flags & flag_signed) != 0;
  header.has_events = (flags & flag_events) != 0;
  header.has_voice = (flags & flag_voice) != 0;
  header.incomplete = (flags & flag_incomplete) != 0;
  header.live = (flags & flag_live) != 0;
  header.metadata = read(in);
  header.orders = read(in);
  header.keyframes = read(in);
  header.events = read(in);
  header.signature = read(in);
  header.total_ticks = in.u64();
  const byte_span hash = in.bytes(header.final_state_hash.size());
  for (std::size_t i = 0; i < hash.size(); ++i) header.final_state_hash[i] = hash[i];
  header.voice = read(in);
  header.embedded = read(in);
  header.lost_frame_count = in.u32();
  return header;
}

std::uint64_t end_of_sections(const file_header& header) noexcept {
  std::uint64_t end = header_bytes;
  for (const section& each : {header.metadata, header.orders, header.keyframes, header.events,
                              header.signature, header.voice, header.embedded}) {
    end = std::max(end, std::uint64_t{each.offset} + each.length);
  }
  return end;
}

}  // namespace tickreel::icrep
