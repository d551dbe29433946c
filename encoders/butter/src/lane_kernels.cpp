#include "lane_kernels.hpp"

#include "bone_group.hpp"
#include "pose_group.hpp"

namespace tickreel::butter {

lane_kernels common_lane_kernels() noexcept {
  using poses = pose_group<native_lanes>;
  using bones = bone_group<native_lanes>;
  return {&poses::measure, &poses::measure_ahead, &bones::step, &bones::step_ahead};
}

lane_kernels best_lane_kernels() noexcept {
#ifdef TICKREEL_BUTTER_AVX2
  if (__builtin_cpu_supports("avx2")) return avx2_lane_kernels();
#endif
  return common_lane_kernels();
}

}  // namespace tickreel::butter
