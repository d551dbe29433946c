// Goals: who scored, when points and the last score differ, and the angle of the disc.
#include "tickreel/echo/events.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <string_view>

#include "changed_match.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(goal_events_test)

using namespace changed_match;

namespace {

// If several players have that name, the one with that slot.
echo::player& slot(match& game, std::int32_t number) {
  for (std::size_t i = 0; i < game.now->match.player_count; ++i) {
    if (game.now->players[i].playerid == number) return game.now->players[i];
  }
  BOOST_FAIL("no player has slot " << number);
  return game.now->players[0];
}

void score_goal(match& game, const char* team, const char* who, const char* assist, const char* type) {
  echo::last_score& last = game.now->match.last_score;
  last.team.assign(team);
  last.goal_type.assign(type);
  last.person_scored.assign(who);
  last.assist_scored.assign(assist);
  last.point_amount = 2;
  last.disc_speed += 1;
  (std::string_view(team) == "blue" ? game.now->match.blue_points : game.now->match.orange_points) += 2;
}

}  // namespace

// Points without a goal wait half a second for it, whatever the clock does meanwhile.
BOOST_AUTO_TEST_CASE(a_clock_set_back_delays_no_event) {
  match game;
  game.see(5);
  game.now->match.blue_points = 2;
  game.see();
  BOOST_TEST(game.found.of("goal").empty());
  for (int i = 0; i < 30; ++i) {
    game.now->recorded_time_ms = 1'600'000'000'000 + i * 33;
    game.detector.see(game.number++, *game.now, game.found);
  }
  const auto goals = game.found.of("goal");
  BOOST_REQUIRE(goals.size() == 1u);
  BOOST_TEST(goals[0].late_ms < 1000);
}

BOOST_AUTO_TEST_CASE(points_and_last_score_may_differ) {
  const auto score = [](match& game, const char* who, int points) {
    echo::last_score& last = game.now->match.last_score;
    last.team.assign("blue");
    last.goal_type.assign("LONG BOUNCE SHOT");
    last.person_scored.assign(who);
    last.assist_scored.assign("[INVALID]");
    last.point_amount = points;
    last.disc_speed += 1;
  };
  for (const int first : {0, 1}) {
    match game;
    game.see(5);
    if (first == 0) score(game, "Ann", 3);
    if (first == 1) game.now->match.blue_points = 3;
    game.see(6);
    BOOST_TEST(game.found.of("goal").empty());
    score(game, "Ann", 3);
    if (first == 0) game.now->match.last_score.disc_speed -= 1;
    game.now->match.blue_points = 3;
    game.see(60);
    const auto goals = game.found.of("goal");
    BOOST_REQUIRE(goals.size() == 1u);
    const auto& goal = std::get<echo::goal>(goals[0].what);
    BOOST_TEST(goal.player.name.view() == "Ann");
    BOOST_TEST(goal.points == 3);
    BOOST_TEST(goal.bounced);
    BOOST_TEST(!goals[0].uncertain);
    // Measured from the first of the two.
    BOOST_TEST(goals[0].late_ms == 200);
    BOOST_TEST((goals[0].derived_from == echo::event_source::last_score));
  }
  // Unexplained points are reported as such.
  match game;
  game.see(5);
  game.now->match.orange_points = 2;
  game.see(60);
  const auto goals = game.found.of("goal");
  BOOST_REQUIRE(goals.size() == 1u);
  BOOST_TEST(goals[0].uncertain);
  BOOST_TEST((goals[0].derived_from == echo::event_source::points));
  BOOST_TEST(!std::get<echo::goal>(goals[0].what).player.is_known());
}

BOOST_AUTO_TEST_CASE(of_two_players_with_one_name_the_team_decides) {
  match game;
  game.join("bot", 0, 0, 5);
  game.join("bot", 0, 1, 6);
  game.see(5);
  score_goal(game, "orange", "bot", "bot", "INSIDE SHOT");
  game.see(5);
  score_goal(game, "blue", "bot", "Ann", "INSIDE SHOT");
  game.see(5);
  score_goal(game, "blue", "bot", "[INVALID]", "SELF GOAL");
  game.see(5);
  const auto goals = game.found.of("goal");
  BOOST_REQUIRE(goals.size() == 3u);
  const std::int32_t slots[] = {6, 5, 6};
  for (std::size_t i = 0; i < 3; ++i) {
    BOOST_TEST(std::get<echo::goal>(goals[i].what).player.slot == slots[i]);
    BOOST_TEST(!goals[i].uncertain);
  }
  BOOST_TEST(std::get<echo::goal>(goals[0].what).assist.slot == 6);
}

BOOST_AUTO_TEST_CASE(of_two_players_with_one_name_in_one_team_the_counters_decide) {
  // The counters increase with the goal, two ticks later, or never.
  for (const int wait_ticks : {0, 2, -1}) {
    match game;
    game.join("bot", 0, 0, 5);
    game.join("bot", 0, 0, 6);
    game.see(5);
    score_goal(game, "blue", "bot", "bot", "LONG SHOT");
    if (wait_ticks > 0) game.see(wait_ticks);
    if (wait_ticks >= 0) {
      slot(game, 6).stats.points += 2;
      slot(game, 5).stats.assists += 1;
    }
    game.see(60);
    const auto goals = game.found.of("goal");
    BOOST_REQUIRE(goals.size() == 1u);
    const auto& goal = std::get<echo::goal>(goals[0].what);
    BOOST_TEST(goal.player.name.view() == "bot");
    BOOST_TEST((goal.player.team == echo::side::blue));
    BOOST_TEST(goal.player.slot == (wait_ticks < 0 ? -1 : 6));
    BOOST_TEST(goal.assist.slot == (wait_ticks < 0 ? -1 : 5));
    BOOST_TEST(goals[0].uncertain == (wait_ticks < 0));
  }
}

BOOST_AUTO_TEST_CASE(of_two_goals_between_two_ticks_the_first_has_no_name) {
  match game;
  game.see(5);
  game.number += 300;
  game.now->match.blue_points = 5;
  echo::last_score& last = game.now->match.last_score;
  last.team.assign("blue");
  last.goal_type.assign("LONG SHOT");
  last.person_scored.assign("Ann");
  last.point_amount = 3;
  game.see(60);
  const auto goals = game.found.of("goal");
  BOOST_REQUIRE(goals.size() == 2u);
  BOOST_TEST(std::get<echo::goal>(goals[0].what).points == 3);
  BOOST_TEST(std::get<echo::goal>(goals[1].what).points == 2);
  BOOST_TEST(goals[1].uncertain);
}

BOOST_AUTO_TEST_CASE(a_goal_has_the_angle_of_the_disc_in_the_last_tick_of_play) {
  struct row {
    echo::vec3 velocity;
    float angle;
    bool from_behind;
  };
  for (const row& each :
       {row{{0, 0, 10}, 0, false}, row{{10, 0, 10}, 45, false}, row{{0, 10, -10}, 45, true}}) {
    match game;
    game.now->match.disc.at.position = {0, 0, 35};
    game.now->match.disc.velocity = each.velocity;
    game.see(5);
    game.now->match.disc.velocity = {};
    game.now->match.game_status.assign("score");
    game.see(2);
    game.now->match.blue_points = 2;
    game.now->match.last_score.point_amount = 2;
    game.now->match.last_score.team.assign("blue");
    game.now->match.last_score.goal_type.assign("INSIDE SHOT");
    game.now->match.last_score.person_scored.assign("Ann");
    game.see(2);
    const auto goals = game.found.of("goal");
    BOOST_REQUIRE(goals.size() == 1u);
    const auto& one = std::get<echo::goal>(goals[0].what);
    BOOST_TEST(one.angle_deg == each.angle, boost::test_tools::tolerance(1e-4f));
    BOOST_TEST(one.from_behind == each.from_behind);
    // The round trip through a record; a record of version 0.2 ends before the angle.
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(goals[0], 7, room);
    const auto whole = echo::read_event_record(byte_span(room).first(size));
    BOOST_REQUIRE(whole);
    BOOST_TEST(std::get<echo::goal>(whole->what.what).angle_deg == one.angle_deg);
    const auto old = echo::read_event_record(byte_span(room).first(size - 5));
    BOOST_REQUIRE(old);
    BOOST_TEST(std::get<echo::goal>(old->what.what).angle_deg == -1.0f);
    BOOST_TEST(std::get<echo::goal>(old->what.what).blue_points == 2);
    BOOST_TEST(!echo::read_event_record(byte_span(room).first(size - 6)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
