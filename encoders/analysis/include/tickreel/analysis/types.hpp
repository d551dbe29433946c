// The types of analysis events and simulation snapshots. All of them are described, so that one serialiser
// and one printer suffice.
#pragma once

#include <compare>
#include <cstdint>

#include "tickreel/describe/describe.hpp"

namespace tickreel::analysis {

// The identity of a unit: an index into the simulation's table, and the number of reuses of that index.
struct unit_tag {
  std::uint16_t index = 0;
  std::uint16_t generation = 0;

  friend constexpr auto operator<=>(const unit_tag&, const unit_tag&) = default;
};
TICKREEL_DESCRIBE(unit_tag, index, generation);

// In the simulation's own fixed-point units.
struct world_position {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  friend constexpr bool operator==(const world_position&, const world_position&) = default;
};
TICKREEL_DESCRIBE(world_position, x, y, z);

}  // namespace tickreel::analysis
