// Bones as .butter stores them.
#pragma once

#include "tickreel/echo/state.hpp"
#include "tickreel/quantize/fixed_point.hpp"

namespace tickreel::butter {

// Positions in steps of 1/4096 m.
using bone_grid = fixed_point<-2, 2, 14>;

// a then b, Hamilton's product a * b in the order of operations of the format's decoder.
[[nodiscard]] inline echo::quat product(const echo::quat& a, const echo::quat& b) noexcept {
  const float cross_x = a.y * b.z - a.z * b.y;
  const float cross_y = a.z * b.x - a.x * b.z;
  const float cross_z = a.x * b.y - a.y * b.x;
  const float dot = a.x * b.x + a.y * b.y + a.z * b.z;
  return {a.x * b.w + b.x * a.w + cross_x, a.y * b.w + b.y * a.w + cross_y, a.z * b.w + b.z * a.w + cross_z,
          a.w * b.w - dot};
}

}  // namespace tickreel::butter
