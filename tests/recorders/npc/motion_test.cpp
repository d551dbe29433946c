// Paths, speeds and playback, on many random paths.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <iostream>

#include "random.hpp"
#include "support.hpp"
#include "tickreel/npc/playback.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(motion_test)

namespace {

using namespace tickreel;
using namespace tickreel::npc;
using tickreel::test::blocks_of;

double uniform(std::mt19937_64& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}

std::vector<vec3> random_points(std::mt19937_64& random, int count, double reach_m) {
  std::vector<vec3> points;
  vec3 at;
  double heading = uniform(random, -180, 180);
  for (int i = 0; i < count; ++i) {
    heading += uniform(random, -100, 100);
    at = at + direction_of(heading) * uniform(random, reach_m / 6, reach_m) +
         vec3{0, 0, uniform(random, -1, 1)};
    points.push_back(at);
  }
  return points;
}

path random_path(std::mt19937_64& random) {
  path way;
  way.start_at({0, 0, 0});
  const auto points = random_points(random, 6, 60);
  switch (random() % 4) {
    case 0:
      way.add_legs(points, 8);
      break;
    case 1:
      way.add_through(points);
      break;
    case 2:
      way.add_loop_through(points);
      break;
    default:
      way.add(cubic::bezier({0, 0, 0}, points[0], points[1], points[2]));
      way.add_arc(way.end() + direction_of(uniform(random, -180, 180)) * 20, uniform(random, -300, 300), 4);
  }
  return way;
}

plan random_drive(std::mt19937_64& random, body kind) {
  plan part({.name = "someone", .kind = kind, .at = vec3{0, 0, 0}});
  part.limits.speed_mps = kind == body::on_foot ? uniform(random, 1, 6) : uniform(random, 5, 30);
  for (int i = 0; i < 3; ++i) {
    auto points = random_points(random, 4, kind == body::on_foot ? 15 : 80);
    for (vec3& each : points) each = each + *part.position();
    BOOST_REQUIRE((random() % 2 == 0 ? part.legs(points) : part.curve(points)));
    if (random() % 2 == 0) BOOST_REQUIRE(part.wait(uniform(random, 0.1, 3)));
  }
  BOOST_REQUIRE(part.close());
  return part;
}

timeline timed(plan& part) {
  plan* parts[] = {&part};
  auto lines = schedule(parts);
  BOOST_REQUIRE(lines);
  return (*lines)[0];
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_steps_of_arc_length_are_equal_steps_in_space) {
  auto random = test::seeded_random("arc length");
  for (int round = 0; round < 200; ++round) {
    const path way = random_path(random);
    path_cursor cursor(way);
    const int steps = std::max(50, static_cast<int>(way.length() / 0.02));
    const double step = way.length() / steps;
    double sum = 0;
    vec3 before = way.start();
    for (int i = 1; i <= steps; ++i) {
      const path_point here = cursor.at(step * i);
      const double moved = distance(before, here.position);
      sum += moved;
      // Along the path the position is correct to two centimetres, without a jump, even where random curves almost stop in their
      // parameter.
      BOOST_REQUIRE_SMALL(sum - step * i, 0.02 + 1e-4 * way.length());
      BOOST_REQUIRE_LE(moved, step * 1.25 + 1e-9);
      BOOST_REQUIRE_SMALL(length(here.tangent) - 1, 1e-9);
      before = here.position;
    }
    BOOST_CHECK_CLOSE(sum, way.length(), 0.1);
    BOOST_CHECK_SMALL(distance(before, way.end()), 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(arcs_are_round_and_tangent_to_their_legs) {
  path way;
  way.start_at({500, 0, 1});
  way.add_arc({0, 0, 0}, 360, 0);
  path_cursor cursor(way);
  for (double s = 0; s <= way.length(); s += 1) {
    BOOST_REQUIRE_SMALL(horizontal_length(cursor.at(s).position) - 500, 0.001);
  }
  BOOST_CHECK_CLOSE(way.length(), 2 * std::numbers::pi * 500, 1e-3);
  path legs;
  const vec3 corner[] = {{0, 50, 0}, {50, 50, 0}};
  legs.add_legs(corner, 10);
  // Two legs of 40 m and a quarter of a circle of 10 m.
  BOOST_CHECK_CLOSE(legs.length(), 80 + 5 * std::numbers::pi, 1e-3);
  for (std::size_t piece = 1; piece < legs.pieces().size(); ++piece)
    BOOST_CHECK_SMALL(legs.bend_before(piece), 0.01);
}

BOOST_AUTO_TEST_CASE(speeds_keep_their_limits_and_end_where_the_path_ends) {
  auto random = test::seeded_random("speed profile");
  for (int round = 0; round < 300; ++round) {
    std::vector<stretch> stretches;
    double total = 0;
    for (int i = 0; i < 30; ++i) {
      stretches.push_back({uniform(random, 0.01, 20), uniform(random, 0.5, 30), uniform(random, 0.5, 5),
                           uniform(random, 0.5, 5)});
      total += stretches.back().length_m;
    }
    speed_profile profile;
    profile.solve(stretches, 0, 0);
    double gone = 0;
    double speed = 0;
    for (std::size_t i = 0; i < stretches.size(); ++i) {
      const auto phases = profile.of(i);
      BOOST_REQUIRE_SMALL(phases.start_mps - speed, 1e-9);
      BOOST_REQUIRE_LE(phases.peak_mps, stretches[i].limit_mps + 1e-9);
      for (double share = 0; share <= 1; share += 0.125) {
        const double t = share * phases.duration_s();
        BOOST_REQUIRE_SMALL(phases.time_at(phases.distance_at(t)) - t, 1e-6 + 1e-4 * phases.duration_s());
      }
      gone += phases.distance_at(phases.duration_s());
      speed = phases.peak_mps - phases.brake_mps2 * phases.brake_s;
    }
    BOOST_CHECK_SMALL(speed, 1e-6);
    BOOST_CHECK_CLOSE(gone, total, 1e-6);
  }
}

BOOST_AUTO_TEST_CASE(vehicles_keep_their_turn_rate_and_velocities_match_the_next_block) {
  auto random = test::seeded_random("turn rate");
  double worst = 0;
  for (int round = 0; round < 60; ++round) {
    plan part = random_drive(random, body::car);
    const timeline when = timed(part);
    const auto blocks = blocks_of<samp_rec::vehicle_block>(part, when);
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i) {
      const double seconds = (blocks[i + 1].time_ms - blocks[i].time_ms) / 1000.0;
      BOOST_REQUIRE_GT(seconds, 0);
      const double turned = std::abs(samp_rec::turn_degrees(
          samp_rec::heading_degrees(blocks[i].rotation), samp_rec::heading_degrees(blocks[i + 1].rotation)));
      worst = std::max(worst, turned / seconds);
      const auto led =
          blocks[i].position_m + blocks[i].velocity_m_per_20ms * static_cast<float>(seconds * 50);
      BOOST_REQUIRE_SMALL(samp_rec::distance(led, blocks[i + 1].position_m), 1e-3);
    }
    BOOST_REQUIRE_EQUAL(samp_rec::length(blocks.back().velocity_m_per_20ms), 0);
  }
  std::cout << "fastest turn: " << worst << " degrees/s of 60\n";
  // The limit is evaluated three times per metre.
  BOOST_CHECK_LE(worst, traits_of(body::car).limits.turn_rate_dps * 1.15);
}

BOOST_AUTO_TEST_CASE(speed_changes_with_bounded_jerk) {
  auto random = test::seeded_random("jerk");
  for (int round = 0; round < 60; ++round) {
    const body kind = round % 3 == 0 ? body::on_foot : round % 3 == 1 ? body::car : body::truck;
    plan part = random_drive(random, kind);
    const body_traits& traits = part.traits();
    const double most =
        (traits.limits.accelerate_mps2 + traits.limits.brake_mps2) / traits.manners.smooth_s * 1.001 + 1e-3;
    for (const direction& each : part.directions()) {
      const auto* going = std::get_if<travel>(&each);
      if (going == nullptr) continue;
      run_cursor cursor(going->way);
      constexpr double step_s = 0.01;
      double speed[3] = {0, 0, 0};
      double gone = 0;
      for (double t = 0; t <= cursor.duration_s() + 2 * step_s; t += step_s) {
        const auto here = cursor.at(t);
        speed[0] = speed[1];
        speed[1] = speed[2];
        speed[2] = t > cursor.duration_s() ? 0 : here.speed_mps;
        BOOST_REQUIRE_LE(std::abs(speed[2] - 2 * speed[1] + speed[0]) / (step_s * step_s), most + 1e-6);
        BOOST_REQUIRE_GE(here.distance_m, gone - 1e-9);
        // The speed is that of the travelled path.
        if (t > 0)
          BOOST_REQUIRE_SMALL((here.distance_m - gone) / step_s - (speed[2] + speed[1]) / 2,
                              0.02 + 2e-3 / step_s * 0.1);
        gone = here.distance_m;
      }
      BOOST_CHECK_SMALL(gone - going->way.length_m(), 1e-6);
      for (const double share : {0.1, 0.5, 0.9}) {
        const double at = share * going->way.length_m();
        BOOST_CHECK_SMALL(cursor.at(cursor.time_at(at)).distance_m - at, 1e-3);
      }
    }
  }
}

// Speeds follow the curvature, not the segments of the path.
BOOST_AUTO_TEST_CASE(speed_along_curves_is_smooth) {
  auto random = test::seeded_random("teeth");
  for (int round = 0; round < 30; ++round) {
    plan part = random_drive(random, body::car);
    const body_traits& traits = part.traits();
    const double jerk = (traits.limits.accelerate_mps2 + traits.limits.brake_mps2) / traits.manners.smooth_s;
    for (const direction& each : part.directions()) {
      const auto* going = std::get_if<travel>(&each);
      if (going == nullptr) continue;
      run_cursor cursor(going->way);
      double turned_s = -10, turned_mps = 0, last = 0, before = 0;
      for (double t = 0; t < cursor.duration_s(); t += 0.02) {
        const double speed = cursor.at(t).speed_mps;
        // On a level stretch there is only rounding.
        if (std::abs(speed - last) < 1e-4) continue;
        if ((speed - last) * (last - before) < 0) {
          // Between two turning points of the speed there is a minimum time, or a change too small to notice: bounded jerk allows
          // a quarter of itself times the time squared from one level speed to another.
          const double took_s = t - turned_s + 0.02;
          BOOST_REQUIRE(t - turned_s > 0.5 ||
                        std::abs(speed - turned_mps) < jerk * took_s * took_s / 4 + 0.05);
          turned_s = t;
          turned_mps = speed;
        }
        before = last;
        last = speed;
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_rolling_loop_has_no_seam) {
  auto random = test::seeded_random("loop seam");
  for (int round = 0; round < 60; ++round) {
    plan part({.name = "round", .kind = round % 2 == 0 ? body::car : body::bike});
    std::vector<vec3> points;
    for (int i = 0; i < 7; ++i)
      points.push_back(direction_of(360.0 * i / 7) * uniform(random, 30, 90) +
                       vec3{0, 0, uniform(random, 0, 2)});
    loop_options how{
        .laps = static_cast<std::uint32_t>(1 + random() % 3), .rolling = true, .straight = round % 3 == 0};
    BOOST_REQUIRE(part.loop(points, how));
    const timeline when = timed(part);
    const auto blocks = blocks_of<samp_rec::vehicle_block>(part, when);
    auto last = blocks.back();
    last.time_ms = blocks.front().time_ms;
    BOOST_REQUIRE(samp_rec::same_bits(last, blocks.front()));
    const double speed = samp_rec::speed_m_per_s(blocks.front().velocity_m_per_20ms);
    BOOST_CHECK_GT(speed, 1);
    for (std::size_t i = 0; i + 1 < blocks.size(); ++i)
      BOOST_REQUIRE_EQUAL(blocks[i + 1].time_ms - blocks[i].time_ms, 50u);
    // Changes across the seam are no larger than inside.
    const auto& before = blocks[blocks.size() - 2];
    const auto& after = blocks[1];
    const double gain = std::abs(samp_rec::speed_m_per_s(before.velocity_m_per_20ms) - speed);
    BOOST_CHECK_LE(gain, 0.05 * 6);
    BOOST_CHECK_LE(std::abs(samp_rec::turn_degrees(samp_rec::heading_degrees(before.rotation),
                                                   samp_rec::heading_degrees(after.rotation))),
                   2 * 0.05 * 80);
    BOOST_CHECK_LE(samp_rec::distance(before.position_m, blocks.front().position_m), speed * 0.05 + 0.05);
    BOOST_CHECK(samp_rec::check<samp_rec::vehicle_block>(blocks).clean());
  }
}

BOOST_AUTO_TEST_CASE(laps_take_no_memory_and_their_times_add_up) {
  const auto duration = [](std::uint32_t laps) {
    plan part({.name = "laps", .kind = body::car});
    BOOST_REQUIRE(part.loop({{0, 0, 0}, {0, 80, 0}, {60, 80, 0}, {60, 0, 0}}, {.laps = laps}));
    return timed(part).duration_s;
  };
  const double lap = duration(11) - duration(10);
  BOOST_CHECK_GT(lap, 1);
  BOOST_CHECK_CLOSE(duration(1'010) - duration(10), 1'000 * lap, 1e-6);
}

BOOST_AUTO_TEST_CASE(a_convoy_keeps_its_spacing_along_the_path) {
  const auto cars = test::build_script(R"(
    local a, b, c = actor{ name="a", vehicle="car" }, actor{ name="b", vehicle="car" }, actor{ name="c", vehicle="car" }
    convoy{ a, b, c, spacing=15, speed=12, along={ {0,0,3}, {0,300,3} } }
    convoy{ a, b, c, speed=12, along={ {0,500,3} } }
  )");
  BOOST_REQUIRE_EQUAL(cars.size(), 3u);
  BOOST_REQUIRE_EQUAL(cars[0].vehicle.size(), cars[2].vehicle.size());
  for (std::size_t i = 0; i < cars[0].vehicle.size(); ++i) {
    BOOST_REQUIRE_EQUAL(cars[0].vehicle[i].time_ms, cars[1].vehicle[i].time_ms);
    BOOST_REQUIRE_SMALL(samp_rec::distance(cars[0].vehicle[i].position_m, cars[1].vehicle[i].position_m) - 15,
                        1e-3);
    BOOST_REQUIRE_SMALL(samp_rec::distance(cars[1].vehicle[i].position_m, cars[2].vehicle[i].position_m) - 15,
                        1e-3);
  }
  for (const auto& each : cars) BOOST_CHECK(each.check().clean());
}

// Planning nine hundred cars takes per car no more work than nine.
BOOST_AUTO_TEST_CASE(convoys_are_planned_once) {
  const auto planned = [](int cars) {
    auto made =
        run_script("local all = {} for i = 1, " + std::to_string(cars) +
                       " do all[i] = actor{ name='c' .. i, vehicle='car' } end "
                       "all.spacing = 12 all.through = { {0,-9000,3}, {0,0,3}, {0,9000,3} } convoy(all)",
                   "test.lua");
    BOOST_REQUIRE_MESSAGE(made, (made ? "" : made.error()));
    return std::move(*made);
  };
  const auto few = planned(9), many = planned(900);
  const auto run_of = [](const production& of, std::size_t car) {
    BOOST_REQUIRE_EQUAL(of.actors[car].part->directions().size(), 1u);
    return std::get<travel>(of.actors[car].part->directions().front()).way;
  };
  BOOST_CHECK_LE(stretches_of(run_of(many, 0)).size(), 3 * stretches_of(run_of(few, 0)).size());
  run_cursor first(run_of(many, 0)), last(run_of(many, 899));
  BOOST_CHECK(*run_of(many, 0).shared != nullptr);
  BOOST_CHECK(run_of(many, 0).shared == run_of(many, 899).shared);
  BOOST_CHECK_EQUAL(first.duration_s(), last.duration_s());
  BOOST_CHECK_CLOSE(length(first.at(60).point.position - last.at(60).point.position), 899 * 12.0, 0.01);
}

// The client's view compared with the intended curve, by the game's rules of playback.
BOOST_AUTO_TEST_CASE(playback_stays_close_to_the_intended_curve) {
  auto random = test::seeded_random("playback");
  for (const body kind : {body::on_foot, body::car}) {
    double worst = 0;
    double worst_snap = 0;
    double mean = 0;
    constexpr int rounds = 12;
    for (int round = 0; round < rounds; ++round) {
      plan part = random_drive(random, kind);
      const timeline when = timed(part);
      const samp_rec::playback_report report = simulate_playback(part, when);
      worst = std::max(worst, report.worst_error_m);
      worst_snap = std::max(worst_snap, report.worst_snap_m);
      mean += report.mean_error_m / rounds;
    }
    std::cout << name(kind) << ": between blocks off the curve by " << mean << " m in the mean, " << worst
              << " m at worst; the next block moves the client by at most " << worst_snap << " m\n";
    // Half a step of braking, seen from the previous block: 5 m/s2 over 50 ms, and a tick of delay at 30 m/s.
    BOOST_CHECK_LE(worst, kind == body::on_foot ? 0.05 : 0.2);
    BOOST_CHECK_LE(mean, kind == body::on_foot ? 0.005 : 0.03);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
