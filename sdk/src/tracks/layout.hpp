// Derives the coding of a shape: the order of its columns, and their groups.
#pragma once

#include <cstdint>
#include <vector>

#include "tickreel/tracks/shape.hpp"

namespace tickreel::tracks {

// The maximum of decimal places.
inline constexpr int max_places = 9;

// Column numbers, each after those that it refers to: by their numbers, except that references come first, in
// the order in which they are listed. Shorter than the shape if relations are cyclic.
[[nodiscard]] std::vector<std::uint32_t> coding_order(const shape& of);

// A multiple of 1 / 10^places. 0: no step.
struct decimal_step {
  std::uint32_t multiple = 0;
  std::uint8_t places = 0;
};
// The largest step of three digits whose error is at most the tolerance.
[[nodiscard]] decimal_step step_for(double tolerance) noexcept;

struct layout {
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};

  shape of;
  std::vector<std::uint32_t> order;
  // By column: its index in `order`, and the position of its numbers for columns that refer to it.
  std::vector<std::uint32_t> place;
  std::vector<std::uint32_t> slot;
  std::uint32_t slots = 0;
  std::vector<decimal_step> steps;
  bool usable = false;
  std::uint32_t column_bytes = 0;  // of all columns together
  std::uint32_t largest_text = 0;

  // The memory of a reader for a block of this many rows, which limits the writer.
  [[nodiscard]] std::uint64_t memory_for(std::uint64_t rows) const noexcept {
    return rows *
           (std::uint64_t{column_bytes} + largest_text + 8 * (std::uint64_t{slots} + 6 + max_references));
  }

  explicit layout(const shape& made_of);
};

}  // namespace tickreel::tracks
