// The decoder's values of poses, and the values to write.
#pragma once

#include <array>
#include <cstdint>

#include "motion_lead.hpp"
#include "rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// What a decoder holds of four poses.
struct held_poses {
  std::array<float, 4> x{};
  std::array<float, 4> y{};
  std::array<float, 4> z{};
  std::array<std::uint32_t, 4> rotation{};  // as packed; the decoder does not accumulate rotations of poses
};

// Four poses, and the decoder's values of them.
struct pose_task {
  std::array<const echo::pose*, 4> wanted;
  const held_poses* held;
  // Only with leading: the axes of the tick before, NaN if unknown, and where to store those of this one.
  const pose_axes* axes_before;
  pose_axes* axes_now;
};

// The differences between four held and four input poses. One bit per pose in the masks.
struct pose_steps {
  unsigned moved;                        // its position exceeds the tolerance and can be improved
  unsigned turned;                       // its rotation is
  unsigned aimless;                      // its axes are not a rotation
  unsigned unreachable;                  // its way is beyond the range of halves, or NaN
  std::array<std::uint32_t, 4> xy_half;  // the ways: that of x lowest
  std::array<std::uint32_t, 4> z_half;
  held_poses reached;  // the held values if all of it is written
};

struct pose_limits {
  step_rounding rounding;
  float position_square;
  float rotation_chord_square;
};

}  // namespace tickreel::butter
