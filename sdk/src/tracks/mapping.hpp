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

#include <cstdint>
#include <span>

#include "layout.hpp"
#include "value_bits.hpp"

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
// How many leading values are.
[[nodiscard]] std::size_t leading_steps(std::span<const std::uint64_t> bits, std::uint32_t size_bytes,
                                        decimal_step step, double tolerance, std::int64_t* n) noexcept;

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
