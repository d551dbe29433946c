// Jousts, and players who exceed their playspace.
#include "tickreel/echo/events.hpp"

#include <boost/test/unit_test.hpp>

#include "changed_match.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(movement_events_test)

using namespace changed_match;

namespace {

// A round that begins with both teams in their tubes and the disc at `disc_z`.
void begin_round(match& game, float disc_z) {
  game.now->match.game_status.assign("round_start");
  game.now->match.disc.at.position = {0, 0, disc_z};
  game.of("Ann").head.position = {0, 0, -50};
  game.of("Bob").head.position = {0, 0, 50};
  game.see(5);
  game.now->match.game_status.assign("playing");
}

// Both fly to the middle and past it, Ann at 18 m/s and Bob at 15.
void fly_to_the_middle(match& game) {
  game.of("Ann").velocity = {0, 0, 18};
  game.of("Bob").velocity = {0, 0, -15};
  for (int tick = 0; tick < 4 * 30; ++tick) {
    game.see();
    game.of("Ann").head.position.z += 18.0f / 30;
    game.of("Bob").head.position.z -= 15.0f / 30;
    game.now->match.game_clock -= 1.0f / 30;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_team_has_a_joust_where_the_disc_is_in_the_middle) {
  match game;
  begin_round(game, 0);
  fly_to_the_middle(game);
  const auto jousts = game.found.of("team_joust");
  BOOST_REQUIRE(jousts.size() == 2u);
  const auto& first = std::get<echo::team_joust>(jousts[0].what);
  BOOST_TEST(first.player.name.view() == "Ann");
  BOOST_TEST((first.team == echo::side::blue));
  BOOST_TEST(!first.defensive);
  BOOST_TEST(first.time_s == 50.0f / 18, boost::test_tools::tolerance(0.03f));
  BOOST_TEST(first.top_speed == 18.0f);
  BOOST_TEST(first.tube_exit_speed == 18.0f);
  const auto& second = std::get<echo::team_joust>(jousts[1].what);
  BOOST_TEST(second.player.name.view() == "Bob");
  BOOST_TEST(second.time_s == 50.0f / 15, boost::test_tools::tolerance(0.03f));
  BOOST_TEST(game.found.of("playspace_exceeded").empty());
}

BOOST_AUTO_TEST_CASE(a_team_that_starts_farther_from_the_disc_has_a_defensive_joust) {
  for (const float nest : {-27.5f, 27.0f}) {
    match game;
    begin_round(game, nest);
    fly_to_the_middle(game);
    const auto jousts = game.found.of("team_joust");
    BOOST_REQUIRE(jousts.size() == 1u);
    const auto& one = std::get<echo::team_joust>(jousts[0].what);
    BOOST_TEST(one.defensive);
    BOOST_TEST((one.team == (nest < 0 ? echo::side::orange : echo::side::blue)));
  }
  match elsewhere;
  begin_round(elsewhere, 10);
  fly_to_the_middle(elsewhere);
  BOOST_TEST(elsewhere.found.of("team_joust").empty());
}

BOOST_AUTO_TEST_CASE(a_joust_ends_with_play_and_after_ten_seconds) {
  match goal;
  begin_round(goal, 0);
  goal.see(30);
  goal.now->match.game_status.assign("score");
  goal.see();
  goal.now->match.game_status.assign("playing");
  fly_to_the_middle(goal);
  BOOST_TEST(goal.found.of("team_joust").empty());
  match across;
  begin_round(across, 0);
  across.of("Ann").head.position = {0, 0, 3};
  across.of("Bob").head.position = {0, 0, -3};
  across.see(60);
  BOOST_TEST(across.found.of("team_joust").empty());
  match late;
  begin_round(late, 0);
  late.see(301);
  fly_to_the_middle(late);
  BOOST_TEST(late.found.of("team_joust").empty());
}

BOOST_AUTO_TEST_CASE(a_head_that_outruns_its_velocity_exceeds_the_playspace) {
  match game;
  game.see(30);
  game.of("Ann").head.position = {0, 0, 1.5f};  // a step within the threshold
  game.see(30);
  BOOST_TEST(game.found.of("playspace_exceeded").empty());
  game.of("Ann").head.position = {0, 0, 2.5f};
  game.see(1);
  const auto found = game.found.of("playspace_exceeded");
  BOOST_REQUIRE(found.size() == 1u);
  const auto& one = std::get<echo::playspace_exceeded>(found[0].what);
  BOOST_TEST(one.player.name.view() == "Ann");
  BOOST_TEST(one.distance_m > 2.3f);
  BOOST_TEST(one.distance_m < 2.5f);
  game.of("Ann").head.position = {0, 0, 9};
  game.see(1);  // within three seconds: no second one
  BOOST_TEST(game.found.of("playspace_exceeded").size() == 1u);
  game.see(95);
  BOOST_TEST(game.found.of("playspace_exceeded").size() == 2u);
  // Players that the game moves between rounds exceed no limit.
  game.now->match.game_status.assign("round_start");
  game.of("Bob").head.position = {0, 0, 50};
  game.see(2);
  game.now->match.game_status.assign("playing");
  game.see(2);
  BOOST_TEST(game.found.of("playspace_exceeded").size() == 2u);
}

BOOST_AUTO_TEST_CASE(pauses_and_team_changes_do_not_exceed_the_playspace) {
  match paused;
  paused.now->match.fields |= echo::session::has_pause;
  paused.of("Ann").velocity = {0, 0, 9};
  paused.now->match.pause.state.assign("paused");
  paused.see(60);
  BOOST_TEST(paused.found.of("playspace_exceeded").empty());
  match changed;
  changed.see(5);
  changed.leave("Ann");
  changed.join("Ann", 1, 1).head.position = {0, 0, 30};
  changed.see(5);
  BOOST_TEST(changed.found.of("team_changed").size() == 1u);
  BOOST_TEST(changed.found.of("playspace_exceeded").empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
