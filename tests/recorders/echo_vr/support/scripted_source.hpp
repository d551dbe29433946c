// Scripted matches: small, and every tick identifies itself.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tickreel/echo/json.hpp"
#include "tickreel/echo/state.hpp"
#include "tickreel/files/echo_source.hpp"

namespace tickreel::test {

struct scripted_match {
  std::string sessionid = "00000000-AAAA-4000-8000-000000000001";
  std::string map = "mpl_arena_a";
  std::string status = "playing";
  std::uint32_t ticks = 60;
  std::uint32_t rate_hz = 60;
  std::uint32_t first_tick = 0;
  bool bones = false;
  std::string first_player = "blue one";
};

inline constexpr std::int64_t script_start_ms = 1'750'000'000'000;

// Tick `number` of a match. The clock counts down a hundredth of a second per tick, so it identifies the tick; the disc moves
// with it.
inline void fill_tick(const scripted_match& match, std::uint32_t number, echo::state& out) {
  using echo::session;
  out = {};
  out.recorded_time_ms = script_start_ms + std::int64_t{number} * 1000 / match.rate_hz;
  session& to = out.match;
  to.fields = session::has_sessionid | session::has_sessionip | session::has_client_name |
              session::has_match_type | session::has_map_name | session::has_private_match |
              session::has_game_status | session::has_game_clock | session::has_game_clock_display |
              session::has_blue_points | session::has_orange_points | session::has_disc |
              session::has_disc_velocity | session::has_disc_bounce_count | session::has_teams;
  to.sessionid.assign(match.sessionid);
  to.sessionip.assign("127.0.0.1");
  to.client_name.assign("observer");
  to.match_type.assign("Echo_Arena_Private");
  to.map_name.assign(match.map);
  to.game_status.assign(match.status);
  to.private_match = true;
  to.game_clock = 500.0f - static_cast<float>(number) / 100.0f;
  to.game_clock_display.assign("08:20.00");
  to.disc.at.fields = echo::pose::has_all;
  to.disc.at.position = {static_cast<float>(number % 1000) / 100.0f, 1.0f, 2.0f};
  to.disc.at.forward = {0, 0, 1};
  to.disc.at.left = {1, 0, 0};
  to.disc.at.up = {0, 1, 0};
  to.team_count = 3;
  const char* names[3] = {"BLUE TEAM", "ORANGE TEAM", "SPECTATORS"};
  for (std::size_t team = 0; team < 3; ++team) {
    to.teams[team].fields = echo::team::has_name | echo::team::has_possession;
    to.teams[team].name.assign(names[team]);
  }
  for (std::uint32_t i = 0; i < 2; ++i) {
    echo::team& team = to.teams[i];
    team.fields = static_cast<std::uint8_t>(team.fields | echo::team::has_players);
    team.player_count = 1;
    echo::player& player = out.players[i];
    player.fields = echo::player::has_name | echo::player::has_playerid | echo::player::has_userid |
                    echo::player::has_number | echo::player::has_level | echo::player::has_ping |
                    echo::player::has_velocity;
    player.name.assign(i == 0 ? match.first_player : "orange one");
    player.playerid = static_cast<std::int32_t>(i);
    player.userid = 1000 + i;
    player.number = 7;
    player.level = 50;
    for (echo::pose* pose : {&player.head, &player.body, &player.lhand, &player.rhand}) {
      pose->fields = echo::pose::has_all;
      pose->position = {1, 2, 3};
      pose->forward = {0, 0, 1};
      pose->left = {1, 0, 0};
      pose->up = {0, 1, 0};
    }
    player.fields |=
        echo::player::has_head | echo::player::has_body | echo::player::has_lhand | echo::player::has_rhand;
  }
  to.player_count = 2;
  if (match.bones) {
    out.bones = echo::bones_kind::present;
    out.bone_player_count = 2;
    for (std::int32_t i = 0; i < 2; ++i) out.bone_players[static_cast<std::size_t>(i)].playerid = i;
  }
}

// The tick's number, from its clock.
inline std::uint32_t tick_of(const echo::state& from) {
  return static_cast<std::uint32_t>((500.0f - from.match.game_clock) * 100.0f + 0.5f);
}

inline std::string session_text(const scripted_match& match, std::uint32_t number) {
  echo::state state;
  fill_tick(match, number, state);
  std::string text;
  echo::append_session_json(state, echo::json_shape::api, echo::number_style::game, text);
  return text;
}

inline std::string bones_text(const scripted_match& match, std::uint32_t number) {
  echo::state state;
  fill_tick(match, number, state);
  std::string text;
  echo::append_bones_json(state, echo::json_shape::api, echo::number_style::game, text);
  return text;
}

// Plays scripted matches one after the other.
class scripted_source final : public files::echo_source {
 public:
  explicit scripted_source(std::vector<scripted_match> matches) : matches_(std::move(matches)) {}

  result<bool> next(echo::state& out) override {
    while (match_ < matches_.size() && tick_ == matches_[match_].ticks) {
      ++match_;
      tick_ = 0;
    }
    if (match_ == matches_.size()) return false;
    const scripted_match& from = matches_[match_];
    fill_tick(from, from.first_tick + tick_++, out);
    out.recorded_time_ms = script_start_ms + elapsed_ms_;
    elapsed_ms_ += 1000 / from.rate_hz;
    return true;
  }

  result<void> rewind() override {
    match_ = 0;
    tick_ = 0;
    elapsed_ms_ = 0;
    return {};
  }

 private:
  std::vector<scripted_match> matches_;
  std::size_t match_ = 0;
  std::uint32_t tick_ = 0;
  std::int64_t elapsed_ms_ = 0;
};

}  // namespace tickreel::test
