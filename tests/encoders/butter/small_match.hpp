// A made-up match for tests that need to know every value.
#pragma once

#include <cmath>
#include <vector>

#include "tickreel/echo/state.hpp"

namespace tickreel::test {

inline void face(echo::pose& pose, double turn) {
  pose.forward = {static_cast<float>(std::sin(turn)), 0, static_cast<float>(std::cos(turn))};
  pose.left = {static_cast<float>(std::cos(turn)), 0, static_cast<float>(-std::sin(turn))};
  pose.up = {0, 1, 0};
  pose.fields = echo::pose::has_all;
}

inline void add_player(echo::state& state, std::size_t team, const char* name, std::uint64_t userid) {
  using p = echo::player;
  echo::session& match = state.match;
  echo::player& player = state.players[match.player_count];
  player = {};
  player.name.assign(name);
  player.userid = userid;
  player.playerid = match.player_count;
  player.number = 10 + match.player_count;
  player.level = 20 + match.player_count;
  player.ping = 30;
  player.fields = p::has_name | p::has_playerid | p::has_userid | p::has_number | p::has_level | p::has_ping |
                  p::has_packetlossratio | p::has_stunned | p::has_invulnerable | p::has_blocking |
                  p::has_possession | p::has_velocity | p::has_head | p::has_body | p::has_lhand |
                  p::has_rhand | p::has_stats;
  player.holding_left.what = player.holding_right.what = echo::holding::none;
  for (echo::pose* part : {&player.head, &player.body, &player.lhand, &player.rhand}) face(*part, 0.5);
  ++match.player_count;
  ++match.teams[team].player_count;
}

// Two against two in private arena (or combat), not moving, with all fields present.
inline echo::state opening(const char* map = "mpl_arena_a") {
  using s = echo::session;
  echo::state state;
  state.recorded_time_ms = 1'700'000'000'000;
  echo::session& match = state.match;
  match.sessionid.assign("56BEFA39-571C-1D29-4A8D-DE0F3C35612E");
  match.sessionip.assign("216.104.43.94");
  match.client_name.assign("Ember.X");
  match.map_name.assign(map);
  match.private_match = true;
  match.game_status.assign("playing");
  match.game_clock = 500;
  match.pause.state.assign("unpaused");
  match.pause.unpaused_team.assign("none");
  match.pause.paused_requested_team.assign("none");
  match.last_score.team.assign("blue");
  match.last_score.goal_type.assign("SLAM DUNK");
  match.last_score.point_amount = 2;
  face(match.vr.at, 0.1);
  face(match.disc.at, 0.2);
  match.fields = s::has_sessionid | s::has_sessionip | s::has_client_name | s::has_map_name |
                 s::has_private_match | s::has_game_status | s::has_game_clock | s::has_blue_points |
                 s::has_orange_points | s::has_blue_round_score | s::has_orange_round_score |
                 s::has_total_round_count | s::has_blue_team_restart_request |
                 s::has_orange_team_restart_request | s::has_disc | s::has_disc_velocity | s::has_player |
                 s::has_pause | s::has_last_score | s::has_last_throw | s::has_teams;
  match.team_count = 3;
  for (echo::team& team : match.teams) {
    team.fields = echo::team::has_possession | echo::team::has_stats | echo::team::has_players;
  }
  add_player(state, 0, "Aurora", 1001);
  add_player(state, 0, "Basalt-", 1002);
  add_player(state, 1, "Cinder_9", 1003);
  add_player(state, 1, "drift", 1004);
  return state;
}

// `count` ticks of 33 ms from `first`; `change(state, i)` turns the opening state into the i-th one.
template <class Change>
std::vector<echo::state> match_of(std::size_t count, const echo::state& first, Change change) {
  std::vector<echo::state> states;
  for (std::size_t i = 0; i < count; ++i) {
    states.push_back(first);
    states.back().recorded_time_ms += static_cast<std::int64_t>(33 * i);
    states.back().match.game_clock -= 0.033f * static_cast<float>(i);
    change(states.back(), i);
  }
  return states;
}

inline echo::quat turned(double x, double y, double angle) {
  const double s = std::sin(angle / 2), z = std::sqrt(std::max(0.0, 1 - x * x - y * y));
  return {static_cast<float>(x * s), static_cast<float>(y * s), static_cast<float>(z * s),
          static_cast<float>(std::cos(angle / 2))};
}

inline void give_bones(echo::state& state, std::size_t players, double time) {
  state.bones = echo::bones_kind::present;
  state.bone_player_count = static_cast<std::uint8_t>(players);
  for (std::size_t i = 0; i < players; ++i) {
    for (std::size_t j = 0; j < echo::bone_count; ++j) {
      const double phase = time + static_cast<double>(i) + 0.3 * static_cast<double>(j);
      state.bone_players[i].positions[j] = {static_cast<float>(std::sin(phase)),
                                            static_cast<float>(std::cos(phase * 0.7)),
                                            static_cast<float>(0.1 * std::sin(phase * 3))};
      state.bone_players[i].rotations[j] = turned(0.6 * std::sin(phase), 0.5, phase);
    }
  }
}

}  // namespace tickreel::test
