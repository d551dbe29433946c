// Vectorised computation gives the same bits on every code path, and the same as one number at a time.
#include <boost/test/unit_test.hpp>
#include <cstring>

#include "bone_group.hpp"
#include "lane_kernels.hpp"
#include "pose_group.hpp"
#include "random.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/quantize/basis.hpp"
#include "tickreel/quantize/half.hpp"

namespace tickreel::butter {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(lanes_test)

namespace {

using portable_poses = pose_group<portable_lanes>;
using portable_bones = bone_group<portable_lanes>;

// Mostly values of matches; occasionally values that no game should send.
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
    // Positions out of range and invalid rotations are never read.
    if ((a.unreachable >> i & 1u) == 0) {
      if (a.xy_half[i] != b.xy_half[i] || a.z_half[i] != b.z_half[i]) return false;
      const float places_a[3] = {a.reached.x[i], a.reached.y[i], a.reached.z[i]};
      const float places_b[3] = {b.reached.x[i], b.reached.y[i], b.reached.z[i]};
      if (!same_bits(places_a, places_b)) return false;
    }
    if ((a.aimless >> i & 1u) == 0 && a.reached.rotation[i] != b.reached.rotation[i]) return false;
  }
  return true;
}

bool same(const bone_steps& a, const bone_steps& b) {
  if (a.moved != b.moved || a.turned != b.turned || a.aimless != b.aimless) return false;
  if (a.longer != b.longer || a.x != b.x || a.y != b.y || a.z != b.z) return false;
  for (std::size_t i = 0; i < echo::bone_count; ++i) {
    if ((a.longer >> i & 1u) == 0 && a.triples[i] != b.triples[i]) return false;
    if ((a.turned >> i & 1u) != 0 && a.packed[i] != b.packed[i]) return false;
  }
  return true;
}

// Its axes are long enough and differ enough for every code path to agree.
bool is_clear(const echo::pose& pose) {
  const auto [fx, fy, fz] = pose.forward;
  const auto [ux, uy, uz] = pose.up;
  const echo::vec3 cross{fy * uz - fz * uy, fz * ux - fx * uz, fx * uy - fy * ux};
  return square(cross) > 0.01f && square(pose.forward) < 10 && square(pose.up) < 10;
}

}  // namespace

// Five players, so that the last one has no partner in a vector.
struct measured_players {
  static constexpr std::size_t count = 5;
  std::array<std::array<echo::pose, 4>, count> poses;
  std::array<held_poses, count> held;
  std::array<pose_axes, count> before;

  template <class Measure>
  std::array<pose_steps, count> with(const Measure& measure, std::array<pose_axes, count>& now) const {
    std::array<pose_task, count> tasks;
    for (std::size_t i = 0; i < count; ++i) {
      tasks[i] = {{&poses[i][0], &poses[i][1], &poses[i][2], &poses[i][3]}, &held[i], &before[i], &now[i]};
    }
    std::array<pose_steps, count> steps;
    measure(std::span<const pose_task>(tasks), steps.data());
    return steps;
  }
};

BOOST_AUTO_TEST_CASE(poses_are_quantised_equally) {
  std::mt19937_64 random = test::seeded_random("poses in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  measured_players players{};
  std::size_t turned = 0;
  for (int round = 0; round < 4000; ++round) {
    for (std::size_t player = 0; player < players.count; ++player) {
      for (std::size_t i = 0; i < 4; ++i) {
        echo::pose& pose = players.poses[player][i];
        held_poses& held = players.held[player];
        pose = {numbers.vector(50), numbers.vector(1), numbers.vector(1), numbers.vector(1), 15};
        const float reach = round % 2 == 0 ? 0.2f : 0.0002f;
        held.x[i] = numbers.near(pose.position.x, reach);
        held.y[i] = numbers.near(pose.position.y, reach);
        held.z[i] = numbers.near(pose.position.z, reach);
        held.rotation[i] = numbers.word();
      }
    }
    const pose_limits limits{step_rounding(round % 3 == 0 ? 0x1p-16f : 0x1p-13f, 0.7f), 1e-8f,
                             angle_limit(0.3f).chord_square()};
    const auto with = [&](const auto& measure) {
      std::array<pose_axes, measured_players::count> unread;
      return players.with([&](auto tasks, pose_steps* out) { measure(tasks, limits, out); }, unread);
    };
    if (round % 4 == 0) {
      // Now most values are unchanged.
      const auto steps = with(portable_poses::measure);
      for (std::size_t i = 0; i < steps.size(); ++i) players.held[i].rotation = steps[i].reached.rotation;
    }
    const auto one_by_one = with(portable_poses::measure);
    const auto four = with(common.measure_poses);
    const auto best_steps = with(best.measure_poses);
    for (std::size_t player = 0; player < players.count; ++player) {
      const pose_steps& steps = four[player];
      BOOST_REQUIRE(same(one_by_one[player], steps));
      BOOST_REQUIRE(same(one_by_one[player], best_steps[player]));
      turned += static_cast<std::size_t>(std::popcount(steps.turned));
      for (std::size_t i = 0; i < 4; ++i) {
        if ((steps.unreachable >> i & 1u) != 0) continue;
        const echo::pose& pose = players.poses[player][i];
        BOOST_REQUIRE_EQUAL(steps.xy_half[i] & 0xFFFFu,
                            limits.rounding.half(pose.position.x - players.held[player].x[i]));
        if ((steps.aimless >> i & 1u) != 0 || !is_clear(pose)) continue;
        // The SDK's packing of a single rotation; a code may be rounded the other way.
        const quaternion exact = quaternion_from_basis(
            {{pose.forward.x, pose.forward.y, pose.forward.z}, {pose.up.x, pose.up.y, pose.up.z}});
        const quaternion got = smallest_three_unpack(steps.reached.rotation[i]);
        const float cosine = exact[0] * got[0] + exact[1] * got[1] + exact[2] * got[2] + exact[3] * got[3];
        BOOST_REQUIRE(!(std::fabs(cosine) < 0.99999f));
      }
    }
  }
  BOOST_TEST(turned > 10000u);
}

BOOST_AUTO_TEST_CASE(poses_are_quantised_equally_in_advance) {
  std::mt19937_64 random = test::seeded_random("poses ahead in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  const angle_limit angle(0.5f);
  const pose_limits limits{step_rounding(0x1p-10f, 1.0f), 4e-6f, angle.chord_square()};
  const lead ahead(0.7f, std::sqrt(angle.sine_square() * (8 * 2.0f / 3)));
  measured_players players{};
  std::size_t turned = 0, led = 0;
  for (int round = 0; round < 4000; ++round) {
    for (std::size_t player = 0; player < players.count; ++player) {
      const pose_axes& before = players.before[player];
      for (std::size_t i = 0; i < 4; ++i) {
        const float reach = i % 2 == 0 ? 0.02f : 0.002f;
        const auto next = [&](const pose_axes::vectors& was) -> echo::vec3 {
          const bool usual = std::fabs(was.x[i]) + std::fabs(was.y[i]) + std::fabs(was.z[i]) < 3;
          if (!usual || round % 50 == 0) return numbers.vector(1);
          return {numbers.near(was.x[i], reach), numbers.near(was.y[i], reach),
                  numbers.near(was.z[i], reach)};
        };
        players.poses[player][i] = {numbers.vector(50), next(before.forward), {}, next(before.up), 15};
      }
    }
    const auto measure_with = [&](const auto& measure, std::array<pose_axes, measured_players::count>& now) {
      return players.with([&](auto tasks, pose_steps* out) { measure(tasks, ahead, limits, out); }, now);
    };
    std::array<pose_axes, measured_players::count> one_now, four_now, best_now;
    const auto one_by_one = measure_with(portable_poses::measure_ahead, one_now);
    const auto four = measure_with(common.measure_poses_ahead, four_now);
    const auto best_steps = measure_with(best.measure_poses_ahead, best_now);
    const auto without = players.with(
        [&](auto tasks, pose_steps* out) { common.measure_poses(tasks, limits, out); }, four_now);
    BOOST_REQUIRE(same_bits(one_now, four_now));
    BOOST_REQUIRE(same_bits(one_now, best_now));
    for (std::size_t player = 0; player < players.count; ++player) {
      BOOST_REQUIRE(same(one_by_one[player], four[player]));
      BOOST_REQUIRE(same(one_by_one[player], best_steps[player]));
      // Every value that must be written is written. Other written values are exactly on a code.
      const unsigned kept = one_by_one[player].turned & ~without[player].turned;
      BOOST_REQUIRE((without[player].turned & ~one_by_one[player].turned) == 0);
      BOOST_REQUIRE((without[player].moved & ~one_by_one[player].moved) == 0);
      for (std::size_t i = 0; i < 4; ++i) {
        if ((kept >> i & 1u) == 0) continue;
        BOOST_REQUIRE_EQUAL(one_by_one[player].reached.rotation[i], without[player].reached.rotation[i]);
      }
      for (std::size_t i = 0; i < 4; ++i) {
        BOOST_REQUIRE(same_bits(four_now[player].up.y[i], players.poses[player][i].up.y));
        if ((four[player].turned >> i & 1u) == 0) continue;
        ++turned;
        const std::uint32_t packed = four[player].reached.rotation[i];
        if (packed != without[player].reached.rotation[i]) ++led;
        players.held[player].rotation[i] = packed;
      }
    }
    players.before = four_now;
  }
  BOOST_TEST(turned > 10000u);
  BOOST_TEST(led > 1000u);
}

BOOST_AUTO_TEST_CASE(bones_are_stepped_equally) {
  std::mt19937_64 random = test::seeded_random("bones in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  held_bones one_by_one, four, best_held;
  std::size_t moved = 0, turned = 0, longer = 0;
  for (int round = 0; round < 4000; ++round) {
    if (round % 50 == 0) {
      for (held_bones* held : {&one_by_one, &four, &best_held}) held->clear();
    }
    const held_bones before = four;
    echo::bone_player wanted;
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      const auto& [x, y, z] = before.positions;
      const float way = round % 5 == 0 ? 0.1f : 0.001f;
      wanted.positions[i] = {numbers.near(x[i], way), numbers.near(y[i], way), numbers.near(z[i], way)};
      const auto& [qx, qy, qz, qw] = before.rotations;
      const float reach = round % 3 == 0 ? 1.0f : 0.01f;
      wanted.rotations[i] = {numbers.near(qx[i], reach), numbers.near(qy[i], reach),
                             numbers.near(qz[i], reach), numbers.near(qw[i], reach)};
    }
    const bone_limits limits{step_rounding(0x1p-12f, 0.9f), 2.5e-7f, angle_limit(0.4f).sine_square(),
                             static_cast<unsigned>(round % 4), 0.85f};
    bone_steps a, b, c;
    portable_bones::step(wanted, one_by_one, limits, a);
    common.step_bones(wanted, four, limits, b);
    best.step_bones(wanted, best_held, limits, c);
    BOOST_REQUIRE(same(a, b));
    BOOST_REQUIRE(same(a, c));
    BOOST_REQUIRE(same_bits(one_by_one, four));
    BOOST_REQUIRE(same_bits(one_by_one, best_held));
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      moved += a.moved >> i & 1u;
      longer += a.longer >> i & 1u;
      turned += a.turned >> i & 1u;
      // The written values, and the state that results from them.
      const float held[3] = {before.positions.x[i], before.positions.y[i], before.positions.z[i]};
      const float now[3] = {four.positions.x[i], four.positions.y[i], four.positions.z[i]};
      const std::uint32_t words[3] = {a.x[i], a.y[i], a.z[i]};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto code = static_cast<std::int32_t>(words[axis] >> 1 ^ (0u - (words[axis] & 1u)));
        const float step = (a.moved >> i & 1u) != 0 ? static_cast<float>(code) * 0x1p-12f : 0.0f;
        BOOST_REQUIRE_EQUAL(now[axis], held[axis] + step);
        BOOST_REQUIRE(prefix_varint_size(words[axis]) == 1 || (a.longer >> i & 1u) != 0);
        if ((a.longer >> i & 1u) != 0) continue;
        BOOST_REQUIRE_EQUAL(a.triples[i] >> (8 * axis) & 0xFFu, words[axis]);
      }
    }
  }
  BOOST_TEST(moved > 10000u);
  BOOST_TEST(turned > 10000u);
  BOOST_TEST(longer > 1000u);
  BOOST_TEST(longer < 50000u);
}

BOOST_AUTO_TEST_CASE(bones_are_stepped_equally_in_advance) {
  std::mt19937_64 random = test::seeded_random("bones ahead in lanes");
  number_source numbers(random);
  const lane_kernels common = common_lane_kernels();
  const lane_kernels best = best_lane_kernels();
  const angle_limit angle(0.5f);
  const bone_leads leads{lead(0.7f, 0.002f), lead(0.7f, std::sqrt(angle.chord_square()))};
  held_bones one_by_one, four, best_held, plain;
  echo::bone_player before;
  std::size_t moved = 0, turned = 0, moved_ahead = 0, turned_ahead = 0;
  for (int round = 0; round < 4000; ++round) {
    if (round % 50 == 0) {
      for (held_bones* held : {&one_by_one, &four, &best_held}) held->clear();
    }
    plain = one_by_one;
    echo::bone_player wanted;
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      const echo::vec3& place = before.positions[i];
      wanted.positions[i] = {numbers.near(place.x, 0.002f), numbers.near(place.y, 0.002f),
                             numbers.near(place.z, 0.002f)};
      const float sum = wanted.positions[i].x + wanted.positions[i].y + wanted.positions[i].z;
      if (!std::isfinite(sum) || std::fabs(sum) > 5) wanted.positions[i] = {};
      const echo::quat& was = before.rotations[i];
      const float reach = i % 4 == 0 ? 0.01f : 0.003f;
      wanted.rotations[i] = {numbers.near(was.x, reach), numbers.near(was.y, reach),
                             numbers.near(was.z, reach), numbers.near(was.w, reach)};
      if (random() % 3 == 0) wanted.rotations[i] = {-was.x, -was.y, -was.z, -was.w};
      const echo::quat& now = wanted.rotations[i];
      if (!std::isfinite(now.x + now.y + now.z + now.w) || std::fabs(now.x) > 9) wanted.rotations[i] = {};
    }
    const bone_limits limits{step_rounding(0x1p-12f, 1.0f), 4e-6f, angle.sine_square(),
                             static_cast<unsigned>(round % 4), 1.0f};
    bone_steps a, b, c, without;
    portable_bones::step_ahead(wanted, before, leads, one_by_one, limits, a);
    common.step_bones_ahead(wanted, before, leads, four, limits, b);
    best.step_bones_ahead(wanted, before, leads, best_held, limits, c);
    common.step_bones(wanted, plain, limits, without);
    // Every value that must be written is written. Other written values are exactly on a code.
    BOOST_REQUIRE((without.turned & ~a.turned) == 0 && a.aimless == without.aimless);
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      if (((a.turned & ~without.turned) >> i & 1u) == 0) continue;
      const held_bones::rotations_by_component& has = one_by_one.rotations;
      const echo::quat& now = wanted.rotations[i];
      const double cosine = double{has.x[i]} * now.x + double{has.y[i]} * now.y + double{has.z[i]} * now.z +
                            double{has.w[i]} * now.w;
      const double squares =
          (double{now.x} * now.x + double{now.y} * now.y + double{now.z} * now.z + double{now.w} * now.w) *
          (double{has.x[i]} * has.x[i] + double{has.y[i]} * has.y[i] + double{has.z[i]} * has.z[i] +
           double{has.w[i]} * has.w[i]);
      BOOST_REQUIRE(cosine * cosine > squares * (1 - 1e-8));
    }
    BOOST_REQUIRE(same(a, b));
    BOOST_REQUIRE(same(a, c));
    BOOST_REQUIRE(same_bits(one_by_one, four));
    BOOST_REQUIRE(same_bits(one_by_one, best_held));
    for (std::size_t i = 0; i < echo::bone_count; ++i) {
      if ((a.turned >> i & 1u) != 0) {
        ++turned;
        if ((without.turned >> i & 1u) != 0 && a.packed[i] != without.packed[i]) ++turned_ahead;
      }
      if ((a.moved >> i & 1u) != 0) {
        ++moved;
        if (a.x[i] != without.x[i] || a.y[i] != without.y[i] || a.z[i] != without.z[i]) ++moved_ahead;
      }
    }
    before = wanted;
  }
  BOOST_TEST(turned > 10000u);
  BOOST_TEST(turned_ahead > 1000u);
  BOOST_TEST(moved > 10000u);
  BOOST_TEST(moved_ahead > 1000u);
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
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::butter
