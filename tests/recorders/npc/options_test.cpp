// Options of scripts are applied or rejected with a reason: values out of range, unknown options, options without effect.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <string>

#include "support.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(options_test)

namespace {

using tickreel::test::build_script;
using tickreel::test::error_of;

void refuses(const std::string& text, std::string_view says) {
  const std::string message = error_of(text);
  BOOST_CHECK_MESSAGE(message.starts_with("test.lua:") && message.find(says) != std::string::npos,
                      text << "\n  -> " << message);
}

// When the parts are timed.
void refuses_late(const std::string& text, std::string_view says) {
  auto made = tickreel::npc::run_script(text, "test.lua");
  BOOST_REQUIRE_MESSAGE(made, text << "\n  -> " << (made ? "" : made.error()));
  tickreel::npc::plan* parts[] = {made->actors[0].part.get()};
  const auto lines = tickreel::npc::schedule(parts);
  BOOST_REQUIRE_MESSAGE(!lines, text);
  BOOST_TEST(lines.error().text.find(says) != std::string::npos, lines.error().text);
  BOOST_TEST(lines.error().line == 1);
}

}  // namespace

// The limits of the script are those of readers, so its output can be read.
BOOST_AUTO_TEST_CASE(positions_beyond_the_world_are_rejected_at_their_line) {
  const std::string car = "local a = actor{ name='a', vehicle='car', at={0, 0, 3}, heading=0 }\n";
  refuses("actor{ name='a', vehicle='car', at={50000, 0, 3} }", "outside the world");
  refuses("actor{ name='a', vehicle='car', at={1e38, 0, 3} }", "outside the world");
  refuses("actor{ name='a', vehicle='car', at={15000, 15000, 3} }", "outside the world");
  refuses(car + "a:drive_to(15000, 15000)", "outside the world");
  refuses(car + "a:through({ {0, 50}, {0, 30000} })", "outside the world");
  refuses(car + "a:vehicle_health(1e38)", "health from 0");
  refuses(
      "local a, b = actor{ name='a', vehicle='car' }, actor{ name='b', vehicle='car' }\n"
      "convoy{ a, b, through={ {0, 0, 3}, {0, 40000, 3} } }",
      "outside the world");
  tickreel::npc::script_options options;
  auto old = std::make_shared<tickreel::npc::recorded>();
  old->kind = tickreel::samp_rec::recording_kind::vehicle;
  old->vehicle.resize(10);
  options.recordings = {{"old", old}};
  for (const char* change : {"shifted(50000, 0)", "rotated(180, 30000, 0)", "starting_at(0, 1e30, 0, 0)"}) {
    const std::string message = error_of(std::string("local r = recordings.old:") + change, options);
    BOOST_CHECK_MESSAGE(message.find("20,000 m") != std::string::npos, message);
  }
}

BOOST_AUTO_TEST_CASE(unknown_options_and_options_without_effect_are_rejected) {
  const std::string car = "local a = actor{ name='a', vehicle='car', at={0, 0, 3}, heading=0 }\n";
  refuses(car + "a:drive_to(0, 50, { spede=3 })", "has no option 'spede'");
  refuses(car + "a:drive_to(0, 50, { 5 })", "options by name");
  refuses(car + "a:drive_to(0, 50, { speed=0/0 })", "no finite number");
  refuses(car + "a:circle(20, { corner=3 })", "has no option 'corner'");
  refuses(car + "a:through({ {0, 50} }, { corner=3 })", "has no option 'corner'");
  refuses(car + "a:loop({ {0, 50}, {50, 50} }, { corner=3 })", "straight=true");
  refuses(car + "a:circle(20, { left=true, right=true })", "left or right");
  refuses(car + "a:circle(20, { climb=3, rolling=true })", "does not end where it starts");
  refuses("actor{ name='a', on_foot=true, vehicle='car' }", "on_foot and vehicle");
  refuses("actor{ name='a', vehicle='car', model=420 }", "model and vehicle");
  refuses("local a = actor{ name='a', on_foot=true, at={0, 0, 3} } a:along({ {0, 9} }, { reverse=true })",
          "vehicles only");
  const std::string two = "local a, b = actor{ name='a', vehicle='car' }, actor{ name='b', vehicle='car' }\n";
  refuses(two + "convoy{ a, b, laps=2, through={ {0, 0, 3}, {0, 90, 3} } }", "takes laps with loop");
  refuses(two + "convoy{ a, b, along={ {0, 0, 3}, {0, 9, 3} }, through={ {0, 0, 3}, {0, 90, 3} } }",
          "one way");
}

BOOST_AUTO_TEST_CASE(misspelled_names_get_a_suggestion) {
  const std::string guard = "local a = actor{ name='a', on_foot=true, at={0, 0, 3} }\n";
  refuses(guard + "a:walkto(1, 2)", "actor has no 'walkto'; did you mean 'walk_to'?");
  refuses(guard + "a:wiat(1)", "did you mean 'wait'?");
  refuses(guard + "a:weapon('ak-47')", "did you mean 'ak47'?");
  refuses(guard + "a:hold('sprnt')", "did you mean 'sprint'?");
  refuses(guard + "a:action('dance')", "did you mean 'dance_1'?");
  BOOST_CHECK(error_of(guard + "a:zzzzzzzz()").ends_with("actor has no 'zzzzzzzz'"));
}

BOOST_AUTO_TEST_CASE(trains_and_trucks_go_backwards_on_their_own_track) {
  using namespace tickreel;
  const auto made = build_script(R"(
    local train = actor{ name="train", model=538, at={0, 0, 10}, heading=0, speed=20 }
    train:drive_to(0, 300):wait(1):reverse_to(0, 0)
    local truck = actor{ name="truck", vehicle="truck", at={50, 0, 3}, heading=0 }
    truck:drive_to(50, 40):along({ {50, 20}, {35, 5} }, { reverse=true, speed=3 })
  )");
  bool back = false;
  for (const auto& each : made[0].vehicle) {
    BOOST_REQUIRE_SMALL(double(each.position_m.x), 0.001);
    BOOST_REQUIRE_SMALL(samp_rec::turn_degrees(0, samp_rec::heading_degrees(each.rotation)), 0.01);
    const double speed = samp_rec::length(each.velocity_m_per_20ms);
    if (speed < 0.01) continue;
    const bool reverses = each.velocity_m_per_20ms.y < 0;
    back = back || reverses;
    BOOST_REQUIRE_EQUAL(each.train_speed_m_per_20ms() < 0, reverses);
    BOOST_REQUIRE_SMALL(std::abs(double(each.train_speed_m_per_20ms())) - speed, 1e-5);
  }
  BOOST_CHECK(back);
  BOOST_CHECK_SMALL(double(made[0].vehicle.back().position_m.y), 0.001);
  // The truck faces along its path or against it, and holds the brake while it reverses.
  std::size_t reversing = 0;
  for (const auto& each : made[1].vehicle) {
    const auto& v = each.velocity_m_per_20ms;
    if (samp_rec::speed_m_per_s(v) < 1) continue;
    const auto ahead = samp_rec::forward_of(each.rotation);
    if (ahead.x * v.x + ahead.y * v.y > 0) continue;
    ++reversing;
  }
  BOOST_CHECK_GT(reversing, 100u);
  for (const auto& each : made) {
    for (const auto& finding : each.check().findings) BOOST_ERROR(each.name << ": " << describe(finding));
  }
  refuses(
      "local t = actor{ name='t', vehicle='train', at={0, 0, 10}, heading=0 }\nt:drive_to(0, -100):wait(1)",
      "reverse_to()");
  refuses(
      "local t = actor{ name='t', vehicle='train', at={0, 0, 10}, heading=0 }\nt:through({{0, "
      "-100}}):wait(1)",
      "reverse_to()");
}

BOOST_AUTO_TEST_CASE(planes_may_start_in_flight) {
  using namespace tickreel;
  const auto made = build_script(R"(
    local plane = actor{ name="plane", vehicle="plane", at={0, 0, 200}, heading=0, start_speed=45 }
    plane:fly_to(0, 900):fly_to(500, 1800)
  )");
  BOOST_CHECK_CLOSE(samp_rec::speed_m_per_s(made[0].vehicle.front().velocity_m_per_20ms), 45, 1);
  BOOST_CHECK_LE(std::abs(made[0].vehicle.front().position_m.y), 0.1);
  refuses("actor{ name='p', vehicle='plane', at={0, 0, 200}, heading=0, start_speed=45 }:wait(3)",
          "movement");
  refuses(
      "actor{ name='p', vehicle='plane', at={0, 0, 200}, heading=0, start_speed=45 }:fly_to(0, 20):wait(1)",
      "cannot start with 45.0 m/s");
}

BOOST_AUTO_TEST_CASE(planes_do_not_start_stationary_in_the_air) {
  using namespace tickreel;
  for (const char* movement :
       {"p:fly_to(0, 900)", "p:circle(400)", "p:loop({{0, 900}, {900, 900}, {900, 0}})",
        "p:wait(0):fly_to(0, 900)", "p:wait_until(0):gear('up'):fly_to(0, 900)"}) {
    refuses("p = actor{ name='p', vehicle='plane', at={0, 0, 200} }\n" + std::string(movement) + ":wait(1)",
            "start_speed=45");
  }
  // From a runway, from the ground, parked, behind its pilot, hovering, or rolling on without a limit.
  for (const char* script :
       {"actor{ name='p', vehicle='plane', at={0, 0, 14}, heading=0, start_speed=0 }:fly_to(0, 900, 80)",
        "actor{ name='p', vehicle='plane', at={0, 0, 14}, heading=0 }:ground(function() return 13 end, "
        "1):drive_to(0, 500)",
        "actor{ name='p', vehicle='plane', at={0, 0, 14}, heading=0 }:wait(3):fly_to(0, 900, 80)",
        "actor{ name='p', model=520, at={0, 0, 200}, heading=0 }:fly_to(0, 900)",
        "actor{ name='p', vehicle='plane' }:loop({{0, 0, 200}, {0, 900}, {900, 900}}, { rolling=true })"}) {
    BOOST_TEST_CONTEXT(script) {
      BOOST_TEST(build_script(script).size() == 1u);
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_may_end_in_motion) {
  using namespace tickreel;
  const auto made = build_script(R"(
    local plane = actor{ name="plane", vehicle="plane", at={0, 0, 200}, heading=0, start_speed=45, end_speed=45 }
    plane:fly_to(0, 900):circle(500)
  )");
  const auto& blocks = made[0].vehicle;
  for (const auto& each : blocks)
    BOOST_TEST(samp_rec::speed_m_per_s(each.velocity_m_per_20ms) > 40, each.time_ms);
  BOOST_TEST(std::abs(blocks.back().position_m.y - 900) < 2.5);
  for (const auto& finding : made[0].check().findings) BOOST_ERROR(describe(finding));
  const std::string plane = "actor{ name='p', vehicle='plane', at={0, 0, 200}, heading=0, start_speed=45, ";
  refuses_late(plane + "end_speed=45 }:fly_to(0, 900):wait(1)", "has to come last");
  refuses_late(plane + "end_speed=140 }:fly_to(0, 900)", "cannot end with 140.0 m/s");
  refuses(plane + "end_speed=0 }:fly_to(0, 900)", "above 0");
}

BOOST_AUTO_TEST_CASE(circles_continue_into_the_next_part) {
  using namespace tickreel;
  for (const char* way : {"circle(20)", "circle(20, { laps=2, right=true })", "figure_eight(20)",
                          "figure_eight(20, { laps=2 })", "circle(20):figure_eight(25)"}) {
    BOOST_TEST_CONTEXT(way) {
      const auto made = build_script(
          "actor{ name='a', vehicle='car', at={0, 0, 3}, heading=0 }:drive_to(0, 100):" + std::string(way) +
          ":drive_to(0, 200)");
      const auto& blocks = made[0].vehicle;
      for (const auto& each : blocks) {
        if (each.time_ms < 5000 || each.time_ms + 5000 > blocks.back().time_ms) continue;
        BOOST_TEST(samp_rec::speed_m_per_s(each.velocity_m_per_20ms) > 5, each.time_ms);
      }
      BOOST_TEST(std::abs(blocks.back().position_m.y - 200) < 0.01);
      for (const auto& finding : made[0].check().findings) BOOST_ERROR(describe(finding));
    }
  }
  // They follow the ground.
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={0, 0, 0}, heading=0 }
    a:ground(function(x, y) return x / 10 end):figure_eight(20)
  )");
  double lowest = 0;
  for (const auto& each : made[0].vehicle) lowest = std::min<double>(lowest, each.position_m.z);
  BOOST_TEST(std::abs(lowest + 4) < 0.1);
}

BOOST_AUTO_TEST_CASE(loops_and_circles_match_their_options) {
  using namespace tickreel;
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={0, 0, 3}, heading=270 }
    a:circle(20, { laps=2, climb=10 })
    local b = actor{ name="b", vehicle="car", at={0, 200, 3}, heading=0 }
    b:loop({ {0, 300}, {100, 300}, {100, 200} }, { straight=true })
    local c = actor{ name="c", vehicle="car", at={0, 500, 3} }
    c:loop({ {0, 600}, {100, 600}, {100, 500} }, { straight=true, rolling=true })
  )");
  BOOST_CHECK_SMALL(double(made[0].vehicle.back().position_m.z) - 13, 0.001);
  BOOST_CHECK_CLOSE(made[0].when.length_m, std::hypot(2 * 20 * 2 * 3.14159265, 10.0), 0.1);
  for (const std::size_t i : {1u, 2u}) {
    const auto& first = made[i].vehicle.front().position_m;
    BOOST_CHECK_SMALL(double(first.x), 0.1);
    BOOST_CHECK_SMALL(double(first.y) - (i == 1 ? 200 : 500), 0.1);
    for (const auto& finding : made[i].check().findings)
      BOOST_ERROR(made[i].name << ": " << describe(finding));
  }
}

// Errors name the script's line, even if they are detected only at the end.
BOOST_AUTO_TEST_CASE(late_errors_name_their_line) {
  using namespace tickreel;
  auto made = npc::run_script(
      "local a = actor{ name='a', vehicle='car', at={0, 0, 3}, heading=0 }\na:wait(100000)\na:wait(100000)",
      "test.lua");
  BOOST_REQUIRE(made);
  npc::plan* parts[] = {made->actors[0].part.get()};
  const auto lines = npc::schedule(parts);
  BOOST_REQUIRE(!lines);
  BOOST_CHECK_EQUAL(lines.error().line, 3);
}

BOOST_AUTO_TEST_CASE(waypoints_may_be_quoted) {
  const auto read = tickreel::npc::read_waypoints(
      "# made by hand\n\"name\",x,y,\"note, long\"\n\"gate, "
      "\"\"north\"\"\",1,\"2\",\"two\nlines\"\npier,3,4,\n");
  BOOST_REQUIRE_MESSAGE(read, (read ? "" : read.error()));
  BOOST_REQUIRE_EQUAL(read->size(), 2u);
  const auto& fields = read->front().fields;
  BOOST_REQUIRE_EQUAL(fields.size(), 4u);
  BOOST_CHECK_EQUAL(std::get<std::string>(fields[0].second), "gate, \"north\"");
  BOOST_CHECK_EQUAL(std::get<double>(fields[2].second), 2);
  BOOST_CHECK_EQUAL(fields[3].first, "note, long");
  BOOST_CHECK_EQUAL(std::get<std::string>(fields[3].second), "two\nlines");
  BOOST_CHECK_EQUAL(tickreel::npc::read_waypoints("x;y;name\n1;2;\"a;b\"\n\n3;z;\n").error(),
                    "line 4 has no x and y");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
