// Headings, angles and quaternions.
#include <boost/test/unit_test.hpp>

#include "blocks.hpp"
#include "random.hpp"
#include "tickreel/samp_rec/legacy.hpp"

BOOST_AUTO_TEST_SUITE(encoders_samp_rec_tests)
BOOST_AUTO_TEST_SUITE(motion_test)

using namespace tickreel;
using namespace tickreel::samp_rec;
using namespace tickreel::samp_rec::test;

namespace {

double away(vector3 v, double x, double y, double z) {
  return distance(v, {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)});
}

double uniform(std::mt19937_64& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

quaternion random_rotation(std::mt19937_64& random) {
  return from_angles({uniform(random, -89, 89), uniform(random, -179, 179), uniform(random, 0, 360)});
}

}  // namespace

BOOST_AUTO_TEST_CASE(headings_match_the_compass) {
  // Counter-clockwise from north: 90 is west.
  BOOST_TEST(away(forward_of(from_heading_degrees(0)), 0, 1, 0) < 1e-6);
  BOOST_TEST(away(forward_of(from_heading_degrees(90)), -1, 0, 0) < 1e-6);
  BOOST_TEST(away(forward_of(from_heading_degrees(180)), 0, -1, 0) < 1e-6);
  BOOST_TEST(away(forward_of(from_heading_degrees(270)), 1, 0, 0) < 1e-6);
  BOOST_TEST(away(right_of(from_heading_degrees(0)), 1, 0, 0) < 1e-6);
  BOOST_TEST(away(right_of(from_heading_degrees(90)), 0, 1, 0) < 1e-6);
  BOOST_TEST(away(up_of(from_heading_degrees(123)), 0, 0, 1) < 1e-6);
  // The conjugate of the usual quaternion.
  BOOST_TEST(from_heading_degrees(90).z < 0);
  BOOST_TEST(heading_of_way_degrees(0, 5) == 0);
  BOOST_TEST(heading_of_way_degrees(-5, 0) == 90);
  BOOST_TEST(heading_of_way_degrees(0, 0) == 0);
}

BOOST_AUTO_TEST_CASE(pitch_is_nose_up_and_roll_to_the_right) {
  BOOST_TEST(forward_of(from_angles({30, 0, 77})).z > 0.49f);
  const vector3 up = up_of(from_angles({0, 30, 0}));
  BOOST_TEST(up.x > 0.49f);
  BOOST_TEST(away(forward_of(from_angles({0, 30, 0})), 0, 1, 0) < 1e-6);
}

BOOST_AUTO_TEST_CASE(writers_emit_a_positive_w_and_no_minus_zero) {
  for (int degrees = -720; degrees <= 720; ++degrees) {
    const quaternion q = from_heading_degrees(degrees);
    BOOST_REQUIRE(q.w >= 0);
    for (const float part : {q.w, q.x, q.y, q.z}) BOOST_REQUIRE(!(part == 0 && std::signbit(part)));
  }
}

BOOST_AUTO_TEST_CASE(angles_round_trip) {
  auto random = tickreel::test::seeded_random("angles_round_trip");
  for (int i = 0; i < 20000; ++i) {
    const angles_degrees in{uniform(random, -89.5, 89.5), uniform(random, -179.9, 179.9),
                            uniform(random, 0, 360)};
    const quaternion q = from_angles(in);
    BOOST_REQUIRE(std::abs(length(q) - 1) < 1e-6);
    BOOST_REQUIRE(q.w >= 0);
    const angles_degrees out = to_angles(q);
    // Near the poles, the last bit of the quaternion changes roll and heading by a large angle.
    const double tolerance = 5e-5 / std::cos(in.pitch * std::numbers::pi / 180);
    BOOST_REQUIRE(std::abs(out.pitch - in.pitch) < tolerance);
    BOOST_REQUIRE(std::abs(turn_degrees(in.roll, out.roll)) < tolerance);
    BOOST_REQUIRE(std::abs(turn_degrees(in.heading, out.heading)) < tolerance);
    const quaternion negative{-q.w, -q.x, -q.y, -q.z};
    BOOST_REQUIRE(std::abs(turn_degrees(to_angles(negative).heading, out.heading)) < 1e-9);
  }
}

BOOST_AUTO_TEST_CASE(vertical_angles_are_handled) {
  for (const double pitch : {90.0, -90.0}) {
    for (int heading = 0; heading < 360; heading += 15) {
      const quaternion q = from_angles({pitch, 0, static_cast<double>(heading)});
      BOOST_TEST(angle_between_degrees(q, from_angles(to_angles(q))) < 0.2);
    }
  }
}

BOOST_AUTO_TEST_CASE(turns_about_the_worlds_axis_compose) {
  auto random = tickreel::test::seeded_random("turns_compose");
  for (int i = 0; i < 5000; ++i) {
    const quaternion q = random_rotation(random);
    const double turn = uniform(random, -360, 360);
    const vector3 direct = rotated_about_z(forward_of(q), turn);
    const vector3 composed = forward_of(q * from_heading_degrees(turn));
    BOOST_REQUIRE(distance(direct, composed) < 2e-6);
  }
}

BOOST_AUTO_TEST_CASE(axes_give_back_their_rotation) {
  auto random = tickreel::test::seeded_random("axes");
  for (int i = 0; i < 5000; ++i) {
    const quaternion q = random_rotation(random);
    const quaternion again = from_axes(right_of(q), forward_of(q));
    BOOST_REQUIRE(angle_between_degrees(q, again) < 1e-3);
    BOOST_REQUIRE(std::abs(length(again) - 1) < 1e-6);
  }
  // Half turns, where the real part is 0.
  for (const quaternion q : {quaternion{0, 1, 0, 0}, quaternion{0, 0, 1, 0}, quaternion{0, 0, 0, 1}}) {
    BOOST_TEST(angle_between_degrees(q, from_axes(right_of(q), forward_of(q))) < 1e-3);
  }
}

BOOST_AUTO_TEST_CASE(interpolation_of_rotations) {
  auto random = tickreel::test::seeded_random("slerp");
  for (int i = 0; i < 5000; ++i) {
    const quaternion a = random_rotation(random), b = random_rotation(random);
    const double whole = angle_between_degrees(a, b), t = uniform(random, 0, 1);
    const quaternion between = slerp(a, b, t);
    BOOST_REQUIRE(std::abs(angle_between_degrees(a, between) - whole * t) < 2e-3);
    BOOST_REQUIRE(std::abs(angle_between_degrees(between, b) - whole * (1 - t)) < 2e-3);
  }
  const quaternion q = from_heading_degrees(10);
  BOOST_TEST(angle_between_degrees(slerp(q, {-q.w, -q.x, -q.y, -q.z}, 0.5), q) < 1e-3);
}

BOOST_AUTO_TEST_CASE(degrees_wrap_around) {
  BOOST_TEST(wrap_360_degrees(-1e-300) == 0);
  BOOST_TEST(wrap_360_degrees(360) == 0);
  BOOST_TEST(wrap_360_degrees(-90) == 270);
  BOOST_TEST(turn_degrees(350, 10) == 20);
  BOOST_TEST(turn_degrees(10, 350) == -20);
  BOOST_TEST(turn_degrees(0, 180) == 180);
  BOOST_TEST(turn_degrees(180, 0) == 180);
}

BOOST_AUTO_TEST_CASE(speeds) {
  BOOST_TEST(std::abs(speed_m_per_s({0.031f, 0, 0}) - 1.55) < 1e-6);
  BOOST_TEST((velocity_from_m_per_s(10, -5, 50) == vector3{0.2f, -0.1f, 1}));
}

BOOST_AUTO_TEST_CASE(old_blocks_convert_to_current_ones) {
  legacy_on_foot_block walk;
  walk.time_ms = 7;
  walk.heading_degrees = 97.5f;
  walk.position_m = {1, 2, 3};
  walk.surf_id = 9;
  const on_foot_block today = modernised(walk);
  BOOST_TEST(std::abs(heading_degrees(today.rotation) - 97.5) < 1e-4);
  BOOST_TEST(today.time_ms == 7u);
  BOOST_TEST((today.position_m == walk.position_m));
  BOOST_TEST(today.surf_id == 9u);
  BOOST_TEST(today.animation_id == 0u);

  legacy_vehicle_block drive;
  const quaternion pose = from_angles({10, -20, 200});
  drive.right = right_of(pose);
  drive.forward = forward_of(pose);
  drive.special = 77;
  drive.landing_gear = 1;
  const vehicle_block driven = modernised(drive);
  BOOST_TEST(angle_between_degrees(driven.rotation, pose) < 1e-3);
  BOOST_TEST(driven.special == 77u);
  BOOST_TEST(int{driven.landing_gear} == 1);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
