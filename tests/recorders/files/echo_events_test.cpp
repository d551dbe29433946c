// The events of Echo VR recordings as `events` prints them, format by format.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>
#include <vector>

#include "../../support/file_bytes.hpp"
#include "fixtures.hpp"
#include "tickreel/butter/encoder.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(files_echo_events_tests)
BOOST_AUTO_TEST_SUITE(echo_events_test)

using namespace tickreel;

namespace {

echo_vr::simulation_options lively_match() {
  echo_vr::simulation_options options;
  options.seed = 11;
  options.rate_hz = 30;
  options.players_per_team = 4;
  options.bones = false;
  options.match_seconds = 120;
  options.keep_played = true;
  return options;
}

std::vector<std::string> events_of(files::recording& of, const files::event_query& query = {}) {
  std::vector<std::string> lines;
  const auto given = of.events(query, [&](std::string_view line) {
    lines.emplace_back(line);
    return true;
  });
  BOOST_REQUIRE_MESSAGE(given, (given ? "" : describe(given.error())));
  BOOST_TEST(*given == lines.size());
  return lines;
}
std::vector<std::string> events_of(const std::filesystem::path& path, const files::event_query& query = {}) {
  return events_of(*test::open_recording(path), query);
}

// The value of a member, as it is in the line.
std::string member(const std::string& line, const std::string& name) {
  const std::size_t at = line.find("\"" + name + "\":");
  if (at == std::string::npos) return {};
  const std::size_t from = at + name.size() + 3;
  return line.substr(from, line.find_first_of(",}", from) - from);
}

std::multiset<std::string> ticks_and_types(const std::vector<std::string>& lines) {
  std::multiset<std::string> all;
  for (const std::string& each : lines) all.insert(member(each, "tick") + " " + member(each, "type"));
  return all;
}

std::multiset<std::string> played() {
  echo_vr::match_simulator simulator(lively_match());
  const auto tick = std::make_unique<echo::state>();
  while (simulator.next(*tick)) {}
  std::multiset<std::string> all;
  for (const auto& each : simulator.played()) {
    all.insert(std::to_string(each.tick) + " \"" + std::string(echo::type_name(each.what.index())) + "\"");
  }
  return all;
}

recorder_options with_events() {
  recorder_options options;
  options.metadata.push_back(files::echo_events_entry());
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;  // never by itself
  options.start_time_us = 1'750'000'000'000'000;
  return options;
}

// One event at a tick; numbered by tens of ticks.
void add_event(recorder<butter::encoder>& into, const frame_stamp& stamp, const echo::state& tick) {
  echo::event kept;
  kept.tick = stamp.tick;
  kept.time_ms = tick.recorded_time_ms;
  kept.what = echo::restart_requested{echo::side::blue};
  std::array<std::byte, echo::max_event_record_bytes> room;
  const std::size_t size = echo::write_event_record(kept, static_cast<std::uint32_t>(stamp.tick / 10), room);
  BOOST_TEST(into.event(stamp, echo::event_record, byte_span(room).first(size)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_format_returns_the_played_events) {
  const test::scratch_folder folder;
  const std::multiset<std::string> truth = played();
  BOOST_TEST(truth.size() > 60u);
  for (const char* name : {"match.butter", "match.echoreplay", "match.reel"}) {
    const auto path = folder.path() / name;
    (void)test::write_match(path, {}, lively_match());
    const auto lines = events_of(path);
    std::vector<std::string> missing, invented;
    const auto found = ticks_and_types(lines);
    std::set_difference(truth.begin(), truth.end(), found.begin(), found.end(), std::back_inserter(missing));
    std::set_difference(found.begin(), found.end(), truth.begin(), truth.end(), std::back_inserter(invented));
    for (const std::string& each : missing) BOOST_ERROR(name << " lacks " << each);
    for (const std::string& each : invented) BOOST_ERROR(name << " invents " << each);
    for (const std::string& each : lines) {
      BOOST_REQUIRE(each.find("\"derived_from\":\"") != std::string::npos);
      BOOST_REQUIRE(each.find("\"derived\":true}") != std::string::npos);
    }
    const auto ticks = [](const std::string& line) { return std::stoull(member(line, "tick")); };
    BOOST_TEST(std::is_sorted(lines.begin(), lines.end(),
                              [&](const auto& a, const auto& b) { return ticks(a) < ticks(b); }));
  }
}

BOOST_AUTO_TEST_CASE(only_requested_events_are_returned) {
  const test::scratch_folder folder;
  for (const char* name : {"match.butter", "match.reel"}) {
    const auto path = folder.path() / name;
    (void)test::write_match(path, {}, lively_match());
    const auto all = events_of(path);
    const auto goals = events_of(path, {.types = {"goal", "save"}});
    BOOST_TEST(!goals.empty());
    for (const std::string& each : goals) {
      BOOST_TEST((member(each, "type") == "\"goal\"" || member(each, "type") == "\"save\""), each);
    }
    const auto first_goal = events_of(path, {.types = {"goal"}}).front();
    const std::string scorer = member(first_goal.substr(first_goal.find("\"player\":{") + 9), "name");
    const auto of_one = events_of(path, {.player = scorer.substr(1, scorer.size() - 2)});
    BOOST_TEST(!of_one.empty());
    BOOST_TEST(of_one.size() < all.size());
    for (const std::string& each : of_one) BOOST_TEST(each.find(scorer) != std::string::npos, each);

    const auto between =
        events_of(path, {.from = files::moment::at_tick(900), .to = files::moment::at_tick(1500)});
    const auto by_time =
        events_of(path, {.from = files::moment::at_time(30), .to = files::moment::at_time(50)});
    BOOST_TEST(!between.empty());
    BOOST_TEST(between == by_time, boost::test_tools::per_element());
    for (const std::string& each : between) {
      BOOST_TEST(std::stoul(member(each, "tick")) >= 900u);
      BOOST_TEST(std::stoul(member(each, "tick")) <= 1500u);
    }
    const auto by_clock =
        events_of(path, {.from = files::moment::at_clock(80), .to = files::moment::at_clock(60)});
    BOOST_TEST(!by_clock.empty());
    for (const std::string& each : by_clock) {
      BOOST_TEST(std::stod(member(each, "game_clock")) <= 80);
      BOOST_TEST(std::stod(member(each, "game_clock")) >= 60);
    }
    auto opened = test::open_recording(path);
    const auto nothing = [](std::string_view) { return true; };
    const auto no_type = opened->events({.types = {"home_run"}}, nothing);
    BOOST_REQUIRE(!no_type);
    BOOST_TEST((no_type.error().code == error_code::invalid_argument));
    const auto nobody = opened->events({.player = "No such player"}, nothing);
    BOOST_REQUIRE(!nobody);
    BOOST_TEST((nobody.error().code == error_code::invalid_argument));
  }
}

// Stored events of a reel are printed and not derived again, and a missing one is reported.
BOOST_AUTO_TEST_CASE(a_reel_keeps_its_events) {
  const test::scratch_folder folder;
  const auto path = folder.path() / "match.reel";
  recorder_options options = with_events();
  auto into = recorder<butter::encoder>::open(path, butter::encoder(), options);
  BOOST_REQUIRE(into);
  echo_vr::match_simulator simulator(lively_match());
  const auto tick = std::make_unique<echo::state>();
  frame_stamp stamp;
  for (; stamp.tick < 40 && simulator.next(*tick); ++stamp.tick) {
    stamp.time_us = static_cast<std::int64_t>(stamp.tick) * 33'333;
    BOOST_REQUIRE(into->push(stamp, *tick));
    // The second of the numbers 0, 1, 2, 3 is left out.
    if (stamp.tick % 10 == 5 && stamp.tick != 15) add_event(*into, stamp, *tick);
    into->pump();
  }
  BOOST_REQUIRE(into->close());
  auto opened = test::open_recording(path);
  const auto lines = events_of(*opened);
  BOOST_REQUIRE(lines.size() == 3u);
  for (const std::string& each : lines) BOOST_TEST(member(each, "type") == "\"restart_requested\"");
  BOOST_TEST(member(lines[2], "tick") == "35");
  BOOST_TEST(member(lines[2], "time_ms") == "1166");
  const std::vector<std::string> losses = opened->losses();
  BOOST_REQUIRE(losses.size() == 1u);
  BOOST_TEST(losses[0] == "1 of the events that were recorded is missing");
}

// Times count from the start of the recording, also for events with lost ticks.
BOOST_AUTO_TEST_CASE(events_of_lost_ticks_keep_their_times) {
  const test::scratch_folder folder;
  const auto path = folder.path() / "match.reel";
  recorder_options options = with_events();
  options.seal_frames = 20;
  options.cadence.keyframe_interval_ticks = 20;
  auto into = recorder<butter::encoder>::open(path, butter::encoder(), options);
  BOOST_REQUIRE(into);
  echo_vr::match_simulator simulator(lively_match());
  const auto tick = std::make_unique<echo::state>();
  std::vector<std::int64_t> times;
  frame_stamp stamp;
  for (; stamp.tick < 80 && simulator.next(*tick); ++stamp.tick) {
    stamp.time_us = static_cast<std::int64_t>(stamp.tick) * 33'333;
    BOOST_REQUIRE(into->push(stamp, *tick));
    times.push_back(tick->recorded_time_ms);
    if (stamp.tick % 10 == 5) add_event(*into, stamp, *tick);
    into->pump();
  }
  BOOST_REQUIRE(into->close());
  const byte_vector whole = test::read_file(path);
  const auto damage = [&](bool every_chunk) {
    byte_vector bytes = whole;
    const auto reader = reel::reader::from_memory(whole);
    BOOST_REQUIRE(reader);
    for (const reel::record_info& each : reader->contents().records) {
      if (each.kind != reel::record_kind::chunk) continue;
      bytes[each.offset + each.bytes - 9] ^= std::byte{1};
      if (!every_chunk) break;
    }
    test::write_file(path, bytes);
  };

  damage(false);
  auto opened = test::open_recording(path);
  const auto first = opened->next();
  BOOST_REQUIRE((first && *first));
  const std::uint64_t first_tick = opened->position().tick;
  BOOST_REQUIRE(first_tick > 10u);
  auto lines = events_of(*opened);
  BOOST_REQUIRE(lines.size() == 8u);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // From the start of the recording, whose first ticks are lost.
    const std::int64_t since = times[i * 10 + 5] - times[0];
    BOOST_TEST(member(lines[i], "time_ms") == std::to_string(since), lines[i]);
  }
  BOOST_TEST(events_of(path, {.to = files::moment::at_time(1)}).size() == 3u);
  BOOST_TEST(events_of(path, {.from = files::moment::at_time(1)}).size() == 5u);

  // Without any tick the start of time is unknown.
  damage(true);
  lines = events_of(path);
  BOOST_REQUIRE(lines.size() == 8u);
  for (const std::string& each : lines) BOOST_TEST(member(each, "time_ms") == "", each);
}

BOOST_AUTO_TEST_CASE(a_conversion_to_a_reel_derives_them) {
  const test::scratch_folder folder;
  const auto path = folder.path() / "match.echoreplay";
  (void)test::write_match(path, {}, lively_match());
  const auto reel = folder.path() / "match.reel";
  const auto converted = files::convert(path, reel, {});
  BOOST_REQUIRE(converted);
  auto opened = test::open_recording(reel);
  BOOST_TEST((ticks_and_types(events_of(*opened)) == ticks_and_types(events_of(path))));
  BOOST_TEST(opened->losses().empty());
}

// By hand, from the recorded text: where a counter, last_score, the pause or a request changes.
BOOST_AUTO_TEST_CASE(hand_checked_recordings) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  // The stuns counted at the ticks 60, 108 and 292 have no visible victim then: they are reported up to 100 ms later.
  const std::vector<std::string> arena = {
      "0 match_started", "58 stun Aurora",        "60 goal Halcyon", "60 shot Halcyon",   "63 stun Aurora",
      "106 stun Aurora", "112 stun Aurora",       "114 stun Aurora", "126 pause_started", "150 pause_ended",
      "210 goal Aurora", "255 restart_requested", "295 stun Aurora", "295 stun Aurora"};
  for (const char* name : {"arena-8p-300.echoreplay", "arena-8p-300.zstd_22.butter"}) {
    std::vector<std::string> found;
    for (const std::string& each : events_of(folder / name)) {
      const std::string type = member(each, "type");
      if (type == "\"possession_changed\"") continue;
      std::string line = member(each, "tick") + " " + type.substr(1, type.size() - 2);
      if (const std::size_t at = each.find("\"player\":{"); at != std::string::npos) {
        const std::string who = member(each.substr(at + 9), "name");
        line += " " + who.substr(1, who.size() - 2);
      }
      found.push_back(line);
      const bool three_shots = line == "60 shot Halcyon";
      BOOST_TEST(member(each, "count") == (three_shots ? "3" : ""), each);
      BOOST_TEST(member(each, "uncertain") == (three_shots ? "true" : ""), each);
    }
    BOOST_TEST_CONTEXT(name) {
      BOOST_TEST(found == arena, boost::test_tools::per_element());
    }
  }
  // One response of the game, repeated.
  for (const char* name : {"real-arena-2021.echoreplay", "real-arena-2021.none.butter",
                           "real-combat-cp_dyson.echoreplay", "real-combat-pl_fission.echoreplay"}) {
    const auto lines = events_of(folder / name);
    BOOST_REQUIRE_MESSAGE(lines.size() == 1u, name);
    BOOST_TEST(member(lines[0], "type") == "\"match_started\"");
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
