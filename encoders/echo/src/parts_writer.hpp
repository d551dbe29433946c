// The parts that both shapes spell alike.
#pragma once

#include <charconv>

#include "json_output.hpp"

namespace tickreel::echo {

inline void append_stats(json_output& out, const stats& from) {
  out.open_value('{');
  out.pair("possession_time", from.possession_time);
  out.pair("points", from.points);
  out.pair("saves", from.saves);
  out.pair("goals", from.goals);
  out.pair("stuns", from.stuns);
  out.pair("passes", from.passes);
  out.pair("catches", from.catches);
  out.pair("steals", from.steals);
  out.pair("blocks", from.blocks);
  out.pair("interceptions", from.interceptions);
  out.pair("assists", from.assists);
  out.pair("shots_taken", from.shots_taken);
  out.close('}');
}

inline void append_pause(json_output& out, const pause_state& from) {
  out.open_value('{');
  out.pair("paused_state", from.state);
  out.pair("unpaused_team", from.unpaused_team);
  out.pair("paused_requested_team", from.paused_requested_team);
  out.pair("unpaused_timer", from.unpaused_timer);
  out.pair("paused_timer", from.paused_timer);
  out.close('}');
}

inline void append_last_score(json_output& out, const last_score& from) {
  out.open_value('{');
  out.pair("disc_speed", from.disc_speed);
  out.pair("team", from.team);
  out.pair("goal_type", from.goal_type);
  out.pair("point_amount", from.point_amount);
  out.pair("distance_thrown", from.distance_thrown);
  out.pair("person_scored", from.person_scored);
  out.pair("assist_scored", from.assist_scored);
  out.close('}');
}

inline void append_last_throw(json_output& out, const last_throw& from) {
  out.open_value('{');
  out.pair("arm_speed", from.arm_speed);
  out.pair("total_speed", from.total_speed);
  out.pair("off_axis_spin_deg", from.off_axis_spin_deg);
  out.pair("wrist_throw_penalty", from.wrist_throw_penalty);
  out.pair("rot_per_sec", from.rot_per_sec);
  out.pair("pot_speed_from_rot", from.pot_speed_from_rot);
  out.pair("speed_from_arm", from.speed_from_arm);
  out.pair("speed_from_movement", from.speed_from_movement);
  out.pair("speed_from_wrist", from.speed_from_wrist);
  out.pair("wrist_align_to_throw_deg", from.wrist_align_to_throw_deg);
  out.pair("throw_align_to_movement_deg", from.throw_align_to_movement_deg);
  out.pair("off_axis_penalty", from.off_axis_penalty);
  out.pair("throw_move_penalty", from.throw_move_penalty);
  out.close('}');
}

inline void append_possession(json_output& out, const session& from) {
  out.open_value('[');
  out.value(from.possession[0]);
  out.value(from.possession[1]);
  out.close(']');
}

inline void append_holding(json_output& out, const holding& from) {
  switch (from.what) {
    case holding::absent:
      return out.null();
    case holding::none:
      return out.value(std::string_view("none"));
    case holding::geo:
      return out.value(std::string_view("geo"));
    case holding::disc:
      return out.value(std::string_view("disc"));
    case holding::player: {
      char slot[16];
      const auto end = std::to_chars(slot, slot + sizeof slot, from.playerid);
      return out.value(std::string_view(slot, static_cast<std::size_t>(end.ptr - slot)));
    }
    case holding::other:
      return out.value(from.word);
  }
  out.null();
}

// The players of a team, kept inside the arrays whatever the counts claim.
inline std::size_t player_count_of(const session& match, std::size_t team_index, std::size_t first) noexcept {
  return first >= max_players
             ? 0
             : std::min<std::size_t>(match.teams[team_index].player_count, max_players - first);
}
inline std::size_t team_count_of(const session& match) noexcept {
  return std::min<std::size_t>(match.team_count, max_teams);
}

void append_session_as_api(json_output& out, const state& from);
void append_session_as_model(json_output& out, const state& from);

}  // namespace tickreel::echo
