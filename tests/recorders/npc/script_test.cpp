// The meaning of scripts, the examples, and every line of the document.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <iterator>
#include <set>

#include "../../encoders/gta_world/town.hpp"
#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "support.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/npc/build.hpp"
#include "tickreel/npc/playback.hpp"
#include "tickreel/npc/plot.hpp"
#include "tickreel/samp_rec/keys.hpp"
#include "tickreel/samp_rec/reader.hpp"

BOOST_AUTO_TEST_SUITE(npc_tests)
BOOST_AUTO_TEST_SUITE(script_test)

namespace {

using namespace tickreel;
using tickreel::test::build_script;
using tickreel::test::built_actor;
using tickreel::test::error_of;

std::shared_ptr<const npc::recorded> some_recording(double x) {
  const auto made = build_script("local a = actor{ name='a', on_foot=true, at={" + std::to_string(x) +
                                 ",0,3} } a:walk_to(" + std::to_string(x) + ",8):wait(2)");
  auto result = std::make_shared<npc::recorded>();
  result->kind = samp_rec::recording_kind::on_foot;
  result->on_foot = made[0].on_foot;
  return result;
}

// The ranges of real recordings of the same kind.
void check_as_real(const built_actor& each) {
  const samp_rec::check_report report = each.check();
  for (const auto& finding : report.findings)
    BOOST_CHECK_MESSAGE(false, each.name << ": " << samp_rec::describe(finding));
  const samp_rec::check_statistics& all = report.statistics;
  const bool on_foot = each.kind == npc::body::on_foot;
  BOOST_TEST_CONTEXT(each.name) {
    BOOST_CHECK_GE(all.rotation_length.least, 0.999);
    BOOST_CHECK_LE(all.rotation_length.most, 1.001);
    BOOST_CHECK_EQUAL(all.times_backwards, 0u);
    if (all.moving_interval_ms.count > 0) {
      BOOST_CHECK_GE(all.moving_interval_ms.median, on_foot ? 40 : 44);
      BOOST_CHECK_LE(all.moving_interval_ms.median, on_foot ? 55 : 63);
      // Nearly all of their blocks arrive within 65 ms on foot, 94 in vehicles.
      BOOST_CHECK_LE(all.moving_interval_ms.p95, on_foot ? 65 : 94);
      // The median of displacement divided by velocity: 49.994 in vehicles, 50.6 on foot.
      BOOST_CHECK_GE(all.displacement_per_velocity.median, 49.9);
      BOOST_CHECK_LE(all.displacement_per_velocity.median, 50.6);
      BOOST_CHECK_LE(all.heading_error_degrees.median, on_foot ? 0.001 : 1.0);
    }
    if (all.idle_interval_ms.count > 0) BOOST_CHECK_LE(all.idle_interval_ms.most, 560);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_example_passes_the_check_and_looks_like_real_recordings) {
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::directory_iterator(TICKREEL_NPC_EXAMPLES)) {
    if (entry.path().extension() != ".lua") continue;
    seen.insert(entry.path().stem().string());
    for (const built_actor& each : build_script(test::read_text(entry.path()))) check_as_real(each);
  }
  for (const char* wanted : {"patrol", "taxi", "convoy", "helicopter", "train"})
    BOOST_CHECK_MESSAGE(seen.contains(wanted), wanted);
}

// The client's view of the examples, compared with the paths that their scripts intend.
BOOST_AUTO_TEST_CASE(examples_play_as_intended) {
  for (const auto& entry : std::filesystem::directory_iterator(TICKREEL_NPC_EXAMPLES)) {
    if (entry.path().extension() != ".lua") continue;
    auto made = npc::run_script(test::read_text(entry.path()), "test.lua");
    BOOST_REQUIRE(made);
    const auto reports = npc::simulate_playback(*made);
    BOOST_REQUIRE(reports);
    BOOST_REQUIRE_EQUAL(reports->size(), made->actors.size());
    for (std::size_t i = 0; i < reports->size(); ++i) {
      const auto& options = made->actors[i].part->options();
      const samp_rec::playback_report& report = (*reports)[i];
      BOOST_TEST_CONTEXT(entry.path().stem() << ", " << options.name) {
        BOOST_CHECK_GT(report.samples, 1000u);
        // Braking with b m/s2 over a step of t deviates b t^2 / 8 from a straight line: 1.6 mm for 5 m/s2 and 50 ms.
        BOOST_CHECK_LE(report.worst_error_m, 0.01);
        BOOST_CHECK_LE(report.mean_error_m, 0.001);
        BOOST_CHECK_LE(report.worst_snap_m, 0.001);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(trains_store_their_speed) {
  const auto made = build_script(test::read_text(std::filesystem::path(TICKREEL_NPC_EXAMPLES) / "train.lua"));
  std::size_t moving = 0;
  for (const auto& each : made.at(0).vehicle) {
    const double stored = std::abs(each.train_speed_m_per_20ms());
    const double speed = samp_rec::length(each.velocity_m_per_20ms);
    BOOST_REQUIRE_LE(std::abs(stored - speed), 0.01 * speed + 1e-6);
    BOOST_REQUIRE_LE(stored, 1);
    if (speed > 0.1) ++moving;
  }
  BOOST_CHECK_GT(moving, 1000u);
}

BOOST_AUTO_TEST_CASE(keys_and_animations_fit_the_speed) {
  const auto made = build_script(R"(
    local a = actor{ name="a", on_foot=true, at={0,0,3}, heading=0 }
    a:walk_to(0,10):wait(2):run_to(0,40):wait(2):sprint_to(0,90)
    local b = actor{ name="b", vehicle="car", at={9,0,3}, heading=0 }
    b:drive_to(9,100)
  )");
  std::set<std::uint16_t> animations;
  for (const auto& each : made[0].on_foot) {
    const double speed = samp_rec::speed_m_per_s(each.velocity_m_per_20ms);
    animations.insert(each.animation_id);
    if (speed < 0.05) {
      BOOST_REQUIRE_EQUAL(each.up_down, 0);
      BOOST_REQUIRE_EQUAL(each.keys, 0);
    } else {
      BOOST_REQUIRE_EQUAL(each.up_down, -128);
      BOOST_REQUIRE_EQUAL(each.keys, speed <= 2.2 ? 1024 : speed <= 5 ? 0 : 8);
    }
  }
  BOOST_CHECK(animations.contains(1231) && animations.contains(1224) && animations.contains(0));
  bool braked = false;
  for (const auto& each : made[1].vehicle) braked = braked || samp_rec::holds(each.keys, samp_rec::key::jump);
  BOOST_CHECK(braked);
  BOOST_CHECK(samp_rec::holds(made[1].vehicle[20].keys, samp_rec::key::sprint));
}

BOOST_AUTO_TEST_CASE(standing_is_written_every_half_second) {
  const auto made = build_script("actor{ name='a', on_foot=true, at={0,0,3} }:wait(10)");
  BOOST_CHECK_EQUAL(made[0].on_foot.size(), 21u);
  BOOST_CHECK_EQUAL(made[0].on_foot.back().time_ms, 10'000u);
}

BOOST_AUTO_TEST_CASE(actors_share_a_clock) {
  const auto made = build_script(R"(
    local guard = actor{ name="guard", on_foot=true, at={0,0,3}, heading=0 }
    local truck = actor{ name="truck", vehicle="truck", at={9,0,3}, heading=0 }
    local early = guard:walk_to(0,20):arrives()
    guard:walk_to(0,40)
    local there = guard:arrives()
    truck:after(early):drive_to(9,50):after(there, 3):drive_to(9,90)
    local late = actor{ name="late", on_foot=true, at={5,5,3} }
    late:wait_until(12.5):walk_to(5,9)
  )");
  const auto& guard = made[0].on_foot;
  const auto passes =
      std::find_if(guard.begin(), guard.end(), [](const auto& each) { return each.position_m.y >= 20; });
  BOOST_CHECK_GT(samp_rec::speed_m_per_s(passes->velocity_m_per_20ms), 1.5);  // no stop there
  const auto first_move = [](const auto& blocks, double after_s) {
    for (const auto& each : blocks) {
      if (each.time_ms > after_s * 1000 && samp_rec::speed_m_per_s(each.velocity_m_per_20ms) > 0.01)
        return each.time_ms / 1000.0;
    }
    return -1.0;
  };
  BOOST_CHECK_SMALL(first_move(made[1].vehicle, 0) - passes->time_ms / 1000.0, 0.15);
  const double arrival = made[0].when.duration_s;
  // A truck's acceleration takes a second to build up: after an eighth of one it has the first centimetre per second.
  BOOST_CHECK_SMALL(first_move(made[1].vehicle, arrival + 1) - (arrival + 3), 0.15);
  BOOST_CHECK_SMALL(first_move(made[2].on_foot, 0) - 12.5, 0.05);
}

BOOST_AUTO_TEST_CASE(curves_through_points_stay_between_their_heights) {
  const auto heights_of = [](const auto& blocks) {
    std::pair<float, float> range = {1e9f, -1e9f};
    for (const auto& each : blocks)
      range = {std::min(range.first, each.position_m.z), std::max(range.second, each.position_m.z)};
    return range;
  };
  const std::string points =
      "{ {0,60,10}, {0,120,10}, {10,140,20}, {60,150,20}, {140,150,10}, {200,150,10} }";
  const auto actors =
      build_script("actor{ name='car', vehicle='car', at={0,0,10}, heading=0 }:through(" + points + ")\n" +
                   "actor{ name='pilot', vehicle='helicopter', at={0,0,80} }:through({ {300,0,80}, "
                   "{330,0,120}, {600,0,120}, "
                   "{620,20,80} })\n" +
                   "local a, b = actor{ name='a', vehicle='car' }, actor{ name='b', vehicle='car' }\n" +
                   "convoy{ a, b, through=" + points + " }\n" +
                   "actor{ name='round', vehicle='car' }:loop({ {0,0,10}, {60,0,10}, {80,40,20}, "
                   "{40,120,20}, {0,60,10} })");
  for (const auto& each : actors) {
    const auto [least, most] = heights_of(each.vehicle);
    const bool flies = each.name == "pilot";
    BOOST_CHECK_MESSAGE(least >= (flies ? 79.99f : 9.99f), each.name << " sinks to " << least);
    BOOST_CHECK_MESSAGE(most <= (flies ? 120.01f : 20.01f), each.name << " climbs to " << most);
  }
}

BOOST_AUTO_TEST_CASE(a_continuation_starts_where_the_other_recording_ends) {
  const auto actors = build_script(
      "local driver = actor{ name='driver', on_foot=true, at={-10,0,3}, heading=0 }\n"
      "local car = actor{ name='car', vehicle='car', at={0,0,3}, heading=0, continues=driver }\n"
      "driver:walk_to(-1, 0)\n"
      "car:wait(1):drive_to(0, 80)");
  BOOST_CHECK_GT(actors[0].when.duration_s, 5);
  BOOST_CHECK_SMALL(actors[1].when.begin_s - actors[0].when.duration_s, 0.001);
  BOOST_CHECK_EQUAL(actors[1].vehicle.front().time_ms, 0u);
  const double lasts_s = actors[1].when.duration_s - actors[1].when.begin_s;
  BOOST_CHECK_SMALL(actors[1].vehicle.back().time_ms / 1000.0 - lasts_s, 0.05);
  for (const auto& block : actors[1].vehicle)
    if (block.time_ms < 1000) BOOST_CHECK_EQUAL(block.position_m.y, 0);
  BOOST_CHECK(actors[1].check().passes());
  BOOST_CHECK_NE(error_of("local a = actor{ name='a', on_foot=true, at={0,0,3} }\n"
                          "actor{ name='b', vehicle='car', continues=a, at={0,0,3} }\n"
                          "actor{ name='c', vehicle='car', continues=a, at={0,0,3} }")
                     .find("b continues it already"),
                 std::string::npos);
}

BOOST_AUTO_TEST_CASE(displayed_values_change_when_set) {
  const auto made = build_script(R"(
    local a = actor{ name="a", on_foot=true, at={0,0,3}, heading=0 }
    a:weapon("ak47"):phone(5):walk_to(0,10):weapon(22):walk_to(0,20):animate(405, { seconds=2 })
    local b = actor{ name="b", vehicle="car", at={9,0,3}, heading=0 }
    b:drive_to(9,40):siren(true):drive_to(9,80)
  )");
  const auto& a = made[0].on_foot;
  BOOST_CHECK_EQUAL(samp_rec::weapon_id(a.front().weapon_and_key), 30);
  BOOST_CHECK_EQUAL(a.front().special_action, 11);
  bool put_away = false;
  for (const auto& each : a) {
    put_away = put_away || each.special_action == 13;
    if (each.position_m.y > 10.1) BOOST_REQUIRE_EQUAL(samp_rec::weapon_id(each.weapon_and_key), 22);
    if (each.position_m.y > 0.1 && each.position_m.y < 9.9)
      BOOST_REQUIRE_EQUAL(samp_rec::weapon_id(each.weapon_and_key), 30);
  }
  BOOST_CHECK(put_away);
  BOOST_CHECK_EQUAL(a[a.size() - 2].animation_id, 405);
  for (const auto& each : made[1].vehicle) {
    if (each.position_m.y > 41) BOOST_REQUIRE_EQUAL(each.siren, 1);
    if (each.position_m.y < 39) BOOST_REQUIRE_EQUAL(each.siren, 0);
  }
}

BOOST_AUTO_TEST_CASE(the_ground_is_followed) {
  const auto made = build_script(R"(
    local a = actor{ name="a", vehicle="car", at={0,0,0}, heading=0 }
    a:ground(function(x, y) return 5 + 3 * math.sin(y / 20) end, 0.5):drive_to(0, 120):drive_to(60, 160)
  )");
  for (const auto& each : made[0].vehicle) {
    BOOST_REQUIRE_SMALL(each.position_m.z - (5.5 + 3 * std::sin(each.position_m.y / 20.0)), 0.02);
  }
  check_as_real(made[0]);
}

BOOST_AUTO_TEST_CASE(the_same_seed_makes_the_same_recordings) {
  const std::string text =
      "local a = actor{ name='a', on_foot=true, at={0,0,3} } for i = 1, 5 do "
      "a:walk_to(random_point(0,0,30,3)) end "
      "a:wait(random(1, 3)):wait(math.random())";
  const auto once = build_script(text, {.seed = 7});
  const auto again = build_script(text, {.seed = 7});
  const auto other = build_script(text, {.seed = 8});
  BOOST_CHECK(once[0].on_foot == again[0].on_foot);
  BOOST_CHECK(once[0].on_foot != other[0].on_foot);
}

BOOST_AUTO_TEST_CASE(settings_waypoints_and_recordings_are_inputs) {
  npc::script_options options;
  options.settings = {{"laps", "3"}, {"name", "bob"}, {"fast", "true"}, {"share", "0.5"}};
  options.waypoints.emplace_back("route",
                                 npc::read_waypoints("X;Y;Z;note\n0;0;3;start\n# none\n0;10;3;\n").value());
  options.recordings.emplace_back("old", some_recording(5));
  const auto made = build_script(R"(
    assert(settings.laps == 3 and settings.name == "bob" and settings.fast == true and settings.share == 0.5)
    assert(#waypoints.route == 2 and waypoints.route[1].note == "start" and waypoints.route[2].y == 10)
    local a = actor{ name="a", on_foot=true }
    a:along(waypoints.route)
    a:play(recordings.old, { here=true }):wait(1)
    local x, y = a:position()
    assert(math.abs(x) < 1e-3 and math.abs(y - 18) < 1e-3)
  )",
                                 options);
  check_as_real(made[0]);
  BOOST_CHECK(error_of("print(waypoints.nowhere)", options).find("--waypoints nowhere=FILE") !=
              std::string::npos);
}

BOOST_AUTO_TEST_CASE(waypoints_are_read_from_csv_and_json) {
  const auto plain = npc::read_waypoints("1,2,3\n4,5,6\r\n");
  BOOST_REQUIRE(plain);
  BOOST_CHECK_EQUAL(plain->size(), 2u);
  BOOST_CHECK(
      npc::read_waypoints(R"([{"x":1,"y":2},{"x":3,"y":4,"z":5,"name":"b"}])").value()[1].fields.size() == 4);
  BOOST_CHECK(npc::read_waypoints(R"({"points":[[1,2,3],[4,5]]})").value().size() == 2);
  BOOST_CHECK(npc::read_waypoints("x,y\n1,oops\n").error() == "line 2 has no x and y");
  BOOST_CHECK(!npc::read_waypoints("[1,2"));
  BOOST_CHECK(!npc::read_waypoints("{\"points\":[{}]}"));
}

BOOST_AUTO_TEST_CASE(errors_name_the_line) {
  const auto starts = [](const std::string& text, std::string_view with, std::string_view and_has = "") {
    const std::string message = error_of(text);
    BOOST_CHECK_MESSAGE(message.starts_with(with) && message.find(and_has) != std::string::npos, message);
  };
  starts("\n\nlocal x = nil + 1", "test.lua:3: ");
  starts("x = = 2", "test.lua:1: ");
  // Editors write a byte order mark; systems start a script by its first line.
  starts("\xEF\xBB\xBFx = = 2", "test.lua:1: ", "near '='");
  starts("#!/usr/bin/lua\nx = = 2", "test.lua:2: ", "near '='");
  starts("\xEF\xBB\xBF#!/usr/bin/lua\nx = = 2", "test.lua:2: ", "near '='");
  starts("#\nx = = 2", "test.lua:2: ", "near '='");
  starts("local a = actor{ name='a', on_foot=true, at={0,0,3} }\na:walk_to('north')",
         "test.lua:2: ", "actor:walk_to() expects a number for x, got string");
  starts("local a = actor{ name='a', vehicle='car', at={0,0,3} }\n\na:walk_to(1, 2)",
         "test.lua:3: ", "is for people on foot");
  // Detected when the movement ends, but reported for the line that started it.
  starts(
      "local a = actor{ name='a', vehicle='car', at={0,0,3}, heading=0 "
      "}\na:drive_to(0,50)\na:bezier({50,50,3},{60,50,3},{70,80,3})\n\na:wait(1)",
      "test.lua:3: ", "cannot turn on the spot");
  starts("local a = actor{ name='a', vehicle='car', at={0,0,3}, heading=0 }\na:loop({{0,50,3},{50,50,3}})",
         "test.lua:2: ", "give it that heading at the start, or none");
  starts("actor{ name='../up', on_foot=true }", "test.lua:1: ", "name of letters");
  starts("actor{ name='a', on_foot=true } actor{ name='a', on_foot=true }", "test.lua:1: ", "already");
  starts("actor{ name='Bob', on_foot=true } actor{ name='bob', on_foot=true }",
         "test.lua:1: ", "beside 'Bob'");
  for (const char* name : {"CON", "aux", "nul", "Com1", "lpt9"})
    starts(std::string("actor{ name='") + name + "', on_foot=true }", "test.lua:1: ", "Windows reserves it");
  starts("actor{ name='-force', on_foot=true }", "test.lua:1: ", "begins with -");
  starts("local a = actor{ name='a', on_foot=true, at={0,0,3} } a:walk_to(1/0, 0)",
         "test.lua:1: ", "no finite number");
  starts("local a = actor{ name='a', on_foot=true, at={0,0,3} } a:walk_to(99999, 0)",
         "test.lua:1: ", "outside the world");
  starts("local a = actor{ name='a', on_foot=true, at={0,0,3} } a:wait(1, 2):walk_to(3, 4, { spede=1 })",
         "test.lua:1: ", "has no option 'spede'");
  starts("actor{ name='a', on_foot=true, at={0,0,3} }:ground(function() error('no map') end)",
         "test.lua:1: ", "no map");
}

BOOST_AUTO_TEST_CASE(building_writes_whole_files_and_overwrites_none) {
  const test::scratch_folder folder;
  auto made =
      npc::run_script("actor{ name='a', on_foot=true, at={0,0,3} }:walk_to(0, 9):wait(1)", "test.lua");
  BOOST_REQUIRE(made);
  const auto files = npc::build(*made, folder.path());
  BOOST_REQUIRE(files);
  BOOST_REQUIRE_EQUAL(files->size(), 1u);
  const std::string bytes = test::read_text(filesystem_path((*files)[0].file));
  BOOST_CHECK_EQUAL(bytes.size(), (*files)[0].bytes);
  BOOST_CHECK_EQUAL(bytes.size(), 8 + 72 * (*files)[0].blocks);
  BOOST_CHECK_SMALL((*files)[0].length_m - 9, 0.01);
  const auto read = samp_rec::read_recording(as_bytes(bytes));
  BOOST_REQUIRE(read);
  BOOST_CHECK(read->report.clean());
  const auto again = npc::build(*made, folder.path());
  BOOST_REQUIRE(!again);
  BOOST_CHECK(again.error().why.code == error_code::already_exists);
  BOOST_CHECK(npc::build(*made, folder.path(), {.overwrite = true}));
  BOOST_CHECK(npc::build(*made, folder.path(), {.overwrite = true, .cancelled = [] { return true; }})
                  .error()
                  .why.code == error_code::interrupted);
  BOOST_CHECK_EQUAL(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

BOOST_AUTO_TEST_CASE(an_interrupted_build_reports_the_number_of_written_files) {
  const test::scratch_folder folder;
  npc::script_options script;
  auto old = std::make_shared<npc::recorded>();
  old->kind = samp_rec::recording_kind::on_foot;
  old->on_foot.resize(10);
  script.recordings = {{"old", old}};
  auto made = npc::run_script("for i = 1, 5 do save(recordings.old, 'q' .. i) end", "test.lua", script);
  BOOST_REQUIRE(made);
  npc::build_options how;
  int asked = 0;
  how.cancelled = [&] { return ++asked > 3; };
  const auto stopped = npc::build(*made, folder.path(), how);
  BOOST_REQUIRE(!stopped);
  BOOST_CHECK(stopped.error().why.code == error_code::interrupted);
  BOOST_CHECK_EQUAL(stopped.error().written, 3u);
  BOOST_CHECK_EQUAL(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);

  // Saved movements count like those of actors.
  const auto refused = npc::build(*made, folder.path(), {.overwrite = true, .blocks = 49});
  BOOST_REQUIRE(!refused);
  BOOST_CHECK(refused.error().why.code == error_code::over_limit);
  BOOST_CHECK_EQUAL(refused.error().written, 0u);
}

BOOST_AUTO_TEST_CASE(pictures_are_text_without_external_references) {
  npc::plot_track track = npc::track_of(*some_recording(0), "<b>&\"</script>");
  const std::string svg = npc::svg_of(std::span(&track, 1), "<title>");
  BOOST_CHECK(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
  BOOST_CHECK(svg.find("<title></") == std::string::npos);
  const std::string page = npc::html_of(std::span(&track, 1), "x");
  BOOST_CHECK(page.find("<b>") == std::string::npos);
  BOOST_CHECK(page.find("src=") == std::string::npos && page.find("http") == std::string::npos);
  const npc::plot_track empty;
  BOOST_CHECK(!npc::svg_of(std::span(&empty, 1), "").empty());
  BOOST_CHECK(!npc::html_of({}, "").empty());
}

// Each block of code alone, and each line of the reference after its prelude; and the whole API is covered.
BOOST_AUTO_TEST_CASE(the_document_runs) {
  npc::script_options options;
  options.recordings = {{"old", some_recording(0)}, {"other", some_recording(40)}};
  options.roads = std::make_shared<const npc::road_network>(test::town());
  options.heights = [](double, double) -> tl::expected<double, std::string> { return 3; };
  std::ifstream file(TICKREEL_NPC_DOCUMENT);
  std::string prelude;
  std::string block;
  std::string reference;
  bool in_block = false;
  bool is_prelude = false;
  int blocks = 0;
  int lines = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      if (in_block && is_prelude) prelude = block;
      if (in_block && !is_prelude) build_script(block, options);
      if (in_block) ++blocks;
      in_block = !in_block;
      is_prelude = line.ends_with("prelude");
      block.clear();
    } else if (in_block) {
      block += line + '\n';
    } else if (!prelude.empty() && line.starts_with("| `")) {
      const std::string code = line.substr(3, line.find("` |") - 3);
      build_script(prelude + code, options);
      reference += code + '\n';
      ++lines;
    }
  }
  BOOST_CHECK_GE(blocks, 7);
  BOOST_CHECK_GE(lines, 60);
  reference += prelude;
  for (const std::string& each : npc::script_functions()) {
    const std::size_t colon = each.find(':');
    const std::string call = colon == std::string::npos ? each : each.substr(colon);
    const bool listed =
        reference.find(call + "(") != std::string::npos || reference.find(call + "{") != std::string::npos;
    BOOST_CHECK_MESSAGE(listed, each << " is not in the reference");
  }
  // And all valid names.
  const std::string document = test::read_text(TICKREEL_NPC_DOCUMENT);
  for (const auto& names : {samp_rec::weapon_names(), samp_rec::key_names()}) {
    for (const std::string_view each : names) {
      BOOST_CHECK_MESSAGE(document.find('`' + std::string(each) + '`') != std::string::npos,
                          each << " is not listed");
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
