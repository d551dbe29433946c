// Echo VR matches in the index: the winner, and the players' statistics.

#include "library_files.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"

BOOST_AUTO_TEST_SUITE(library_tests)
BOOST_AUTO_TEST_SUITE(echo_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

// A public match with one deciding round.
echo_vr::simulation_options won_match() {
  echo_vr::simulation_options options;
  options.seed = 2;
  options.rate_hz = 30;
  options.players_per_team = 2;
  options.bones = false;
  options.private_match = false;
  options.match_seconds = 90;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(are_found_by_their_winner) {
  const echo_vr::simulation_options options = won_match();
  echo_vr::match_simulator simulator(options);
  const auto last = std::make_unique<echo::state>();
  while (simulator.next(*last)) {}
  const bool blue = last->match.blue_points > last->match.orange_points;
  BOOST_REQUIRE(last->match.blue_points != last->match.orange_points);
  const std::size_t orange_begins = echo::first_player(last->match, 1);
  const std::size_t spectators_begin = echo::first_player(last->match, 2);
  BOOST_REQUIRE(orange_begins > 0u);
  BOOST_REQUIRE(spectators_begin > orange_begins);
  const echo::player& of_blue = last->players[0];
  const echo::player& of_orange = last->players[orange_begins];
  const echo::player& winner = blue ? of_blue : of_orange;
  const echo::player& loser = blue ? of_orange : of_blue;

  small_library files;
  for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
    echo_vr::simulated_source source(options);
    BOOST_REQUIRE(files::convert(source, files.folder / name, {}));
  }
  BOOST_TEST(files.scan().added == 3u);
  const std::string winner_name(winner.name.view());
  const std::string loser_name(loser.name.view());
  for (const char* format : {"butter", "echoreplay", "reel"}) {
    BOOST_TEST_CONTEXT(format) {
      BOOST_TEST(files.find({.player = loser_name, .format = format, .result = "won"}).empty());
      BOOST_TEST(files.find({.player = winner_name, .format = format, .result = "lost"}).empty());
      BOOST_TEST(files.find({.format = format, .result = blue ? "orange" : "blue"}).empty());
      BOOST_TEST(files.find({.player = loser_name, .format = format, .result = "lost"}).size() == 1u);
      const auto won = files.find({.player = winner_name, .format = format, .result = "won"});
      BOOST_REQUIRE_EQUAL(won.size(), 1u);
      BOOST_TEST(won[0].result == (blue ? "blue" : "orange"));
      BOOST_TEST(won[0].session == last->match.sessionid.view());
      BOOST_TEST(won[0].map == "mpl_arena_a");
      BOOST_TEST(won[0].mode == "Echo_Arena");
      BOOST_TEST(won[0].started_ms.value_or(0) == options.start_time_ms);
      BOOST_TEST(won[0].health == "whole");
      for (const library::player& each : won[0].players) {
        if (each.team == "spectator") {
          BOOST_TEST(!each.won.value_or(false));
        } else if (each.name == winner_name) {
          const std::string points = "\"points\":" + std::to_string(winner.stats.points) + ",";
          BOOST_TEST(each.statistics.find(points) != std::string::npos, each.statistics);
        }
      }
    }
  }
  // The three are one game.
  const auto sums = taken(files.index.stats({.player = winner_name}));
  BOOST_TEST(sums.games == 1u);
  BOOST_REQUIRE(!sums.by_player.empty());
}

// Sorted, and not in the order of the system's folder listing.
BOOST_AUTO_TEST_CASE(of_one_time_are_distinguished_by_their_paths) {
  small_library files;
  for (const char* name : {"z.butter", "a.reel", "m.echoreplay"}) {
    echo_vr::simulated_source source(won_match());
    BOOST_REQUIRE(files::convert(source, files.folder / name, {}));
    BOOST_TEST(files.scan().added == 1u);
  }
  std::vector<std::string> formats;
  for (const auto& each : files.find({})) formats.push_back(each.format);
  BOOST_TEST((formats == std::vector<std::string>{"reel", "echoreplay", "butter"}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
