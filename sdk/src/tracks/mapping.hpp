// Maps the values of a column to integers that are easy to predict, and back.
//
//   plain    the value's own bits without `shift` low ones that are all 0: integers unchanged, floats so that
//            neighbouring floats are neighbouring integers and the order is preserved
//   decimal  floats: n if the value is the float nearest to n / 10^places, ties to even, and not -0
//   stepped  floats with a tolerance: n if n * multiple / 10^places is near enough
//   table    index into a list of the column's distinct values
//
// All arithmetic uses integers, so that it does not depend on rounding or contraction of floats.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "layout.hpp"

namespace tickreel::tracks {

enum class mapping_kind : std::uint8_t { plain, decimal, stepped, table };

struct mapping {
  mapping_kind kind = mapping_kind::plain;
  std::uint8_t shift = 0;
  decimal_step step{};  // decimal: multiple is 1

  [[nodiscard]] bool scaled() const noexcept {
    return kind == mapping_kind::decimal || kind == mapping_kind::stepped;
  }
};

// The properties of a column that are needed to read its values.
struct value_type {
  value_kind kind = value_kind::unsigned_integer;
  std::uint32_t size_bytes = 0;

  [[nodiscard]] unsigned bits() const noexcept { return size_bytes * 8; }
  [[nodiscard]] bool is_float() const noexcept { return kind == value_kind::floating; }
};

// The unsigned integer of 1, 2, 4 or 8 little-endian bytes.
[[nodiscard]] std::uint64_t load_bits(const std::byte* from, std::uint32_t size_bytes) noexcept;
void store_bits(std::byte* to, std::uint32_t size_bytes, std::uint64_t bits) noexcept;
// Many, each `apart` bytes after the one before.
void load_bits(const std::byte* from, std::size_t apart, std::uint32_t size_bytes, std::size_t count,
               std::uint64_t* bits) noexcept;

// Larger numbers are not stored as decimals.
inline constexpr std::int64_t largest_scaled = std::int64_t{1} << 53;

inline constexpr std::uint64_t powers_of_ten[] = {1,       10,        100,        1'000,       10'000,
                                                  100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

// The bits of the float nearest to n * multiple / 10^places; for any n.
[[nodiscard]] std::uint64_t bits_of_scaled(std::int64_t n, decimal_step step,
                                           std::uint32_t size_bytes) noexcept;
// The values of many, contiguous.
void store_scaled(const std::int64_t* n, std::size_t count, decimal_step step, std::uint32_t size_bytes,
                  std::byte* to) noexcept;

// Whether the value is exactly that of n / 10^places; outputs n.
[[nodiscard]] bool decimal_of(std::uint64_t bits, std::uint32_t size_bytes, int places,
                              std::int64_t& n) noexcept;

// How many leading values are, with n from -most to most.
[[nodiscard]] std::size_t leading_decimals(std::span<const std::uint64_t> bits, std::uint32_t size_bytes,
                                           int places, std::int64_t most, std::int64_t* n) noexcept;

// Whether the value of some n has an error of at most `tolerance`.
[[nodiscard]] bool stepped_of(std::uint64_t bits, std::uint32_t size_bytes, decimal_step step,
                              double tolerance, std::int64_t& n) noexcept;

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

// Billionths, clamped to +-2e9: the unit in which relations between directions are computed.
void to_billionths(const std::int64_t* n, std::size_t count, value_type type, const mapping& by,
                   std::int64_t* billionths) noexcept;
// The inverse, in place; for numbers from -2e9 to 2e9.
void from_billionths(std::int64_t* numbers, std::size_t count, value_type type, const mapping& by) noexcept;

// Rounded to nearest, halves away from 0. The divisor is positive and below 2^62.
[[nodiscard]] constexpr std::int64_t divide_rounded(std::int64_t value, std::int64_t by) noexcept {
  const std::int64_t quotient = value / by;
  const std::int64_t rest = value % by;
  if (rest >= by - by / 2) return quotient + 1;
  if (-rest >= by - by / 2) return quotient - 1;
  return quotient;
}

}  // namespace tickreel::tracks
