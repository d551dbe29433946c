// Events detected in unusual ticks: of players who come and go, of lost ticks, of counters and clocks that jump.
#include "tickreel/echo/events.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "changed_match.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(events_test)

using namespace changed_match;

BOOST_AUTO_TEST_CASE(earlier_changes_are_not_events) {
  match game;
  game.of("Ann").stats.saves = 4;
  game.now->match.blue_points = 5;
  hold(game.of("Bob"), true);
  game.see(10);
  BOOST_TEST(game.found.all.size() == 1u);
  const auto begun = game.found.of("match_started");
  BOOST_REQUIRE(begun.size() == 1u);
  BOOST_TEST(std::get<echo::match_started>(begun[0].what).in_progress);
}

BOOST_AUTO_TEST_CASE(a_counter_that_jumps_is_reported) {
  match game;
  game.see(5);
  game.of("Ann").stats.saves = 3;
  game.see();
  game.of("Ann").stats.saves = 4;
  game.see();
  const auto saves = game.found.of("save");
  BOOST_REQUIRE(saves.size() == 2u);
  BOOST_TEST(saves[0].count == 3u);
  BOOST_TEST(saves[0].uncertain);
  BOOST_TEST(saves[1].count == 1u);
  BOOST_TEST(!saves[1].uncertain);
}

BOOST_AUTO_TEST_CASE(lost_ticks_make_events_uncertain) {
  for (const bool gap_reported : {false, true}) {
    match game;
    game.see(30);
    if (gap_reported) {
      game.detector.note_lost();
    } else {
      game.number += 20;
    }
    game.of("Ann").stats.stuns = 1;
    game.see();
    game.of("Ann").stats.stuns = 2;
    game.see(5);  // its victim may appear stunned a little later
    const auto stuns = game.found.of("stun");
    BOOST_REQUIRE(stuns.size() == 2u);
    BOOST_TEST(stuns[0].uncertain);
    BOOST_TEST(stuns[0].missed_ms == (gap_reported ? 34 : 700));
    BOOST_TEST(!stuns[1].uncertain);
  }
}

BOOST_AUTO_TEST_CASE(decreasing_counters_are_a_new_beginning) {
  match game;
  game.of("Ann").stats.stuns = 9;
  game.of("Ann").stats.saves = 1;
  game.see(3);
  game.of("Ann").stats.stuns = 0;
  game.of("Ann").stats.saves = 2;  // ambiguous: of the new round or of the old one
  game.see(3);
  BOOST_TEST(game.found.of("stun").empty());
  BOOST_TEST(game.found.of("save").empty());
}

BOOST_AUTO_TEST_CASE(a_player_leaves_in_the_middle_of_a_throw) {
  match game;
  hold(game.of("Ann"), true);
  game.see(10);
  hold(game.of("Ann"), false);
  game.see();
  game.leave("Ann");
  game.see(3);
  hold(game.of("Bob"), true);
  game.see(60);
  game.detector.finish(game.found);
  BOOST_TEST(game.found.of("throw").size() == 1u);
  BOOST_TEST(game.found.of("player_left").size() == 1u);
  BOOST_TEST(game.found.of("interception").empty());
}

BOOST_AUTO_TEST_CASE(a_player_who_leaves_with_the_disc_threw_nothing) {
  match game;
  hold(game.of("Ann"), true);
  game.see(10);
  game.leave("Ann");
  game.see(20);
  BOOST_TEST(game.found.of("throw").empty());
  const auto changed = game.found.of("possession_changed");
  BOOST_REQUIRE(changed.size() == 1u);
  const auto& what = std::get<echo::possession_changed>(changed[0].what);
  BOOST_TEST(what.from.name.view() == "Ann");
  BOOST_TEST(!what.player.is_known());
}

BOOST_AUTO_TEST_CASE(a_reused_slot_is_another_player) {
  match game;
  game.of("Ann").stats.saves = 5;
  game.see(5);
  game.leave("Ann");
  game.join("Eve", 9, 0, 1).stats.saves = 7;
  game.see(5);
  BOOST_TEST(game.found.of("save").empty());
  BOOST_TEST(game.found.of("player_left").size() == 1u);
  const auto joined = game.found.of("player_joined");
  BOOST_REQUIRE(joined.size() == 1u);
  BOOST_TEST(std::get<echo::player_joined>(joined[0].what).player.name.view() == "Eve");
}

BOOST_AUTO_TEST_CASE(two_players_of_one_name_and_number_are_two) {
  match game;
  game.join("bot", 0, 0, 5);
  game.join("bot", 0, 0, 6);
  game.see(5);
  game.now->players[echo::first_player(game.now->match, 0) + 1].stats.stuns = 1;
  game.see(5);
  BOOST_TEST(game.found.of("stun").size() == 1u);
  BOOST_TEST(game.found.of("player_joined").empty());
  BOOST_TEST(game.found.of("player_left").empty());
}

BOOST_AUTO_TEST_CASE(the_victim_of_a_stun_is_found_a_tick_earlier_or_later) {
  for (const int victim_tick : {-1, 0, 1, 2}) {
    match game;
    game.see(5);
    for (int tick = -1; tick <= 2; ++tick) {
      if (tick == 0) game.of("Ann").stats.stuns = 1;
      if (tick == victim_tick) game.of("Bob").stunned = true;
      game.see();
    }
    game.see(10);
    const auto stuns = game.found.of("stun");
    BOOST_REQUIRE(stuns.size() == 1u);
    const auto& stun = std::get<echo::stun>(stuns[0].what);
    BOOST_TEST(stun.player.name.view() == "Ann");
    BOOST_TEST(stun.victim.name.view() == "Bob");
    BOOST_TEST(stuns[0].late_ms / 33 == std::max(victim_tick, 0));
    BOOST_TEST(!stuns[0].uncertain);
  }
  // No player was stunned, and one stun has one victim.
  match game;
  game.see(5);
  game.of("Bob").stunned = true;
  game.of("Ann").stats.stuns = 1;
  game.see(2);
  game.of("Ann").stats.stuns = 2;
  game.see(5);
  const auto stuns = game.found.of("stun");
  BOOST_REQUIRE(stuns.size() == 2u);
  BOOST_TEST(std::get<echo::stun>(stuns[0].what).victim.is_known());
  BOOST_TEST(!std::get<echo::stun>(stuns[1].what).victim.is_known());
}

BOOST_AUTO_TEST_CASE(the_clock_goes_back) {
  match game;
  game.see(30);
  game.now->recorded_time_ms -= 3'600'000;
  game.of("Ann").stats.saves = 1;
  game.detector.see(game.number++, *game.now, game.found);
  const auto saves = game.found.of("save");
  BOOST_REQUIRE(saves.size() == 1u);
  BOOST_TEST(saves[0].uncertain);
}

BOOST_AUTO_TEST_CASE(another_session_is_another_match) {
  match game;
  game.see(5);
  game.now->match.sessionid.assign("B");
  game.of("Ann").stats.saves = 9;
  game.now->match.blue_points = 8;
  game.see(5);
  BOOST_TEST(game.found.of("match_started").size() == 2u);
  BOOST_REQUIRE(game.found.of("match_ended").size() == 1u);
  BOOST_TEST(game.found.of("match_ended")[0].uncertain);
  BOOST_TEST(game.found.of("save").empty());
  BOOST_TEST(game.found.of("goal").empty());
}

BOOST_AUTO_TEST_CASE(no_player_is_present) {
  match game;
  game.leave("Ann");
  game.leave("Bob");
  game.see(30);
  game.now->match.team_count = 0;
  game.see(30);
  BOOST_TEST(game.found.all.size() == 1u);
}

BOOST_AUTO_TEST_CASE(a_ping_that_jumps) {
  match game;
  game.see(150);
  game.of("Bob").ping = 200;
  game.see(30);
  game.of("Bob").ping = 45;
  game.see(30);
  const auto spikes = game.found.of("ping_spike");
  BOOST_REQUIRE(spikes.size() == 1u);
  const auto& spike = std::get<echo::ping_spike>(spikes[0].what);
  BOOST_TEST(spike.player.name.view() == "Bob");
  BOOST_TEST(spike.ping_ms == 200);
  BOOST_TEST(spike.usual_ms == 40);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
