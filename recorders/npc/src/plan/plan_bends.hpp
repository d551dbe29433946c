// Thresholds for bends.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tickreel::npc {

// A negligible change of direction.
inline constexpr double unnoticed_deg = 2;
// Beyond it people stop and turn round, and vehicles need a separate turn instead of a rounded corner.
inline constexpr double about_turn_deg = 150;
// The tightest corner of a body that cannot turn on the spot.
inline constexpr double tightest_corner_m = 2;

// The widest circle, tangent to the heading at a place, from which a straight line to a target can begin;
// `forward_m` and `aside_m` are the target's position. A target inside the circle cannot be reached.
[[nodiscard]] inline double widest_turn_m(double forward_m, double aside_m) noexcept {
  const double aside = std::max(std::abs(aside_m), 1e-9);
  return 0.8 * (forward_m * forward_m + aside * aside) / (2 * aside);
}
// The angle travelled on such a circle before the line, in radians.
[[nodiscard]] inline double sweep_to_line(double radius_m, double forward_m, double aside_m) noexcept {
  // The tangent point: the angle to the target from the centre, less that of the right triangle.
  const double across_m = radius_m - std::abs(aside_m);
  const double to_centre_m = std::hypot(forward_m, across_m);
  const double sweep =
      std::atan2(forward_m, across_m) - std::acos(std::clamp(radius_m / to_centre_m, 0.0, 1.0));
  return sweep < 0 ? sweep + 2 * std::numbers::pi : sweep;
}

}  // namespace tickreel::npc
