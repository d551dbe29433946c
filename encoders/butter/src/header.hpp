// The head of a .butter file.
//
//   u8 version | u16 keyframe interval | u8 compression | text client_name | 16 session id | 4 ip |
//   u8 P | P texts (names) | P i64 (userids) | P u8 (numbers) | P u8 (levels) |
//   u8 total_round_count | u8 blue score + 16 * orange score | u8 private + 2 * map code |
//   u32 C | C u32 (stored chunk sizes) | chunks
#pragma once

#include <array>

#include "tickreel/butter/file.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel::butter {

// The keyframe interval, and the compression after it: encode_head fills them in, because the encoder does not know them.
inline constexpr std::size_t interval_offset = 1;

struct parsed_header {
  file_header values;
  std::uint8_t map_code = 0;
};

// Up to and including the map byte.
result<parsed_header> read_header(byte_reader& in);

// The 16 bytes of a session id; only hexadecimal digits count. Zeros if there are too few.
[[nodiscard]] std::array<std::byte, 16> session_id_bytes(std::string_view text) noexcept;
// 0.0.0.0 for anything but four decimal parts.
[[nodiscard]] std::array<std::byte, 4> session_ip_bytes(std::string_view text) noexcept;

}  // namespace tickreel::butter
