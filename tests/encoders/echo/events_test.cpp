// Events detected in unusual ticks: hand-made, damaged, or of builds with few fields.
#include "tickreel/echo/events.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tickreel/bytes/writer.hpp"

#include "random.hpp"
#include "random_state.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(events_test)

using namespace tickreel;

namespace {

struct collector final : echo::event_listener {
  std::vector<echo::event> all;
  void happened(const echo::event& one) noexcept override { all.push_back(one); }
  [[nodiscard]] std::vector<echo::event> of(std::string_view type) const {
    std::vector<echo::event> found;
    for (const echo::event& each : all) {
      if (echo::type_name(each) == type) found.push_back(each);
    }
    return found;
  }
};

// A 30 Hz match that a test changes tick by tick.
class match {
 public:
  match() {
    echo::session& s = now->match;
    using echo::session;
    s.fields = session::has_sessionid | session::has_map_name | session::has_game_status |
               session::has_game_clock | session::has_blue_points | session::has_orange_points |
               session::has_disc | session::has_last_score | session::has_teams | session::has_client_name;
    s.sessionid.assign("A");
    s.map_name.assign("mpl_arena_a");
    s.game_status.assign("playing");
    s.game_clock = 300;
    s.team_count = 3;
    s.last_score.goal_type.assign("[NO GOAL]");
    join("Ann", 1, 0);
    join("Bob", 2, 1);
  }
  echo::player& join(std::string_view name, std::uint64_t userid, int team, int slot = -1) {
    echo::session& s = now->match;
    const std::size_t place =
        echo::first_player(s, static_cast<std::size_t>(team)) + s.teams[team].player_count;
    for (std::size_t i = s.player_count; i > place; --i) now->players[i] = now->players[i - 1];
    echo::player& one = now->players[place];
    one = {};
    one.name.assign(name);
    one.userid = userid;
    one.playerid = slot >= 0 ? slot : static_cast<std::int32_t>(userid);
    one.fields = echo::player::has_name | echo::player::has_playerid | echo::player::has_userid |
                 echo::player::has_stats | echo::player::has_ping | echo::player::has_possession;
    one.ping = 40;
    one.holding_left.what = one.holding_right.what = echo::holding::none;
    ++s.teams[team].player_count;
    ++s.player_count;
    return one;
  }
  void leave(std::string_view name) {
    echo::session& s = now->match;
    std::size_t place = 0;
    for (int team = 0; team < 3; ++team) {
      for (int i = 0; i < s.teams[team].player_count; ++i, ++place) {
        if (now->players[place].name.view() != name) continue;
        for (std::size_t k = place; k + 1 < s.player_count; ++k) now->players[k] = now->players[k + 1];
        --s.teams[team].player_count;
        --s.player_count;
        return;
      }
    }
    BOOST_FAIL("no player is named " << name);
  }
  echo::player& of(std::string_view name) {
    for (std::size_t i = 0; i < now->match.player_count; ++i) {
      if (now->players[i].name.view() == name) return now->players[i];
    }
    BOOST_FAIL("no player is named " << name);
    return now->players[0];
  }
  void see(int times = 1) {
    for (int i = 0; i < times; ++i) {
      now->recorded_time_ms = 1'700'000'000'000 + static_cast<std::int64_t>(number) * 1000 / 30;
      detector.see(number++, *now, found);
    }
  }

  std::unique_ptr<echo::state> now = std::make_unique<echo::state>();
  echo::event_detector detector;
  collector found;
  std::uint64_t number = 0;
};

void hold(echo::player& one, bool disc) {
  one.holding_right.what = disc ? echo::holding::disc : echo::holding::none;
  one.possession = disc;
}

}  // namespace

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

// Whatever a damaged file contains: events stay few, ordered and writable.
BOOST_AUTO_TEST_CASE(random_states) {
  auto random = test::seeded_random("random states");
  echo::event_detector detector;
  collector found;
  const auto tick = std::make_unique<echo::state>();
  test::state_generator make(random);
  for (int i = 0; i < 3000; ++i) {
    make.fill(*tick, true);
    if (random() % 3 != 0) tick->match.sessionid.assign("A");
    if (random() % 50 == 0) tick->recorded_time_ms = std::numeric_limits<std::int64_t>::min();
    detector.see(random() % 10 == 0 ? random() : static_cast<std::uint64_t>(i), *tick, found);
  }
  detector.finish(found);
  BOOST_TEST(found.all.size() > 1000u);
  std::uint32_t number = 0;
  for (const echo::event& each : found.all) {
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(each, number, room);
    BOOST_REQUIRE(size != 0u);
    const auto back = echo::read_event_record(byte_span(room).first(size));
    BOOST_REQUIRE(back);
    BOOST_TEST(back->number == number);
    std::string before, after;
    echo::append_json(each, 0, before);
    echo::append_json(back->what, 0, after);
    BOOST_REQUIRE_EQUAL(before, after);
    for (std::size_t cut = 0; cut < size; ++cut) {
      const auto shorter = echo::read_event_record(byte_span(room).first(cut));
      if (!shorter) continue;
      // Only a goal may end early, before the fields that older versions lack; the fields present are unchanged.
      BOOST_REQUIRE(std::holds_alternative<echo::goal>(each.what));
      std::array<std::byte, echo::max_event_record_bytes> again;
      BOOST_REQUIRE(echo::write_event_record(shorter->what, shorter->number, again) > cut);
      BOOST_REQUIRE(
          std::equal(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(cut), room.begin()));
    }
    // One flipped bit: an error or another event, nothing else.
    room[random() % size] ^= static_cast<std::byte>(1u << random() % 8);
    (void)echo::read_event_record(byte_span(room).first(size));
    ++number;
    if (number == 500) break;
  }
}

// A stun of version 1, and its size in the current version.
BOOST_AUTO_TEST_CASE(records_of_version_1_are_read) {
  byte_vector old(200);
  byte_writer out(old);
  out.u8(1);
  out.u32(7);
  out.u8(static_cast<std::uint8_t>(*echo::event_type_from_name("stun")));
  out.u8(static_cast<std::uint8_t>(echo::event_source::statistics));
  out.u8(1);
  out.u32(2);
  out.i32(0);
  out.i32(-40);
  out.u64(300);
  out.i64(1'658'001'898'000);
  out.f32(120.5f);
  const auto person = [&](std::string_view name, std::uint64_t userid, std::int32_t slot) {
    out.u8(static_cast<std::uint8_t>(name.size()));
    out.bytes(as_bytes(name));
    out.u64(userid);
    out.i32(slot);
    out.u8(static_cast<std::uint8_t>(echo::side::orange));
  };
  person("Alice", 4255202553004136, 3);
  person("Bob", 5, -1);
  BOOST_REQUIRE(out.ok());
  old.resize(out.size());
  const auto read = echo::read_event_record(old);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->number == 7u);
  BOOST_TEST(read->what.uncertain);
  BOOST_TEST(read->what.count == 2u);
  BOOST_TEST(read->what.late_ms == -40);
  BOOST_TEST(read->what.tick == 300u);
  BOOST_TEST(read->what.time_ms == 1'658'001'898'000);
  BOOST_TEST(read->what.game_clock == 120.5f);
  const auto again = [&] {
    std::array<std::byte, echo::max_event_record_bytes> room;
    const std::size_t size = echo::write_event_record(read->what, read->number, room);
    BOOST_TEST(size <= old.size() - 30);
    return echo::read_event_record(byte_span(room).first(size));
  }();
  BOOST_REQUIRE(again);
  std::string before, after;
  echo::append_json(read->what, 0, before);
  echo::append_json(again->what, 0, after);
  BOOST_TEST(before == after);
  BOOST_TEST(before.find("4255202553004136") != std::string::npos);
}

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

BOOST_AUTO_TEST_CASE(names_map_to_types_and_back) {
  for (std::size_t type = 0; type < echo::event_type_count; ++type) {
    BOOST_TEST((echo::event_type_from_name(echo::type_name(type)) == type));
  }
  BOOST_TEST(!echo::event_type_from_name("home_run"));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
