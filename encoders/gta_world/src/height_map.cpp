#include "tickreel/gta_world/height_map.hpp"

#include <algorithm>
#include <cmath>

#include "tickreel/bytes/reader.hpp"

namespace tickreel::gta_world {

result<height_map_shape> height_map_shape_of(std::uint64_t file_bytes) noexcept {
  for (const height_map_shape shape : {height_map_shape{6000, 1}, height_map_shape{2000, 3}}) {
    if (shape.file_bytes() == file_bytes) return shape;
  }
  return fail(error_code::not_recognised, file_bytes,
              "a height map has 72,000,000 bytes (SAfull.hmap) or 8,000,000 (SAmin.hmap)");
}

double height_of(byte_span bytes) noexcept {
  constexpr double m_per_unit = 0.01;
  byte_reader from(bytes);
  return from.u16() * m_per_unit;
}

height_places places_about(const height_map_shape& shape, double x_m, double y_m) noexcept {
  // NaN becomes the edge.
  const auto split = [&](double along_m, std::uint32_t& place, double& share) {
    const double last = static_cast<double>(shape.side - 1);
    const double at = std::clamp(std::isnan(along_m) ? 0.0 : along_m / shape.step_m, 0.0, last);
    place = std::min(static_cast<std::uint32_t>(at), shape.side - 2);
    share = at - static_cast<double>(place);
  };
  height_places found;
  split(x_m + world_edge_m, found.column, found.east);
  split(world_edge_m - y_m, found.row, found.south);
  return found;
}

}  // namespace tickreel::gta_world
