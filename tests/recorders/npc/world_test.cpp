// Roads, heights, collisions, and scripts for servers.
#include <fmt/format.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <fstream>

#include "../../encoders/gta_world/town.hpp"
#include "../../encoders/gta_world/write_path_nodes.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "support.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/npc/collisions.hpp"
#include "tickreel/npc/heights_file.hpp"
#include "tickreel/npc/roads.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(world_test)

namespace {

using namespace tickreel;
using namespace tickreel::npc;
using tickreel::test::build_script;
using tickreel::test::error_of;

void write(const std::filesystem::path& path, byte_span bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  BOOST_REQUIRE(out.flush().good());
}

// The actors of a script, and when they act.
struct scheduled_actors {
  std::vector<const plan*> seen;
  std::vector<timeline> when;

  explicit scheduled_actors(const production& made) {
    std::vector<plan*> parts;
    for (const auto& each : made.actors) parts.push_back(each.part.get());
    auto all = schedule(parts);
    BOOST_REQUIRE(all);
    when = std::move(*all);
    seen.assign(parts.begin(), parts.end());
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(routes_keep_to_the_right_and_to_the_roads) {
  const road_network roads(test::town());
  const auto way = roads.route({.from = {-290, -300, 3}, .heading_deg = std::nullopt, .to = {300, 195, 3}});
  BOOST_REQUIRE_MESSAGE(way, (way ? "" : way.error()));
  // 6 streets to the east and 5 to the north.
  BOOST_REQUIRE_EQUAL(way->size(), 12u);
  double length_m = 0;
  for (std::size_t i = 1; i < way->size(); ++i) {
    const vec3 step = (*way)[i] - (*way)[i - 1];
    length_m += length(step);
    // Along a street of the grid, right of its middle.
    BOOST_CHECK_SMALL((*way)[i].z - 3.5, 1e-6);
  }
  BOOST_CHECK_CLOSE(length_m, 1100, 2);
  const auto straight = roads.route({.from = {-300, 0, 3}, .heading_deg = std::nullopt, .to = {300, 0, 3}});
  BOOST_REQUIRE(straight);
  for (const vec3& each : *straight) BOOST_CHECK_SMALL(each.y + 2.5, 1e-6);  // eastwards: south of the line
  const auto back = roads.route({.from = {300, 0, 3}, .heading_deg = std::nullopt, .to = {-300, 0, 3}});
  BOOST_REQUIRE(back);
  for (const vec3& each : *back) BOOST_CHECK_SMALL(each.y - 2.5, 1e-6);
}

BOOST_AUTO_TEST_CASE(one_way_streets_are_kept) {
  const road_network roads(test::town(300, 100, 3, true));
  const auto with = roads.route({.from = {-300, 0, 3}, .heading_deg = std::nullopt, .to = {300, 0, 3}});
  const auto against = roads.route({.from = {300, 0, 3}, .heading_deg = std::nullopt, .to = {-300, 0, 3}});
  BOOST_REQUIRE((with && against));
  BOOST_CHECK_EQUAL(with->size(), 7u);
  for (const vec3& each : *with) BOOST_CHECK_SMALL(each.y, 1e-6);  // one-way: in its middle
  BOOST_CHECK_EQUAL(against->size(), 9u);                          // around the block
}

BOOST_AUTO_TEST_CASE(roads_of_a_game_folder_are_read_and_driven) {
  const test::scratch_folder folder;
  const auto paths = folder.path() / "data" / "Paths";
  std::filesystem::create_directories(paths);
  const auto areas = test::town();
  for (const auto& area : areas)
    write(paths / ("NODES" + std::to_string(area.nodes.front().area) + ".DAT"), test::write_path_nodes(area));
  auto roads = read_roads(folder.path());
  BOOST_REQUIRE(roads);
  BOOST_CHECK_EQUAL(roads->nodes(), 49u);
  BOOST_CHECK(read_roads(folder.path() / "data").error().why.code == error_code::not_found);
  // A damaged file is named.
  const auto damaged = folder.path() / "data" / "Paths" / "nodes9.dat";
  write(damaged, byte_vector(30));
  const auto refused = read_roads(folder.path());
  BOOST_REQUIRE(!refused);
  BOOST_CHECK(std::filesystem::path(refused.error().file.utf8()) == damaged);

  script_options options;
  options.roads = std::make_shared<const road_network>(std::move(*roads));
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={-300, -280, 3.5}, heading=0 }
    a:drive_via_roads_to(200, 205, { speed=12 })
  )",
                                 options);
  double farthest = 0;
  for (const auto& each : made[0].vehicle) {
    const auto& at = each.position_m;
    const auto off = [](double value) { return std::abs(std::remainder(value, 100.0)); };
    farthest = std::max(farthest, std::min(off(at.x), off(at.y)));
  }
  // In a lane of the grid, except for its corners.
  BOOST_CHECK_LE(farthest, 6);
  BOOST_CHECK_SMALL(double(made[0].vehicle.back().position_m.y) - 205, 0.01);
  for (const auto& finding : made[0].check().findings) BOOST_ERROR(describe(finding));

  const std::string car = "local a = actor{ name='a', vehicle='car', at={0, 0, 3}, heading=0 }\n";
  BOOST_CHECK(error_of(car + "a:drive_via_roads_to(100, 100)").find("--roads FOLDER") != std::string::npos);
  BOOST_CHECK(error_of(car + "a:drive_via_roads_to(2500, 2500)", options).find("no road") !=
              std::string::npos);
  BOOST_CHECK(error_of("actor{ name='b', on_foot=true, at={0, 0, 3} }:drive_via_roads_to(1, 1)", options)
                  .find("on_foot") != std::string::npos);
}

namespace {

// The tightest bend of a part.
double tightest_bend_m(npc::plan& part) {
  BOOST_REQUIRE(part.close());
  double tightest = 1e9;
  for (const direction& each : part.directions()) {
    const auto* going = std::get_if<travel>(&each);
    if (going == nullptr) continue;
    path_cursor cursor(*going->way.along);
    constexpr double step_m = 0.2;
    vec3 before = cursor.at(0).tangent;
    for (double at_m = step_m; at_m < going->way.along->length(); at_m += step_m) {
      const vec3 here = cursor.at(at_m).tangent;
      const double turned_deg = std::abs(wrap_degrees(heading_of(here) - heading_of(before)));
      tightest = std::min(tightest, step_m / std::max(turned_deg / degrees_per_radian, 1e-9));
      before = here;
    }
  }
  return tightest;
}

}  // namespace

BOOST_AUTO_TEST_CASE(routes_have_no_bend_that_is_too_tight) {
  auto random = test::seeded_random("routes_have_no_bend");
  int driven = 0;
  for (const double step : {6.0, 15.0, 40.0, 100.0}) {
    // Streets that meet at any angle, nodes that are close together.
    auto areas = test::town(6 * step, step);
    std::uniform_real_distribution<float> off(static_cast<float>(-0.35 * step),
                                              static_cast<float>(0.35 * step));
    for (auto& area : areas) {
      for (auto& node : area.nodes) {
        node.x_m += off(random);
        node.y_m += off(random);
      }
    }
    script_options options;
    options.roads = std::make_shared<const road_network>(areas);
    std::uniform_real_distribution<double> anywhere(-6 * step, 6 * step), heading(0, 360);
    for (int i = 0; i < 60; ++i) {
      for (const auto& [kind, turning_m] :
           {std::pair{"car", 5.0}, std::pair{"truck", 8.0}, std::pair{"bike", 3.0}}) {
        const std::string script = fmt::format(
            "local a = actor{{ name='a', vehicle='{}', at={{{}, {}, 3}}, heading={} }} "
            "a:drive_via_roads_to({}, {})",
            kind, anywhere(random), anywhere(random), heading(random), anywhere(random), anywhere(random));
        auto made = run_script(script, "test.lua", options);
        if (!made) {
          // The message has the reason.
          BOOST_CHECK_MESSAGE(made.error().find("turning") != std::string::npos, made.error());
          continue;
        }
        ++driven;
        const double tightest = tightest_bend_m(*made->actors[0].part);
        BOOST_CHECK_MESSAGE(tightest > 0.95 * turning_m,
                            script << ": " << tightest << " m, nodes " << step << " m apart");
      }
    }
  }
  BOOST_TEST(driven > 360);
}

BOOST_AUTO_TEST_CASE(routes_turn_around_at_the_next_junction) {
  script_options options;
  options.roads = std::make_shared<const road_network>(test::town());
  // Westwards on a street, and the target is to the east.
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={-40, 2.5, 3.5}, heading=90 }
    a:drive_via_roads_to(260, -2.5)
  )",
                                 options);
  double farthest_m = 0, westmost_m = 0;
  for (const auto& each : made[0].vehicle) {
    const auto off = [](double value) { return std::abs(std::remainder(value, 100.0)); };
    farthest_m = std::max(farthest_m, std::min(off(each.position_m.x), off(each.position_m.y)));
    westmost_m = std::min(westmost_m, double(each.position_m.x));
  }
  BOOST_TEST(farthest_m < 6);
  BOOST_TEST(westmost_m < -95);
  BOOST_TEST(std::abs(made[0].vehicle.back().position_m.x - 260) < 0.01);
  for (const auto& finding : made[0].check().findings) BOOST_ERROR(describe(finding));
}

BOOST_AUTO_TEST_CASE(heights_are_read_from_their_file) {
  const test::scratch_folder folder;
  // SAmin.hmap: 10 m, and a slope to the east of 1 in 10 from x = 0 on.
  constexpr std::size_t side = 2000;
  byte_vector bytes(2 * side * side);
  for (std::size_t row = 0; row < side; ++row) {
    for (std::size_t column = 0; column < side; ++column) {
      const double x = -3000 + 3 * static_cast<double>(column);
      const auto height = static_cast<std::uint16_t>(std::lround(100 * (10 + std::max(0.0, x / 10))));
      bytes[2 * (row * side + column)] = static_cast<std::byte>(height & 0xFF);
      bytes[2 * (row * side + column) + 1] = static_cast<std::byte>(height >> 8);
    }
  }
  write(folder.path() / "SAmin.hmap", bytes);
  auto heights = open_heights(folder.path() / "SAmin.hmap");
  BOOST_REQUIRE(heights);
  BOOST_CHECK_SMALL((*heights)(-500, 100).value() - 10, 1e-9);
  BOOST_CHECK_SMALL((*heights)(500, -2999).value() - 60, 0.02);
  BOOST_CHECK(!open_heights(folder.path() / "absent.hmap"));
  write(folder.path() / "short.hmap", byte_span(bytes).first(1000));
  BOOST_CHECK(open_heights(folder.path() / "short.hmap").error().code == error_code::not_recognised);
  script_options options;
  options.heights = *heights;
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={0, 0, 0}, heading=270 }
    a:ground(hmap, 0.5):drive_to(100, 0)
    assert(math.abs(hmap:at(50, 0) - 15) < 0.02)
  )",
                                 options);
  for (const auto& each : made[0].vehicle)
    BOOST_REQUIRE_SMALL(each.position_m.z - (10.5 + each.position_m.x / 10), 0.05);
}

BOOST_AUTO_TEST_CASE(the_obstructing_actor_is_named) {
  auto made = run_script(R"(
    local a = actor{ name="a", vehicle="car", at={0, 0, 3}, heading=0, speed=10 }
    a:drive_to(0, 200)
    local b = actor{ name="b", vehicle="car", at={100, 100, 3}, heading=90, speed=10 }
    b:drive_to(-100, 100)
    local above = actor{ name="above", vehicle="helicopter", at={0, 0, 40}, heading=0, speed=10 }
    above:fly_to(0, 200, 40)
    local lane = actor{ name="lane", vehicle="car", at={5, 0, 3}, heading=0, speed=10 }
    lane:drive_to(5, 90)
  )",
                         "test.lua");
  BOOST_REQUIRE(made);
  const scheduled_actors all(*made);
  const auto& [seen, when] = all;
  const collision_report report = collisions_of(seen, when);
  BOOST_CHECK(report.complete);
  BOOST_REQUIRE_EQUAL(report.found.size(), 1u);
  const collision& one = report.found.front();
  BOOST_CHECK(one.first == 0 && one.second == 1);
  BOOST_CHECK_LE(one.distance_m, 1);
  BOOST_CHECK_SMALL(one.where.y - 100, 3.0);
  BOOST_CHECK(!collisions_of(seen, when, {.looks = 40}).complete);
}

BOOST_AUTO_TEST_CASE(an_actor_does_not_obstruct_its_continuation) {
  const auto made = run_script(
      "local driver = actor{ name='driver', on_foot=true, at={-15,0,3} }\n"
      "driver:walk_to(-1.4, 0)\n"
      "actor{ name='car', vehicle='car', at={0,0,3}, heading=0, continues=driver }:drive_to(0, 80)\n"
      "actor{ name='other', on_foot=true, at={0,0,3} }:wait(20)",
      "collisions.lua");
  BOOST_REQUIRE(made);
  const scheduled_actors all(*made);
  const auto& [seen, when] = all;
  const collision_report report = collisions_of(seen, when);
  const auto meets = [&](std::uint32_t first, std::uint32_t second) {
    return std::any_of(report.found.begin(), report.found.end(),
                       [&](const collision& each) { return each.first == first && each.second == second; });
  };
  BOOST_CHECK(!meets(0, 1));
  BOOST_CHECK(meets(1, 2));  // a car without its driver is an obstacle to others
}

BOOST_AUTO_TEST_CASE(a_crowd_is_checked_within_the_limit) {
  auto made = run_script(R"(
    for i = 1, 500 do actor{ name="a" .. i, on_foot=true, at={0, 0, 3} }:wait(60) end
  )",
                         "test.lua");
  BOOST_REQUIRE(made);
  const scheduled_actors all(*made);
  const auto& [seen, when] = all;
  // Two steps are compared, each with every pair of actors, and a third is not completed.
  const std::uint64_t pairs = 500 * 499 / 2;
  const collision_report report = collisions_of(seen, when, {.looks = 20 * pairs + 5 * pairs});
  BOOST_CHECK(!report.complete);
  BOOST_REQUIRE_EQUAL(report.found.size(), 100u);
  for (const collision& each : report.found) BOOST_CHECK_LE(each.to_s, 0.3);

  unsigned asked = 0;
  const collision_report stopped = collisions_of(seen, when, {.cancelled = [&] { return ++asked == 3; }});
  BOOST_CHECK(!stopped.complete);
  BOOST_CHECK_EQUAL(asked, 3u);
  BOOST_CHECK_EQUAL(stopped.found.size(), 1u);  // of the first two
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
