// Variable-length integers: every form that a supported format uses.
//
// A truncated number fails with truncated; a number above 64 bits with malformed. Then the reader is at the
// start of the number, and 0 is returned. Readers accept longer forms than necessary; writers write the shortest.
// A write that does not fit writes nothing.
#pragma once

#include <bit>
#include <limits>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

namespace tickreel {

// Zig-zag: 0, -1, 1, -2 ... as 0, 1, 2, 3 ..., so that small magnitudes are small numbers.
[[nodiscard]] constexpr std::uint64_t zigzag_encode(std::int64_t value) noexcept {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t zigzag_decode(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>((value >> 1) ^ (0 - (value & 1)));
}

// LEB128, unsigned: 7 bits a byte, least significant group first, bit 7 set when another byte follows.

inline constexpr std::size_t leb128_max_size = 10;

[[nodiscard]] constexpr std::size_t leb128_size(std::uint64_t value) noexcept {
  return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
}

[[nodiscard]] inline std::uint64_t read_leb128(byte_reader& from) noexcept {
  const byte_span input = from.rest();
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < leb128_max_size; ++i) {
    if (i == input.size()) {
      from.fail_with(error_code::truncated);
      return 0;
    }
    const auto byte = std::to_integer<std::uint64_t>(input[i]);
    // The tenth byte contains bit 63 only.
    if (i == leb128_max_size - 1 && byte > 1) break;
    value |= (byte & 0x7F) << (7 * i);
    if (byte < 0x80) {
      from.skip(i + 1);
      return value;
    }
  }
  from.fail_with(error_code::malformed);
  return 0;
}

inline void write_leb128(byte_writer& to, std::uint64_t value) noexcept {
  for (std::byte& byte : to.reserve(leb128_size(value))) {
    byte = static_cast<std::byte>((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
    value >>= 7;
  }
}

// Prefix varint: the first byte determines the length. As in SQLite 4, but with a little-endian tail.
//
//   value            bytes
//   0 - 240          value
//   241 - 2287       241 + (value - 240) / 256, (value - 240) % 256
//   2288 - 67823     249, (value - 2288) / 256, (value - 2288) % 256
//   larger           250, 251 ... 255, then the value in 3, 4 ... 8 bytes, little-endian

inline constexpr std::size_t prefix_varint_max_size = 9;

[[nodiscard]] constexpr std::size_t prefix_varint_size(std::uint64_t value) noexcept {
  if (value <= 240) return 1;
  if (value <= 2287) return 2;
  if (value <= 67823) return 3;
  return 1 + (static_cast<std::size_t>(std::bit_width(value)) + 7) / 8;
}

[[nodiscard]] inline std::uint64_t read_prefix_varint(byte_reader& from) noexcept {
  const byte_span input = from.rest();
  const std::uint64_t first = input.empty() ? 0 : std::to_integer<std::uint64_t>(input[0]);
  const std::size_t size = first <= 240   ? 1
                           : first <= 248 ? 2
                           : first == 249 ? 3
                                          : 1 + static_cast<std::size_t>(first - 247);
  if (input.size() < size) {
    from.fail_with(error_code::truncated);
    return 0;
  }
  from.skip(size);
  if (size == 1) return first;
  if (size == 2) return 240 + ((first - 241) << 8) + std::to_integer<std::uint64_t>(input[1]);
  if (first == 249) return 2288 + detail::load<std::endian::big, std::uint16_t>(&input[1]);
  std::uint64_t value = 0;
  for (std::size_t i = 1; i < size; ++i) {
    value |= std::to_integer<std::uint64_t>(input[i]) << (8 * (i - 1));
  }
  return value;
}

inline void write_prefix_varint(byte_writer& to, std::uint64_t value) noexcept {
  if (value <= 240) {
    to.u8(static_cast<std::uint8_t>(value));
    return;
  }
  const std::size_t size = prefix_varint_size(value);
  const mutable_byte_span room = to.reserve(size);
  if (room.empty()) return;
  if (size == 2) {
    room[0] = static_cast<std::byte>(241 + ((value - 240) >> 8));
    room[1] = static_cast<std::byte>(value - 240);
  } else if (value <= 67823) {
    room[0] = std::byte{249};
    detail::store<std::endian::big>(&room[1], static_cast<std::uint16_t>(value - 2288));
  } else {
    room[0] = static_cast<std::byte>(247 + (size - 1));
    for (std::size_t i = 1; i < size; ++i) room[i] = static_cast<std::byte>(value >> (8 * (i - 1)));
  }
}

// SC2 integer: bit 0 is the sign, the bits above it the magnitude, in groups of 7 like LEB128. All of int64
// fits: the magnitude of the lowest value needs bit 64, which the tenth byte contains.

inline constexpr std::size_t sc2_integer_max_size = 10;

[[nodiscard]] inline std::int64_t read_sc2_integer(byte_reader& from) noexcept {
  const byte_span input = from.rest();
  if (input.empty()) {
    from.fail_with(error_code::truncated);
    return 0;
  }
  const auto first = std::to_integer<std::uint64_t>(input[0]);
  const bool negative = (first & 1) != 0;
  std::uint64_t magnitude = (first & 0x7F) >> 1;
  std::size_t size = 1;
  for (bool more = first >= 0x80; more; ++size) {
    if (size == sc2_integer_max_size) {
      from.fail_with(error_code::malformed);
      return 0;
    }
    if (size == input.size()) {
      from.fail_with(error_code::truncated);
      return 0;
    }
    const auto byte = std::to_integer<std::uint64_t>(input[size]);
    // The tenth byte contains bits 62 and 63 of the magnitude only.
    if (size == sc2_integer_max_size - 1 && byte > 3) {
      from.fail_with(error_code::malformed);
      return 0;
    }
    magnitude |= (byte & 0x7F) << (7 * size - 1);
    more = byte >= 0x80;
  }
  constexpr std::uint64_t lowest_magnitude = std::uint64_t{1} << 63;
  if (magnitude > lowest_magnitude - (negative ? 0 : 1)) {
    from.fail_with(error_code::malformed);
    return 0;
  }
  from.skip(size);
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

inline void write_sc2_integer(byte_writer& to, std::int64_t value) noexcept {
  const bool negative = value < 0;
  std::uint64_t magnitude = static_cast<std::uint64_t>(value);
  if (negative) magnitude = 0 - magnitude;
  // 6 bits of magnitude in the first byte, 7 in each that follows.
  const auto size = 1 + static_cast<std::size_t>(std::bit_width(magnitude >> 6) + 6) / 7;
  const mutable_byte_span room = to.reserve(size);
  if (room.empty()) return;
  std::uint64_t group = ((magnitude & 0x3F) << 1) | (negative ? 1 : 0);
  magnitude >>= 6;
  for (std::byte& byte : room) {
    byte = static_cast<std::byte>(group | (magnitude != 0 ? 0x80 : 0));
    group = magnitude & 0x7F;
    magnitude >>= 7;
  }
}

}  // namespace tickreel
