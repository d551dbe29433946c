// The parts with the same notation in both forms.
#pragma once

#include <charconv>

#include "tickreel/echo/json.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::echo {

// The JSON writer, with the value types of a state.
class json_output : public tickreel::text::json_writer {
 public:
  json_output(std::string& out, number_style numbers) noexcept
      : json_writer(out, numbers == number_style::game ? tickreel::text::json_floats::eight_digits_with_point
                                                       : tickreel::text::json_floats::shortest_with_point) {}

  using json_writer::value;
  void value(const vec3& v) {
    begin_array();
    value(v.x);
    value(v.y);
    value(v.z);
    end_array();
  }
  template <std::size_t Capacity>
  void value(const text<Capacity>& words) {
    value(words.view());
  }
  template <class T>
  void member(std::string_view name, const T& content) {
    key(name);
    value(content);
  }
};

inline void append_stats(json_output& out, const stats& from) {
  out.begin_object();
  out.member("possession_time", from.possession_time);
  out.member("points", from.points);
  out.member("saves", from.saves);
  out.member("goals", from.goals);
  out.member("stuns", from.stuns);
  out.member("passes", from.passes);
  out.member("catches", from.catches);
  out.member("steals", from.steals);
  out.member("blocks", from.blocks);
  out.member("interceptions", from.interceptions);
  out.member("assists", from.assists);
  out.member("shots_taken", from.shots_taken);
  out.end_object();
}

inline void append_pause(json_output& out, const pause_state& from) {
  out.begin_object();
  out.member("paused_state", from.state);
  out.member("unpaused_team", from.unpaused_team);
  out.member("paused_requested_team", from.paused_requested_team);
  out.member("unpaused_timer", from.unpaused_timer);
  out.member("paused_timer", from.paused_timer);
  out.end_object();
}

inline void append_last_score(json_output& out, const last_score& from) {
  out.begin_object();
  out.member("disc_speed", from.disc_speed);
  out.member("team", from.team);
  out.member("goal_type", from.goal_type);
  out.member("point_amount", from.point_amount);
  out.member("distance_thrown", from.distance_thrown);
  out.member("person_scored", from.person_scored);
  out.member("assist_scored", from.assist_scored);
  out.end_object();
}

inline void append_last_throw(json_output& out, const last_throw& from) {
  out.begin_object();
  out.member("arm_speed", from.arm_speed);
  out.member("total_speed", from.total_speed);
  out.member("off_axis_spin_deg", from.off_axis_spin_deg);
  out.member("wrist_throw_penalty", from.wrist_throw_penalty);
  out.member("rot_per_sec", from.rot_per_sec);
  out.member("pot_speed_from_rot", from.pot_speed_from_rot);
  out.member("speed_from_arm", from.speed_from_arm);
  out.member("speed_from_movement", from.speed_from_movement);
  out.member("speed_from_wrist", from.speed_from_wrist);
  out.member("wrist_align_to_throw_deg", from.wrist_align_to_throw_deg);
  out.member("throw_align_to_movement_deg", from.throw_align_to_movement_deg);
  out.member("off_axis_penalty", from.off_axis_penalty);
  out.member("throw_move_penalty", from.throw_move_penalty);
  out.end_object();
}

inline void append_possession(json_output& out, const session& from) {
  out.begin_array();
  out.value(from.possession[0]);
  out.value(from.possession[1]);
  out.end_array();
}

inline void append_holding(json_output& out, const holding& from) {
  switch (from.what) {
    case holding::absent:
      out.null();
      return;
    case holding::none:
      out.value(std::string_view("none"));
      return;
    case holding::geo:
      out.value(std::string_view("geo"));
      return;
    case holding::disc:
      out.value(std::string_view("disc"));
      return;
    case holding::player: {
      char slot[16];
      const auto end = std::to_chars(slot, slot + sizeof slot, from.playerid);
      out.value(std::string_view(slot, static_cast<std::size_t>(end.ptr - slot)));
      return;
    }
    case holding::other:
      out.value(from.word);
      return;
  }
  out.null();
}

// The number of players of a team, limited to the array for any counts.
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
