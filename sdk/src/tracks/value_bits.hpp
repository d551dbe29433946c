// The bits of a column's values, and the order-preserving integers of the mapping `plain`.
#pragma once

#include <cstddef>
#include <cstdint>

#include "layout.hpp"
#include "tickreel/bytes/endian.hpp"

namespace tickreel::tracks {

// The properties of a column that are needed to read its values.
struct value_type {
  value_kind kind = value_kind::unsigned_integer;
  std::uint32_t size_bytes = 0;

  [[nodiscard]] unsigned bits() const noexcept { return size_bytes * 8; }
  [[nodiscard]] bool is_float() const noexcept { return kind == value_kind::floating; }
};

// The unsigned integer of 1, 2, 4 or 8 little-endian bytes.
[[nodiscard]] inline std::uint64_t load_bits(const std::byte* from, std::uint32_t size_bytes) noexcept {
  switch (size_bytes) {
    case 1:
      return std::to_integer<std::uint64_t>(*from);
    case 2:
      return detail::load<std::endian::little, std::uint16_t>(from);
    case 4:
      return detail::load<std::endian::little, std::uint32_t>(from);
    default:
      return detail::load<std::endian::little, std::uint64_t>(from);
  }
}
inline void store_bits(std::byte* to, std::uint32_t size_bytes, std::uint64_t bits) noexcept {
  switch (size_bytes) {
    case 1:
      *to = static_cast<std::byte>(bits);
      break;
    case 2:
      detail::store<std::endian::little>(to, static_cast<std::uint16_t>(bits));
      break;
    case 4:
      detail::store<std::endian::little>(to, static_cast<std::uint32_t>(bits));
      break;
    default:
      detail::store<std::endian::little>(to, bits);
  }
}
// Many, each `apart` bytes after the one before.
void load_bits(const std::byte* from, std::size_t apart, std::uint32_t size_bytes, std::size_t count,
               std::uint64_t* bits) noexcept;

[[nodiscard]] inline std::int64_t plain_of(std::uint64_t bits, value_type type, unsigned shift) noexcept {
  if (type.kind == value_kind::signed_integer) {
    const unsigned unused = 64 - type.bits();
    return static_cast<std::int64_t>(bits << unused) >> unused >> shift;
  }
  bits >>= shift;
  if (!type.is_float()) return static_cast<std::int64_t>(bits);
  const std::uint64_t sign = std::uint64_t{1} << (type.bits() - 1 - shift);
  return static_cast<std::int64_t>((bits & sign) != 0 ? ~(bits & (sign - 1)) : bits);
}

// For any n; bits that do not fit the type are dropped.
[[nodiscard]] inline std::uint64_t bits_of_plain(std::int64_t n, value_type type, unsigned shift) noexcept {
  auto bits = static_cast<std::uint64_t>(n);
  if (type.is_float()) {
    const std::uint64_t sign = std::uint64_t{1} << (type.bits() - 1 - shift);
    bits = n < 0 ? sign | (~bits & (sign - 1)) : bits & (sign - 1);
  }
  return bits << shift;
}

// For many, contiguous.
void store_plain(const std::int64_t* n, std::size_t count, value_type type, unsigned shift,
                 std::byte* to) noexcept;

}  // namespace tickreel::tracks
