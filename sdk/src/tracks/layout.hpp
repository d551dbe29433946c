// What a shape means for coding: the order of its columns, and the groups that they are coded in.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// Decimal places that are looked for and kept.
inline constexpr int max_places = 9;

// Column numbers, each behind those that it refers to: by their numbers, except that references come first,
// in the order in which they are listed. Shorter than the shape when relations go in a circle.
[[nodiscard]] std::vector<std::uint32_t> coding_order(const shape& of);

// A multiple of 1 / 10^places. 0 is no step.
struct decimal_step {
  std::uint32_t multiple = 0;
  std::uint8_t places = 0;
};
// The largest step of three digits that errs by no more than that.
[[nodiscard]] decimal_step step_for(double tolerance) noexcept;

struct layout {
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  shape of;
  std::vector<std::uint32_t> order;
  // By column: its place in `order`, and where its numbers are kept for those that refer to it.
  std::vector<std::uint32_t> place;
  std::vector<std::uint32_t> slot;
  std::uint32_t slots = 0;
  std::vector<decimal_step> steps;
  bool usable = false;
  std::uint32_t column_bytes = 0;  // of all columns together
  std::uint32_t largest_text = 0;

  // What a reader takes for a block of so many rows; so what a writer may give it.
  [[nodiscard]] std::uint64_t memory_for(std::uint64_t rows) const noexcept {
    return rows *
           (std::uint64_t{column_bytes} + largest_text + 8 * (std::uint64_t{slots} + 6 + max_references));
  }

  explicit layout(const shape& made_of);
};

}  // namespace tickreel::tracks
