// What a decoder holds of poses, and what is written to bring it nearer to what is wanted.
#pragma once

#include <array>
#include <cstdint>

#include "lead.hpp"
#include "rounding.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::butter {

// What a decoder holds of four poses.
struct held_poses {
  std::array<float, 4> x{};
  std::array<float, 4> y{};
  std::array<float, 4> z{};
  std::array<std::uint32_t, 4> rotation{};  // as packed; the decoder never adds rotations of poses up
};

// Four poses, and what is held of them.
struct pose_task {
  std::array<const echo::pose*, 4> wanted;
  const held_poses* held;
  // Only where what moves leads: the axes of the tick before, NaN where they are not known, and where to keep
  // those of this one.
  const pose_axes* axes_before;
  pose_axes* axes_now;
};

// How far the four that are held are from the four wanted. One bit a pose in the masks.
struct pose_steps {
  unsigned moved;                        // its position is too far off, and can be brought nearer
  unsigned turned;                       // its rotation is
  unsigned aimless;                      // its axes make no rotation
  unsigned unreachable;                  // its way is longer than halves can tell, or not a number
  std::array<std::uint32_t, 4> xy_half;  // the ways: that of x lowest
  std::array<std::uint32_t, 4> z_half;
  held_poses reached;  // what is held where all of it is written
};

struct pose_limits {
  step_rounding rounding;
  float position_square;
  float rotation_chord_square;
};

}  // namespace tickreel::butter
