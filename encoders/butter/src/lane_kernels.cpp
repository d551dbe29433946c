#include "lane_kernels.hpp"

// AVX2 processors take the same instructions in a form with three operands, which saves a sixth of the time.
// Fused operations, which would round differently, are not among them.
#if defined(TICKREEL_BUTTER_SSE2) && (defined(__GNUC__) || defined(__clang__)) && !defined(__AVX2__)
#define TICKREEL_BUTTER_AVX2 1
#endif

namespace tickreel::butter {
namespace {

using poses = pose_group<native_lanes>;
using bones = bone_group<native_lanes>;

#ifdef TICKREEL_BUTTER_AVX2
// All that is called is compiled into these.
[[gnu::target("avx2"), gnu::flatten]] void measure_poses(const std::array<const echo::pose*, 4>& wanted,
                                                         const held_poses& held,
                                                         const step_rounding& rounding,
                                                         const pose_limits& limits,
                                                         pose_steps& out) noexcept {
  poses::measure(wanted, held, rounding, limits, out);
}
[[gnu::target("avx2"), gnu::flatten]] void step_bones(const echo::bone_player& wanted, held_bones& held,
                                                      const bone_limits& limits, bone_steps& out) noexcept {
  bones::step(wanted, held, limits, out);
}
[[gnu::target("avx2"), gnu::flatten]] void step_bones_ahead(const echo::bone_player& wanted,
                                                            const echo::bone_player& before,
                                                            const bone_leads& leads, held_bones& held,
                                                            const bone_limits& limits,
                                                            bone_steps& out) noexcept {
  bones::step_ahead(wanted, before, leads, held, limits, out);
}
#endif

}  // namespace

lane_kernels common_lane_kernels() noexcept {
  return {&poses::measure, &bones::step, &bones::step_ahead};
}

lane_kernels best_lane_kernels() noexcept {
#ifdef TICKREEL_BUTTER_AVX2
  if (__builtin_cpu_supports("avx2")) return {&measure_poses, &step_bones, &step_bones_ahead};
#endif
  return common_lane_kernels();
}

}  // namespace tickreel::butter
