// Selects the SIMD implementation for this processor.
#pragma once

#include <span>

#include "bone_steps.hpp"
#include "lanes.hpp"
#include "pose_steps.hpp"

// Processors with AVX2 take eight numbers at a time. Fused operations, which would round differently, are not
// among its instructions.
#if defined(TICKREEL_BUTTER_SSE2) && (defined(__GNUC__) || defined(__clang__))
#define TICKREEL_BUTTER_AVX2 1
#endif

namespace tickreel::butter {

// The functions of pose_group and bone_group. All implementations produce the same bits.
struct lane_kernels {
  void (*measure_poses)(std::span<const pose_task> tasks, const pose_limits& limits,
                        pose_steps* out) noexcept;
  void (*measure_poses_ahead)(std::span<const pose_task> tasks, const lead& ahead, const pose_limits& limits,
                              pose_steps* out) noexcept;
  void (*step_bones)(const echo::bone_player& wanted, held_bones& held, const bone_limits& limits,
                     bone_steps& out) noexcept;
  void (*step_bones_ahead)(const echo::bone_player& wanted, const echo::bone_player& before,
                           const bone_leads& leads, held_bones& held, const bone_limits& limits,
                           bone_steps& out) noexcept;
};

// For any processor that this build supports.
[[nodiscard]] lane_kernels common_lane_kernels() noexcept;
// For the current processor.
[[nodiscard]] lane_kernels best_lane_kernels() noexcept;
#ifdef TICKREEL_BUTTER_AVX2
[[nodiscard]] lane_kernels avx2_lane_kernels() noexcept;
#endif

}  // namespace tickreel::butter
