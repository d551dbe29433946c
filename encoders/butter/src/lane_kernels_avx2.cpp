// Headers that the whole library uses come first and are compiled as everywhere. After the switch to AVX2
// come templates, which only this file instantiates, for avx2_lanes.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

#include "bone_grid.hpp"
#include "bone_steps.hpp"
#include "lane_kernels.hpp"
#include "lanes.hpp"
#include "pose_steps.hpp"
#include "rounding.hpp"

#ifdef TICKREEL_BUTTER_AVX2

#include <immintrin.h>

#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2")
#endif

#include "bone_group.hpp"
#include "lanes_avx2.hpp"
#include "pose_group.hpp"

namespace tickreel::butter {

lane_kernels avx2_lane_kernels() noexcept {
  using poses = pose_group<avx2_lanes>;
  using bones = bone_group<avx2_lanes>;
  return {&poses::measure, &poses::measure_ahead, &bones::step, &bones::step_ahead};
}

}  // namespace tickreel::butter

#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif
