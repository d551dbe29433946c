#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "golden.hpp"
#include "random.hpp"
#include "tickreel/quantize/basis.hpp"
#include "tickreel/quantize/smallest_three.hpp"

BOOST_AUTO_TEST_SUITE(sdk_quantize_tests)
BOOST_AUTO_TEST_SUITE(rotation_test)

using namespace tickreel;

namespace {

constexpr std::uint32_t identity_word = 0x7FDFF7FF;

quaternion unit(double x, double y, double z, double w) {
  const double length = std::sqrt(x * x + y * y + z * z + w * w);
  return {static_cast<float>(x / length), static_cast<float>(y / length), static_cast<float>(z / length),
          static_cast<float>(w / length)};
}

// Distributed uniformly over all rotations.
quaternion random_rotation(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const double x = normal(random), y = normal(random), z = normal(random), w = normal(random);
  return unit(x, y, z, w);
}

// In radians, computed from the chord, which is exact for small angles.
double angle_between(const quaternion& a, const quaternion& b) {
  double apart = 0;
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    apart += std::pow(double{a[i]} - double{b[i]}, 2);
    sum += std::pow(double{a[i]} + double{b[i]}, 2);
  }
  return 4 * std::asin(std::min(1.0, std::sqrt(std::min(apart, sum)) / 2));
}

bool is_nan(const quaternion& q) {
  return std::isnan(q[0]) && std::isnan(q[1]) && std::isnan(q[2]) && std::isnan(q[3]);
}

double dot(const vector3& a, const vector3& b) {
  return double{a[0]} * double{b[0]} + double{a[1]} * double{b[1]} + double{a[2]} * double{b[2]};
}

}  // namespace

BOOST_AUTO_TEST_SUITE(smallest_three)

BOOST_AUTO_TEST_CASE(rotations_round_trip_within_the_documented_angles) {
  auto random = test::seeded_random("smallest three error bounds");
  for (int round = 0; round < 100000; ++round) {
    const quaternion q = random_rotation(random);
    BOOST_REQUIRE_LE(angle_between(q, smallest_three_unpack(smallest_three_pack_nearest(q))),
                     smallest_three_nearest_max_angle);
  }
}

BOOST_AUTO_TEST_CASE(components_have_an_error_of_half_a_step) {
  auto random = test::seeded_random("smallest three components");
  for (int round = 0; round < 50000; ++round) {
    const quaternion q = random_rotation(random);
    const std::uint32_t word = smallest_three_pack_nearest(q);
    const quaternion back = smallest_three_unpack(word);
    const std::size_t left_out = word & 3u;
    const float sign = q[left_out] < 0 ? -1.0f : 1.0f;
    for (std::size_t i = 0; i < 4; ++i) {
      BOOST_REQUIRE_LE(std::fabs(q[i]), std::fabs(q[left_out]));
      if (i != left_out)
        BOOST_REQUIRE_SMALL(double{back[i]} - double{q[i] * sign}, smallest_three_step * 0.505);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_worst_rotations_are_within_the_bounds_too) {
  // With all components near 1/2, the omitted component accumulates the largest error.
  auto random = test::seeded_random("smallest three worst case");
  std::uniform_real_distribution<double> near_half(0.497, 0.503);
  for (int round = 0; round < 50000; ++round) {
    const auto component = [&] { return (random() & 1) != 0 ? near_half(random) : -near_half(random); };
    const double x = component(), y = component(), z = component(), w = component();
    const quaternion q = unit(x, y, z, w);
    BOOST_REQUIRE_LE(angle_between(q, smallest_three_unpack(smallest_three_pack_nearest(q))),
                     smallest_three_nearest_max_angle);
  }
}

BOOST_AUTO_TEST_CASE(repacking_changes_nothing) {
  // Therefore repeated reading and writing does not move a rotation.
  auto random = test::seeded_random("smallest three idempotence");
  for (int round = 0; round < 50000; ++round) {
    const quaternion once = smallest_three_unpack(smallest_three_pack_nearest(random_rotation(random)));
    const quaternion twice = smallest_three_unpack(smallest_three_pack_nearest(once));
    // Equal, except if two components tie for the largest: then they may be exchanged.
    BOOST_REQUIRE_LE(angle_between(once, twice), smallest_three_nearest_max_angle);
    const quaternion thrice = smallest_three_unpack(smallest_three_pack_nearest(twice));
    BOOST_REQUIRE_LE(angle_between(once, thrice), smallest_three_nearest_max_angle);
  }
}

BOOST_AUTO_TEST_CASE(a_quaternion_and_its_negative_are_one_rotation) {
  auto random = test::seeded_random("smallest three sign");
  for (int round = 0; round < 1000; ++round) {
    const quaternion q = random_rotation(random);
    const quaternion negative{-q[0], -q[1], -q[2], -q[3]};
    BOOST_REQUIRE_EQUAL(smallest_three_pack_nearest(q), smallest_three_pack_nearest(negative));
  }
}

BOOST_AUTO_TEST_CASE(length_does_not_matter_to_nearest) {
  auto random = test::seeded_random("smallest three length");
  for (int round = 0; round < 20000; ++round) {
    const quaternion q = random_rotation(random);
    for (const float length : {1e-18f, 0.01f, 0.9999f, 1.5f, 100.0f, 1e18f}) {
      const quaternion scaled{q[0] * length, q[1] * length, q[2] * length, q[3] * length};
      BOOST_REQUIRE_LE(angle_between(q, smallest_three_unpack(smallest_three_pack_nearest(scaled))),
                       smallest_three_nearest_max_angle);
    }
  }
}

BOOST_AUTO_TEST_CASE(values_without_direction_become_the_identity) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const quaternion without[] = {
      {0, 0, 0, 0},        {nan, nan, nan, nan},        {nan, 0, 0, 1},          {0, 0, 0, nan},
      {infinity, 0, 0, 0}, {0, -infinity, infinity, 0}, {infinity, nan, 0.5f, 0}};
  for (const quaternion& q : without) BOOST_TEST(smallest_three_pack_nearest(q) == identity_word);
}

BOOST_AUTO_TEST_CASE(every_word_can_be_unpacked) {
  auto random = test::seeded_random("smallest three any word");
  for (int round = 0; round < 20000; ++round) {
    const auto word = static_cast<std::uint32_t>(random());
    const quaternion q = smallest_three_unpack(word);
    for (std::size_t i = 0; i < 4; ++i) {
      if (i != (word & 3u)) BOOST_REQUIRE_LE(std::fabs(q[i]), 0.7072f);
    }
  }
  // Three components of 0.7071 are already longer than a unit quaternion.
  BOOST_TEST(std::isnan(smallest_three_unpack(0xFFFFFFFFu)[3]));
}

BOOST_AUTO_TEST_CASE(golden_values) {
  for (const auto& row : test::golden_rows("s3")) {
    BOOST_TEST_CONTEXT(row[4]) {
      const quaternion q{test::hex_float(row[0]), test::hex_float(row[1]), test::hex_float(row[2]),
                         test::hex_float(row[3])};
      const std::uint32_t word = test::hex(row[4]);
      const quaternion back = smallest_three_unpack(word);
      for (std::size_t i = 0; i < 4; ++i) {
        BOOST_TEST(std::bit_cast<std::uint32_t>(back[i]) == test::hex(row[5 + i]));
      }
      BOOST_TEST(angle_between(q, smallest_three_unpack(smallest_three_pack_nearest(q))) <=
                 smallest_three_nearest_max_angle);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bases)

BOOST_AUTO_TEST_CASE(axes_of_known_rotations) {
  const quaternion q = quaternion_from_basis({{0, 0, 1}, {0, 1, 0}});
  BOOST_TEST((q == quaternion{0, 0, 0, 1}));
  const basis back = basis_from_quaternion(q);
  BOOST_TEST((back.forward == vector3{0, 0, 1}));
  BOOST_TEST((back.up == vector3{0, 1, 0}));
  BOOST_TEST((left_of(back) == vector3{1, 0, 0}));
}

BOOST_AUTO_TEST_CASE(half_turns_use_each_of_the_four_branches) {
  // The trace is not positive here, so each of the other three components is the largest once.
  const basis turned[] = {{{0, 0, -1}, {0, -1, 0}}, {{0, 0, -1}, {0, 1, 0}}, {{0, 0, 1}, {0, -1, 0}}};
  const quaternion expected[] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(angle_between(quaternion_from_basis(turned[i]), expected[i]) < 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(a_rotation_round_trips_through_its_basis) {
  auto random = test::seeded_random("basis round trip");
  std::uniform_real_distribution<float> length(0.5f, 2.0f);
  for (int round = 0; round < 50000; ++round) {
    const quaternion q = random_rotation(random);
    basis axes = basis_from_quaternion(q);
    BOOST_REQUIRE_SMALL(dot(axes.forward, axes.up), 1e-6);
    BOOST_REQUIRE_CLOSE(dot(left_of(axes), left_of(axes)), 1.0, 1e-3);
    BOOST_REQUIRE_LT(angle_between(q, quaternion_from_basis(axes)), 5e-6);
    // The lengths of the axes have no effect.
    for (float& component : axes.forward) component *= 3.0f;
    const float factor = length(random);
    for (float& component : axes.up) component *= factor;
    BOOST_REQUIRE_LT(angle_between(q, quaternion_from_basis(axes)), 5e-6);
  }
}

BOOST_AUTO_TEST_CASE(forward_is_kept_and_up_is_adjusted) {
  const quaternion q = quaternion_from_basis({{0, 0, 2}, {0, 1, 5}});
  BOOST_TEST(angle_between(q, {0, 0, 0, 1}) < 1e-6);
}

BOOST_AUTO_TEST_CASE(invalid_directions_give_no_rotation) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const basis without[] = {
      {{0, 0, 0}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 0}}, {{nan, 0, 1}, {0, 1, 0}}, {{0, 0, 1}, {0, 0, 1}}};
  for (const basis& each : without) {
    const quaternion q = quaternion_from_basis(each);
    BOOST_TEST(is_nan(q));
    BOOST_TEST(smallest_three_pack_nearest(q) == identity_word);
  }
}

BOOST_AUTO_TEST_CASE(golden_values) {
  const auto vector_at = [](const test::golden_row& row, std::size_t at) {
    return vector3{test::hex_float(row[at]), test::hex_float(row[at + 1]), test::hex_float(row[at + 2])};
  };
  for (const auto& row : test::golden_rows("look")) {
    BOOST_TEST_CONTEXT(row[0] << ' ' << row[1] << ' ' << row[2]) {
      const quaternion expected{test::hex_float(row[6]), test::hex_float(row[7]), test::hex_float(row[8]),
                                test::hex_float(row[9])};
      BOOST_TEST((quaternion_from_basis({vector_at(row, 0), vector_at(row, 3)}) == expected));
      const basis back = basis_from_quaternion(expected);
      BOOST_TEST((back.forward == vector_at(row, 10)));
      BOOST_TEST((left_of(back) == vector_at(row, 13)));
      BOOST_TEST((back.up == vector_at(row, 16)));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
