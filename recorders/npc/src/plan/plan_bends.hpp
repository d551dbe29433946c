// Which bends bodies take in their stride.
#pragma once

namespace tickreel::npc {

// A change of direction that nobody notices.
inline constexpr double unnoticed_deg = 2;
// Beyond it people stop and turn round, and vehicles need a turn of their own instead of a rounded corner.
inline constexpr double about_turn_deg = 150;
// The tightest corner of what cannot turn on the spot.
inline constexpr double tightest_corner_m = 2;

}  // namespace tickreel::npc
