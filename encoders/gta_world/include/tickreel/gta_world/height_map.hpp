// The height maps (.hmap) of SA-MP's MapAndreas plugin and its successors: the ground of San Andreas,
// without a header.
//
// | offset             | type | field                                                                              |
// | 2 (row side + col) | u16  | height in centimetres; rows go south from y = 3000, columns east from x = -3000 |
//
// SAfull.hmap has 6000 rows of 6000 columns, one per metre; SAmin.hmap 2000 of 2000, one per three metres.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gta_world {

struct height_map_shape {
  std::uint32_t side = 0;  // rows, and columns
  double step_m = 1;

  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return std::uint64_t{2} * side * side; }
  [[nodiscard]] std::uint64_t offset(std::uint32_t column, std::uint32_t row) const noexcept {
    return 2 * (std::uint64_t{row} * side + column);
  }
};

// The world's edge, in metres from its centre.
inline constexpr double world_edge_m = 3000;
inline constexpr std::size_t height_bytes = 2;

// not_recognised for a file of any other size.
result<height_map_shape> height_map_shape_of(std::uint64_t file_bytes) noexcept;

// In metres, from the two bytes of one point.
[[nodiscard]] double height_of(byte_span bytes) noexcept;

// The four points around a position and their weights; positions beyond the edge are moved to it.
struct height_places {
  std::uint32_t column = 0, row = 0;  // of the north-western one; the others are one further
  double east = 0, south = 0;         // weights
};
[[nodiscard]] height_places places_about(const height_map_shape& shape, double x_m, double y_m) noexcept;

}  // namespace tickreel::gta_world
