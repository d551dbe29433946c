#include "tickreel/echo_vr/simulator.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "state_equal.hpp"
#include "tickreel/codec/codec.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(echo_simulator_tests)
BOOST_AUTO_TEST_SUITE(simulator_test)

using namespace tickreel;
using echo_vr::match_simulator;
using echo_vr::simulation_options;

namespace {

std::string json_of(const echo::state& tick) {
  std::string text = std::to_string(tick.recorded_time_ms);
  echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, text);
  echo::append_bones_json(tick, echo::json_shape::api, echo::number_style::shortest, text);
  return text;
}

// A hash over the hashes of the first ticks.
std::uint64_t hash_of(match_simulator& simulator, int ticks) {
  const auto tick = std::make_unique<echo::state>();
  byte_vector hashes;
  for (int i = 0; i < ticks && simulator.next(*tick); ++i) {
    std::uint64_t hash = xxh3_64(as_bytes(json_of(*tick)));
    for (int k = 0; k < 8; ++k, hash >>= 8) hashes.push_back(static_cast<std::byte>(hash & 0xff));
  }
  return xxh3_64(hashes);
}

// Calls each(tick) for the whole match; returns the number of ticks.
template <class Each>
int play(const simulation_options& options, Each each) {
  match_simulator simulator(options);
  const auto tick = std::make_unique<echo::state>();
  int ticks = 0;
  for (; simulator.next(*tick); ++ticks) each(*tick);
  return ticks;
}

simulation_options short_match(std::uint64_t seed, echo::mode mode = echo::mode::arena) {
  simulation_options options;
  options.seed = seed;
  options.mode = mode;
  options.match_seconds = 150;
  options.rate_hz = 30;
  return options;
}

float dot(const echo::vec3& a, const echo::vec3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
float distance(const echo::vec3& a, const echo::vec3& b) {
  const echo::vec3 between{a.x - b.x, a.y - b.y, a.z - b.z};
  return std::sqrt(dot(between, between));
}

bool is_rounded(float value) {
  return value == static_cast<float>(std::nearbyint(static_cast<double>(value) * 1000) / 1000);
}
bool is_rounded(const echo::vec3& v) {
  return is_rounded(v.x) && is_rounded(v.y) && is_rounded(v.z);
}

// Rounding to 3 decimals leaves an error of 0.0005 in each coordinate.
bool is_a_direction(const echo::pose& at) {
  const echo::vec3& f = at.forward;
  const echo::vec3& u = at.up;
  const echo::vec3 up_x_forward{u.y * f.z - u.z * f.y, u.z * f.x - u.x * f.z, u.x * f.y - u.y * f.x};
  return at.fields == echo::pose::has_all && is_rounded(at.position) && is_rounded(f) &&
         is_rounded(at.left) && is_rounded(u) && std::abs(dot(f, f) - 1) < 0.003f &&
         std::abs(dot(u, u) - 1) < 0.003f && std::abs(dot(f, u)) < 0.003f &&
         distance(up_x_forward, at.left) < 0.004f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_same_seed_is_the_same_match) {
  match_simulator first, second;
  const auto a = std::make_unique<echo::state>();
  const auto b = std::make_unique<echo::state>();
  // The previous contents of `out` have no effect.
  b->match.fields = ~std::uint64_t{0};
  b->match.teams[1].player_count = 9;
  b->bone_player_count = 32;
  for (int i = 0; i < 900; ++i) {
    BOOST_REQUIRE(first.next(*a));
    BOOST_REQUIRE(second.next(*b));
    BOOST_REQUIRE_EQUAL(test::session_difference(*a, *b), "");
    BOOST_REQUIRE_EQUAL(test::bones_difference(*a, *b), "");
  }
  match_simulator moved = std::move(first);
  BOOST_REQUIRE(moved.next(*a));
  BOOST_REQUIRE(second.next(*b));
  BOOST_TEST(test::session_difference(*a, *b) == "");
}

BOOST_AUTO_TEST_CASE(known_hashes) {
  match_simulator arena;
  BOOST_TEST(hash_of(arena, 600) == 5553205853735727226u);
  arena.rewind();
  BOOST_TEST(hash_of(arena, 600) == 5553205853735727226u);
  simulation_options options;
  options.mode = echo::mode::combat;
  match_simulator combat(options);
  BOOST_TEST(hash_of(combat, 600) == 236624019146375819u);
  // Short, so that incidents of every kind are inside.
  options = {};
  options.seed = 7;
  options.match_seconds = 10;
  match_simulator short_one(options);
  BOOST_TEST(hash_of(short_one, 10'000) == 3939379863894871625u);
}

BOOST_AUTO_TEST_CASE(another_seed_is_another_match) {
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    match_simulator simulator(short_match(seed));
    hashes.insert(hash_of(simulator, 60));
  }
  BOOST_TEST(hashes.size() == 10u);
}

BOOST_AUTO_TEST_CASE(length_and_times) {
  for (const std::uint32_t rate : {1u, 10u, 60u, 90u}) {
    simulation_options options;
    options.rate_hz = rate;
    options.match_seconds = 20;
    options.bones = false;
    std::int64_t expected_tick = 0;
    const int ticks = play(options, [&](const echo::state& tick) {
      BOOST_REQUIRE(tick.recorded_time_ms == options.start_time_ms + expected_tick * 1000 / rate);
      BOOST_REQUIRE((tick.bones == echo::bones_kind::absent));
      ++expected_tick;
    });
    BOOST_TEST(ticks == static_cast<int>(25 * rate));
  }
}

BOOST_AUTO_TEST_CASE(nothing_changes_after_the_end) {
  simulation_options options;
  options.match_seconds = 1;
  match_simulator simulator(options);
  const auto tick = std::make_unique<echo::state>();
  while (simulator.next(*tick)) {}
  tick->match.client_name.assign("mine");
  BOOST_TEST(!simulator.next(*tick));
  BOOST_TEST(tick->match.client_name.view() == "mine");
  simulator.rewind();
  BOOST_TEST(simulator.next(*tick));
}

BOOST_AUTO_TEST_CASE(every_tick_round_trips_through_the_api) {
  for (const echo::mode mode : {echo::mode::arena, echo::mode::combat}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      echo::json_parser parser;
      const auto again = std::make_unique<echo::state>();
      int index = 0;
      play(short_match(seed, mode), [&](const echo::state& tick) {
        if (++index % 7 != 0) return;
        std::string session, bones;
        echo::append_session_json(tick, echo::json_shape::api, echo::number_style::shortest, session);
        echo::append_bones_json(tick, echo::json_shape::api, echo::number_style::shortest, bones);
        const auto report = parser.parse_session(session, *again);
        BOOST_REQUIRE(report && report->complete());
        BOOST_REQUIRE(parser.parse_bones(bones, *again).has_value());
        BOOST_REQUIRE_EQUAL(test::session_difference(tick, *again), "");
        BOOST_REQUIRE_EQUAL(test::bones_difference(tick, *again), "");
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(players_and_disc_move_plausibly) {
  for (const echo::mode mode : {echo::mode::arena, echo::mode::combat}) {
    const simulation_options options = short_match(3, mode);
    std::map<std::uint64_t, echo::player> before;
    std::map<std::uint64_t, int> team_before;
    play(options, [&](const echo::state& tick) {
      std::map<std::uint64_t, echo::player> now;
      std::map<std::uint64_t, int> team_now;
      for (int t = 0; t < 3; ++t) {
        const std::size_t first = echo::first_player(tick.match, static_cast<std::size_t>(t));
        for (std::size_t i = 0; i < tick.match.teams[t].player_count; ++i) {
          const echo::player& p = tick.players[first + i];
          now[p.userid] = p;
          team_now[p.userid] = t;
          for (const echo::pose* part : {&p.head, &p.body, &p.lhand, &p.rhand}) {
            BOOST_REQUIRE(is_a_direction(*part));
          }
          BOOST_REQUIRE(is_rounded(p.velocity));
          BOOST_REQUIRE(distance(p.lhand.position, p.body.position) < 1.2f);
          BOOST_REQUIRE(p.userid >= 1'000'000'000'000'000u);
          BOOST_REQUIRE(p.userid < (std::uint64_t{1} << 53));
          BOOST_REQUIRE(p.ping >= 5);
          BOOST_REQUIRE(!p.name.empty());
          const auto old = before.find(p.userid);
          if (old == before.end() || team_before[p.userid] != t) continue;
          BOOST_REQUIRE(distance(p.head.position, old->second.head.position) < 25.0f / 30);
          BOOST_REQUIRE(distance(p.head.forward, old->second.head.forward) < 0.6f);
          BOOST_REQUIRE(p.stats.points >= old->second.stats.points);
          BOOST_REQUIRE(p.stats.stuns >= old->second.stats.stuns);
          BOOST_REQUIRE(p.stats.possession_time >= old->second.stats.possession_time);
        }
      }
      if (mode == echo::mode::arena) {
        const echo::vec3 at = tick.match.disc.at.position;
        BOOST_REQUIRE(is_a_direction(tick.match.disc.at));
        BOOST_REQUIRE(std::abs(at.x) <= 16);
        BOOST_REQUIRE(std::abs(at.y) <= 11);
        BOOST_REQUIRE(std::abs(at.z) <= 40);
      }
      BOOST_REQUIRE(is_a_direction(tick.match.vr.at));
      before = std::move(now);
      team_before = std::move(team_now);
    });
  }
}

BOOST_AUTO_TEST_CASE(skeletons_are_plausible) {
  const auto previous = std::make_unique<echo::state>();
  play(short_match(5), [&](const echo::state& tick) {
    BOOST_REQUIRE((tick.bones == echo::bones_kind::present));
    const std::size_t flyers = tick.match.teams[0].player_count + tick.match.teams[1].player_count;
    BOOST_REQUIRE(tick.bone_player_count == flyers);
    for (std::size_t i = 0; i < flyers; ++i) {
      const echo::bone_player& bones = tick.bone_players[i];
      BOOST_REQUIRE(bones.playerid == tick.players[i].playerid);
      const bool same_person = i < previous->bone_player_count &&
                               previous->bone_players[i].playerid == bones.playerid &&
                               previous->match.player_count == tick.match.player_count;
      for (std::size_t k = 0; k < echo::bone_count; ++k) {
        const echo::quat& q = bones.rotations[k];
        BOOST_REQUIRE(std::abs(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 1e-5f);
        BOOST_REQUIRE(distance(bones.positions[k], {}) < 1.1f);
        if (!same_person) continue;
        const echo::quat& p = previous->bone_players[i].rotations[k];
        BOOST_REQUIRE(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w > 0.98f);
        BOOST_REQUIRE(distance(bones.positions[k], previous->bone_players[i].positions[k]) < 0.1f);
      }
    }
    echo::copy_state(*previous, tick);
  });
}

BOOST_AUTO_TEST_CASE(incidents_occur) {
  std::set<std::string> statuses, pauses, goals;
  bool stunned = false, invulnerable = false, blocking = false, emote = false, holds_disc = false,
       holds_geo = false, holds_player = false, newcomer_reads_0 = false, blue_restart = false,
       orange_restart = false, thrown = false;
  std::set<int> blue_sizes, orange_sizes;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    float points = 0;
    play(short_match(seed), [&](const echo::state& tick) {
      const echo::session& match = tick.match;
      statuses.emplace(match.game_status.view());
      pauses.emplace(match.pause.state.view());
      blue_sizes.insert(match.teams[0].player_count);
      orange_sizes.insert(match.teams[1].player_count);
      blue_restart |= match.blue_team_restart_request;
      orange_restart |= match.orange_team_restart_request;
      thrown |= match.last_throw.total_speed > 0;
      const float now = match.blue_points + match.orange_points;
      BOOST_REQUIRE(now >= points);
      if (now > points) {
        BOOST_REQUIRE(now - points == static_cast<float>(match.last_score.point_amount));
        goals.emplace(match.last_score.goal_type.view());
      }
      points = now;
      if (match.possession[0] >= 0) {
        const auto team = static_cast<std::size_t>(match.possession[0]);
        BOOST_REQUIRE(match.possession[1] < match.teams[team].player_count);
        BOOST_REQUIRE(
            tick.players[echo::first_player(match, team) + static_cast<std::size_t>(match.possession[1])]
                .possession);
        BOOST_REQUIRE(match.teams[team].possession);
      }
      for (std::size_t i = 0; i < match.player_count; ++i) {
        const echo::player& p = tick.players[i];
        stunned |= p.stunned;
        invulnerable |= p.invulnerable;
        blocking |= p.blocking;
        emote |= p.is_emote_playing;
        newcomer_reads_0 |= p.level == 0 && p.number == 0;
        for (const echo::holding* each : {&p.holding_left, &p.holding_right}) {
          holds_disc |= each->what == echo::holding::disc;
          holds_geo |= each->what == echo::holding::geo;
          holds_player |= each->what == echo::holding::player;
        }
      }
    });
  }
  for (const char* status : {"pre_match", "round_start", "playing", "score", "round_over", "post_match"}) {
    BOOST_TEST(statuses.count(status) == 1u, status);
  }
  for (const char* pause : {"unpaused", "paused_requested", "paused", "unpausing"}) {
    BOOST_TEST(pauses.count(pause) == 1u, pause);
  }
  BOOST_TEST(goals.size() >= 2u);
  BOOST_TEST(stunned);
  BOOST_TEST(invulnerable);
  BOOST_TEST(blocking);
  BOOST_TEST(emote);
  BOOST_TEST(holds_disc);
  BOOST_TEST(holds_geo);
  BOOST_TEST(holds_player);
  BOOST_TEST(newcomer_reads_0);
  BOOST_TEST(blue_restart);
  BOOST_TEST(orange_restart);
  BOOST_TEST(thrown);
  BOOST_TEST((blue_sizes == std::set<int>{4, 5}));
  BOOST_TEST((orange_sizes == std::set<int>{3, 4, 5}));
}

BOOST_AUTO_TEST_CASE(a_tie_is_extended) {
  std::set<std::string> statuses;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    simulation_options options = short_match(seed);
    options.match_seconds = 40;
    play(options, [&](const echo::state& tick) { statuses.emplace(tick.match.game_status.view()); });
  }
  BOOST_TEST(statuses.count("pre_sudden_death") == 1u);
  BOOST_TEST(statuses.count("sudden_death") == 1u);
  BOOST_TEST(statuses.count("post_sudden_death") == 1u);
}

BOOST_AUTO_TEST_CASE(without_incidents_there_is_only_play) {
  simulation_options options = short_match(2);
  options.incidents = false;
  options.spectators = 0;
  std::set<std::string> statuses;
  play(options, [&](const echo::state& tick) {
    statuses.emplace(tick.match.game_status.view());
    BOOST_REQUIRE(tick.match.player_count == 8);
    BOOST_REQUIRE((tick.match.teams[2].fields & echo::team::has_players) == 0);
    BOOST_REQUIRE(tick.match.blue_points + tick.match.orange_points == 0.0f);
    BOOST_REQUIRE(tick.match.pause.state.view() == "unpaused");
    for (std::size_t i = 0; i < 8; ++i) BOOST_REQUIRE(!tick.players[i].stunned);
  });
  BOOST_TEST((statuses == std::set<std::string>{"playing", "post_match"}));
}

BOOST_AUTO_TEST_CASE(combat_has_both_kinds_of_maps) {
  std::set<std::string> maps;
  bool contested = false, progress = false, moved = false;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    float distance_before = 0;
    play(short_match(seed, echo::mode::combat), [&](const echo::state& tick) {
      const echo::session& match = tick.match;
      maps.emplace(match.map_name.view());
      BOOST_REQUIRE((echo::mode_of(match.map_name.view()) == echo::mode::combat));
      BOOST_REQUIRE((match.fields & (echo::session::has_disc | echo::session::has_game_status |
                                     echo::session::has_last_score | echo::session::has_possession)) == 0);
      const bool has_payload = match.fields & echo::session::has_payload;
      BOOST_REQUIRE(has_payload != ((match.fields & echo::session::has_blue_points) != 0));
      BOOST_REQUIRE(has_payload == ((match.fields & echo::session::nested_payload) != 0));
      contested |= match.contested;
      progress |= match.blue_points > 0;
      BOOST_REQUIRE(match.payload.distance >= distance_before);
      moved |= match.payload.distance > 0;
      distance_before = match.payload.distance;
      BOOST_REQUIRE(!tick.players[0].weapon.empty());
      BOOST_REQUIRE((tick.players[0].fields & echo::player::has_stats) == 0);
      BOOST_REQUIRE((tick.players[0].holding_left.what == echo::holding::absent));
    });
  }
  BOOST_TEST(maps.size() == 4u);
  BOOST_TEST(contested);
  BOOST_TEST(progress);
  BOOST_TEST(moved);
}

BOOST_AUTO_TEST_CASE(invalid_options_are_corrected) {
  simulation_options options;
  options.rate_hz = 0;
  options.players_per_team = 99;
  options.spectators = 99;
  options.match_seconds = -1;
  const int ticks = play(options, [&](const echo::state& tick) {
    BOOST_REQUIRE(tick.match.player_count >= 14);
    BOOST_REQUIRE(tick.match.player_count <= 16);
  });
  BOOST_TEST(ticks == 6);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
