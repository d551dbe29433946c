#include "tickreel/echo_vr/live_feed.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "support/match_driver.hpp"
#include "tickreel/echo_vr/simulator.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_network_tests)
BOOST_AUTO_TEST_SUITE(live_feed_test)

namespace {

struct collected final : echo::event_listener {
  void happened(const echo::event& what) noexcept override { events.push_back(what); }
  std::vector<echo::event> events;
};

std::string line_of(const echo::event& what) {
  std::string text;
  echo::append_json(what, 0, text);
  return text;
}

BOOST_AUTO_TEST_CASE(events_are_those_of_the_ticks_and_standings_are_current) {
  live_feed feed(100'000);
  live_feed::writer game(feed, "a:1");
  match_simulator match({.seed = 5, .bones = false, .match_seconds = 120});
  echo::event_detector found;
  collected wanted;
  auto state = std::make_unique<echo::state>();
  for (std::uint64_t tick = 0; match.next(*state); ++tick) {
    found.see(tick, *state, wanted);
    game.see(*state, 0);
  }
  std::vector<live_event> got;
  std::uint64_t next = 0;
  BOOST_TEST(feed.take(next, got) == 0u);
  BOOST_TEST(got.size() > 20u);
  BOOST_REQUIRE_EQUAL(got.size(), wanted.events.size());
  BOOST_TEST(next == got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    BOOST_TEST(line_of(got[i].what) == line_of(wanted.events[i]));
    BOOST_TEST(got[i].target == "a:1");
  }
  const auto standings = feed.standings();
  BOOST_REQUIRE_EQUAL(standings.size(), 1u);
  BOOST_TEST(standings[0].blue_points == static_cast<std::int32_t>(state->match.blue_points));
  BOOST_TEST(standings[0].orange_points == static_cast<std::int32_t>(state->match.orange_points));
  BOOST_TEST(standings[0].game_clock == state->match.game_clock_display.view());
  BOOST_TEST(standings[0].in_match);
  game.out_of_match();
  BOOST_TEST(!feed.standings()[0].in_match);
}

BOOST_AUTO_TEST_CASE(pending_events_are_reported_at_the_end_of_a_match) {
  match_simulator match({.seed = 5, .bones = false, .match_seconds = 120});
  live_feed feed(100'000);
  live_feed::writer game(feed, "a:1");
  auto state = std::make_unique<echo::state>();
  for (int tick = 0; tick < 60; ++tick) {
    BOOST_REQUIRE(match.next(*state));
    game.see(*state, 0);
  }
  // A goal waits for its points.
  echo::last_score& last = state->match.last_score;
  last.team.assign("blue");
  last.goal_type.assign("LONG BOUNCE SHOT");
  last.point_amount = 3;
  last.disc_speed += 1;
  game.see(*state, 0);
  const auto goals = [&] {
    std::vector<live_event> got;
    std::uint64_t next = 0;
    (void)feed.take(next, got);
    return std::count_if(got.begin(), got.end(), [](const live_event& each) {
      return line_of(each.what).find("\"type\":\"goal\"") != std::string::npos;
    });
  };
  BOOST_TEST(goals() == 0);
  game.finish_match();
  BOOST_TEST(goals() == 1);
  game.finish_match();
  BOOST_TEST(goals() == 1);
}

BOOST_AUTO_TEST_CASE(a_late_reader_gets_the_number_of_missed_events) {
  live_feed feed(4);
  live_feed::writer game(feed, "a:1");
  match_simulator match({.seed = 5, .bones = false, .match_seconds = 60});
  auto state = std::make_unique<echo::state>();
  collected all;
  echo::event_detector found;
  for (std::uint64_t tick = 0; match.next(*state); ++tick) {
    game.see(*state, 0);
    found.see(tick, *state, all);
  }
  std::vector<live_event> got;
  std::uint64_t next = 0;
  const std::uint64_t gone = feed.take(next, got);
  BOOST_TEST(got.size() == 4u);
  BOOST_TEST(gone + got.size() == all.events.size());
  got.clear();
  BOOST_TEST(feed.take(next, got) == 0u);
  BOOST_TEST(got.empty());
  const std::uint64_t changes = feed.changes();
  game.see(*state, 0);  // the same again
  BOOST_TEST(feed.changes() == changes);
}

BOOST_AUTO_TEST_CASE(a_recorder_sends_its_feed_also_omitted_ticks) {
  const test::temporary_folder folder;
  live_feed feed;
  match_options options = test::in(folder);
  options.active_only = true;
  options.live = &feed;
  test::driver game(options);
  test::scripted_match match;
  match.status = "pre_match";
  game.ticks(match, 0, 5);
  BOOST_REQUIRE_EQUAL(feed.standings().size(), 1u);
  BOOST_TEST(feed.standings()[0].target == "10.0.0.1:6721");
  BOOST_TEST(feed.standings()[0].game_status == "pre_match");
  BOOST_TEST(feed.standings()[0].blue_team == "BLUE TEAM");
  (void)game.miss(target_state::menu);
  BOOST_TEST(!feed.standings()[0].in_match);
  game.recorder().close();
}

BOOST_AUTO_TEST_CASE(json_is_valid_for_any_player_names) {
  live_score now;
  now.in_match = now.has_goal = true;
  now.possession = echo::side::blue;
  now.blue_team = now.possession_player = now.goal_by = "\"</script>\x01\xff\n";
  std::string text;
  append_json(now, text);
  BOOST_TEST(text::is_json(text), text);
  text.clear();
  append_json(live_score{}, text);
  BOOST_TEST(text == R"({"target":"","in_match":false})");
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
