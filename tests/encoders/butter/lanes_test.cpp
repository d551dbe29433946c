// Four numbers at a time give the same bits whichever way they are computed, and the same as one at a time.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <limits>

#include "lane_kernels.hpp"
#include "random.hpp"
#include "tickreel/quantize/basis.hpp"
#include "tickreel/quantize/half.hpp"

namespace tickreel::butter {
namespace {

using portable_poses = pose_group<portable_lanes>;
using portable_bones = bone_group<portable_lanes>;

// Mostly as in matches; sometimes what no game should send.
class number_source {
 public:
  explicit number_source(std::mt19937_64& random) : random_(random) {}

  float near(float middle, float reach) {
    if (random_() % 200 == 0) {
      constexpr std::array<float, 8> odd{0.0f, -0.0f, 1e-42f, 1e-20f, 1e20f, 70000.0f, INFINITY, NAN};
      return odd[random_() % odd.size()];
    }
    return middle + reach * (static_cast<float>(random_() % 20001) / 10000.0f - 1.0f);
  }
  echo::vec3 vector(float reach) { return {near(0, reach), near(0, reach), near(0, reach)}; }
  std::uint32_t word() { return static_cast<std::uint32_t>(random_()); }

 private:
  std::mt19937_64& random_;
};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

bool same(const pose_steps& a, const pose_steps& b) {
  if (a.moved != b.moved || a.turned != b.turned || a.aimless != b.aimless || a.unreachable != b.unreachable)
    return false;
  for (unsigned i = 0; i < 4; ++i) {
    // Nobody reads those.
    const bool reached = (a.unreachable >> i & 1u) == 0;
    for (std::size_t axis = 0; axis < 3 && reached; ++axis) {
      if (a.halves[axis][i] != b.halves[axis][i] || !same_bits(a.reached[axis][i], b.reached[axis][i]))
        return false;
    }
    if ((a.aimless >> i & 1u) == 0 && a.packed[i] != b.packed[i]) return false;
  }
  return true;
}

// Its axes are long enough, and far enough from each other, for every way of computing to agree.
bool is_clear(const echo::pose& pose) {
  const auto [fx, fy, fz] = pose.forward;
  const auto [ux, uy, uz] = pose.up;
  const echo::vec3 cross{fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux};
  return square(cross) > 0.01f && square(pose.forward) < 10 && square(pose.up) < 10;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(lanes)

BOOST_AUTO_TEST_CASE(poses_are_measured_alike) {
  std::mt19937_64 random = test::seeded_random("poses in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  std::size_t turned = 0;
  for (int round = 0; round < 20000; ++round) {
    std::array<echo::pose, 4> poses;
    held_poses held;
    for (std::size_t i = 0; i < 4; ++i) {
      poses[i] = {numbers.vector(50), numbers.vector(1), numbers.vector(1), numbers.vector(1), 15};
      const float reach = round % 2 == 0 ? 0.2f : 0.0002f;
      held.x[i] = numbers.near(poses[i].position.x, reach);
      held.y[i] = numbers.near(poses[i].position.y, reach);
      held.z[i] = numbers.near(poses[i].position.z, reach);
      held.rotation[i] = numbers.word();
    }
    const std::array<const echo::pose*, 4> wanted{&poses[0], &poses[1], &poses[2], &poses[3]};
    const step_rounding rounding(round % 3 == 0 ? 0x1p-16f : 0x1p-13f, 0.7f);
    const pose_limits limits{1e-8f, angle_limit(0.3f).chord_square()};
    pose_steps one_by_one, four, best_four;
    portable_poses::measure(wanted, held, rounding, limits, one_by_one);
    if (round % 4 == 0) held.rotation = one_by_one.packed;  // now most are held
    portable_poses::measure(wanted, held, rounding, limits, one_by_one);
    common.measure_poses(wanted, held, rounding, limits, four);
    best.measure_poses(wanted, held, rounding, limits, best_four);
    BOOST_REQUIRE(same(one_by_one, four));
    BOOST_REQUIRE(same(one_by_one, best_four));
    turned += static_cast<std::size_t>(std::popcount(four.turned));
    for (std::size_t i = 0; i < 4; ++i) {
      if ((four.unreachable >> i & 1u) != 0) continue;
      BOOST_REQUIRE_EQUAL(four.halves[0][i], rounding.half(poses[i].position.x - held.x[i]));
      if ((four.aimless >> i & 1u) != 0 || !is_clear(poses[i])) continue;
      // The packing that the SDK has for one rotation; a code may round the other way.
      const quaternion exact =
          quaternion_from_basis({{poses[i].forward.x, poses[i].forward.y, poses[i].forward.z},
                                 {poses[i].up.x, poses[i].up.y, poses[i].up.z}});
      const quaternion got = smallest_three_unpack(four.packed[i]);
      const float cosine = exact[0] * got[0] + exact[1] * got[1] + exact[2] * got[2] + exact[3] * got[3];
      BOOST_REQUIRE(!(std::fabs(cosine) < 0.99999f));
    }
  }
  BOOST_TEST(turned > 10000u);
}

BOOST_AUTO_TEST_CASE(bones_are_measured_alike) {
  std::mt19937_64 random = test::seeded_random("bones in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  held_bones one_by_one, four, best_four;
  std::size_t turned = 0;
  for (int round = 0; round < 4000; ++round) {
    if (round % 50 == 0) {
      one_by_one.clear();
      four.clear();
      best_four.clear();
    }
    echo::bone_player wanted;
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      wanted.positions[i] = {numbers.near(four.positions[3 * i], 0.1f),
                             numbers.near(four.positions[3 * i + 1], 0.1f),
                             numbers.near(four.positions[3 * i + 2], 0.1f)};
      const float reach = round % 3 == 0 ? 1.0f : 0.01f;
      wanted.rotations[i] = {
          numbers.near(four.rotations.x[i], reach), numbers.near(four.rotations.y[i], reach),
          numbers.near(four.rotations.z[i], reach), numbers.near(four.rotations.w[i], reach)};
    }
    const step_rounding rounding(0x1p-12f, 0.9f);
    const bone_limits limits{angle_limit(0.4f).sine_square(), static_cast<unsigned>(round % 4), 0.85f};
    bone_steps a, b, c;
    portable_bones::walk(wanted, one_by_one, rounding, a);
    common.walk_bones(wanted, four, rounding, b);
    best.walk_bones(wanted, best_four, rounding, c);
    BOOST_REQUIRE(a.codes == b.codes);
    BOOST_REQUIRE(a.codes == c.codes);
    BOOST_REQUIRE(same_bits(a.reached, b.reached));
    BOOST_REQUIRE(same_bits(a.reached, c.reached));
    portable_bones::turn(wanted, one_by_one, limits, a);
    common.turn_bones(wanted, four, limits, b);
    best.turn_bones(wanted, best_four, limits, c);
    BOOST_REQUIRE(a.turned == b.turned && a.aimless == b.aimless);
    BOOST_REQUIRE(a.turned == c.turned && a.aimless == c.aimless);
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      if ((a.turned >> i & 1u) == 0) continue;
      BOOST_REQUIRE(a.packed[i] == b.packed[i] && a.packed[i] == c.packed[i]);
      ++turned;
    }
    one_by_one.positions = a.reached;
    four.positions = b.reached;
    best_four.positions = c.reached;
    BOOST_REQUIRE(same_bits(one_by_one.rotations, four.rotations));
    BOOST_REQUIRE(same_bits(one_by_one.rotations, best_four.rotations));
  }
  BOOST_TEST(turned > 10000u);
}

BOOST_AUTO_TEST_CASE(bones_are_turned_ahead_alike) {
  std::mt19937_64 random = test::seeded_random("bones ahead in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  const angle_limit angle(0.5f);
  const lead ahead(0.7f, std::sqrt(angle.chord_square()));
  held_bones one_by_one, four, best_four, plain;
  echo::bone_player before;
  std::size_t turned = 0, led = 0;
  for (int round = 0; round < 4000; ++round) {
    if (round % 50 == 0) {
      for (held_bones* held : {&one_by_one, &four, &best_four}) held->clear();
    }
    plain = one_by_one;
    echo::bone_player wanted;
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      const echo::quat& was = before.rotations[i];
      const float reach = i % 4 == 0 ? 0.01f : 0.003f;
      wanted.rotations[i] = {numbers.near(was.x, reach), numbers.near(was.y, reach),
                             numbers.near(was.z, reach), numbers.near(was.w, reach)};
      if (random() % 3 == 0) wanted.rotations[i] = {-was.x, -was.y, -was.z, -was.w};
      const echo::quat& now = wanted.rotations[i];
      if (!std::isfinite(now.x + now.y + now.z + now.w) || std::fabs(now.x) > 9) wanted.rotations[i] = {};
    }
    const bone_limits limits{angle.sine_square(), static_cast<unsigned>(round % 4), 1.0f};
    bone_steps a, b, c, without;
    portable_bones::turn_ahead(wanted, before, ahead, one_by_one, limits, a);
    common.turn_bones_ahead(wanted, before, ahead, four, limits, b);
    best.turn_bones_ahead(wanted, before, ahead, best_four, limits, c);
    common.turn_bones(wanted, plain, limits, without);
    // What must be written stays the same.
    BOOST_REQUIRE(a.turned == without.turned && a.aimless == without.aimless);
    BOOST_REQUIRE(a.turned == b.turned && a.aimless == b.aimless);
    BOOST_REQUIRE(a.turned == c.turned && a.aimless == c.aimless);
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      if ((a.turned >> i & 1u) == 0) continue;
      BOOST_REQUIRE(a.packed[i] == b.packed[i] && a.packed[i] == c.packed[i]);
      ++turned;
      if (a.packed[i] != without.packed[i]) ++led;
    }
    BOOST_REQUIRE(same_bits(one_by_one.rotations, four.rotations));
    BOOST_REQUIRE(same_bits(one_by_one.rotations, best_four.rotations));
    before = wanted;
  }
  BOOST_TEST(turned > 10000u);
  BOOST_TEST(led > 1000u);
}

BOOST_AUTO_TEST_CASE(every_code_of_a_rotation) {
  for (std::uint32_t code = 0; code < 1024; ++code) {
    const float exact = smallest_three_unpack(3u | code << 2)[0];
    const std::array<std::uint32_t, 4> codes{code, code, code, code};
    std::array<float, 4> native, portable;
    native_lanes::store(native.data(), native_lanes::rotation_components(native_lanes::load(codes.data())));
    portable_lanes::store(portable.data(),
                          portable_lanes::rotation_components(portable_lanes::load(codes.data())));
    BOOST_REQUIRE(native == portable);
    BOOST_REQUIRE_EQUAL(native[3], exact);
  }
}

BOOST_AUTO_TEST_CASE(every_half) {
  for (std::uint32_t half = 0; half < 0x7C00; ++half) {
    const float value = half_to_float(static_cast<std::uint16_t>(half));
    std::array<std::uint32_t, 4> native;
    native_lanes::store(native.data(),
                        lane_rounding<native_lanes>::halves(native_lanes::make(value, -value, value, value)));
    BOOST_REQUIRE_EQUAL(native[0], half);
    BOOST_REQUIRE_EQUAL(native[1], half | 0x8000u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::butter
