// The work on four numbers at a time, in the form that suits this processor best.
#pragma once

#include "bone_group.hpp"
#include "pose_group.hpp"

namespace tickreel::butter {

// Whichever form is taken, the results are the same to the bit.
struct lane_kernels {
  decltype(&pose_group<native_lanes>::measure) measure_poses;
  decltype(&bone_group<native_lanes>::step) step_bones;
  decltype(&bone_group<native_lanes>::step_ahead) step_bones_ahead;
};

// For any processor that this was compiled for.
[[nodiscard]] lane_kernels common_lane_kernels() noexcept;
// For the one at hand.
[[nodiscard]] lane_kernels best_lane_kernels() noexcept;

}  // namespace tickreel::butter
