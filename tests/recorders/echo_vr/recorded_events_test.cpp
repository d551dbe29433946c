// Events of a match are stored in its reel while it is recorded.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <set>
#include <string>

#include "support/match_driver.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo/json.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/files/echo_events.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(recorded_events_test)

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(a_recorded_match_contains_the_played_events) {
  const temporary_folder folder;
  match_options options;
  options.folder = folder.path();
  options.formats = {record_format::reel};
  driver game(options);
  simulation_options simulated;
  simulated.rate_hz = 60;
  simulated.match_seconds = 60;
  simulated.bones = false;
  simulated.keep_played = true;
  match_simulator simulator(simulated);
  const auto tick = std::make_unique<echo::state>();
  const auto text = [&] {
    std::string json;
    echo::append_session_json(*tick, echo::json_shape::api, echo::number_style::game, json);
    return json;
  };
  BOOST_REQUIRE(simulator.next(*tick));
  BOOST_TEST(eventually([&] {
    (void)game.answer(text());
    return !game.events(event_kind::file_started).empty();
  }));
  while (simulator.next(*tick)) (void)game.answer(text());
  game.recorder().close();

  std::multiset<std::string> played, kept;
  for (const auto& each : simulator.played()) played.emplace(echo::type_name(each.what.index()));
  const auto path = folder.files(".reel").at(0);
  const auto reel = reel::reader::open(file_path(path));
  BOOST_REQUIRE(reel);
  const auto& entries = reel->head().metadata;
  BOOST_TEST(std::any_of(entries.begin(), entries.end(),
                         [](const auto& each) { return each.key == files::echo_events_key; }));
  const auto opened = files::open(file_path(path));
  BOOST_REQUIRE(opened);
  const auto given = (*opened)->events({}, [&](std::string_view line) {
    const std::size_t at = line.find("\"type\":\"") + 8;
    kept.emplace(line.substr(at, line.find('"', at) - at));
    return true;
  });
  BOOST_REQUIRE(given);
  BOOST_TEST(played.size() > 30u);
  BOOST_TEST(kept == played, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
