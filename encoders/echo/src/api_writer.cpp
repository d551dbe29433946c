// json_shape::api: exactly the present fields.
#include <cmath>

#include "parts_writer.hpp"

namespace tickreel::echo {

namespace {

// Appends a field if its bit is set.
class optional_fields {
 public:
  optional_fields(json_output& out, std::uint64_t present) noexcept : out_(out), present_(present) {}
  template <class T>
  void operator()(std::uint64_t bit, std::string_view name, const T& value) {
    if (present_ & bit) out_.member(name, value);
  }

 private:
  json_output& out_;
  std::uint64_t present_;
};

void append_axes(json_output& out, const pose& from) {
  optional_fields field(out, from.fields);
  field(pose::has_forward, "forward", from.forward);
  field(pose::has_left, "left", from.left);
  field(pose::has_up, "up", from.up);
}

void append_pose(json_output& out, std::string_view name, const pose& from, std::string_view position) {
  out.key(name);
  out.begin_object();
  if (from.fields & pose::has_position) out.member(position, from.position);
  append_axes(out, from);
  out.end_object();
}

void append_head(json_output& out, const player& from) {
  if (!(from.fields & player::has_head)) return;
  if (!(from.fields & player::shape_of_2018)) return append_pose(out, "head", from.head, "position");
  if (from.head.fields & pose::has_position) out.member("position", from.head.position);
  append_axes(out, from.head);
}

void append_hand(json_output& out, const player& from, player::field bit, std::string_view name,
                 const pose& hand) {
  if (!(from.fields & bit)) return;
  if (from.fields & player::shape_of_2018) return out.member(name, hand.position);
  append_pose(out, name, hand, "pos");
}

void append_player(json_output& out, const player& from) {
  optional_fields field(out, from.fields);
  out.begin_object();
  field(player::has_name, "name", from.name);
  append_hand(out, from, player::has_rhand, "rhand", from.rhand);
  field(player::has_playerid, "playerid", from.playerid);
  if (from.fields & player::has_stats) {
    out.key("stats");
    append_stats(out, from.stats);
  }
  field(player::has_userid, "userid", from.userid);
  field(player::has_is_emote_playing, "is_emote_playing", from.is_emote_playing);
  field(player::has_number, "number", from.number);
  field(player::has_level, "level", from.level);
  field(player::has_stunned, "stunned", from.stunned);
  field(player::has_ping, "ping", from.ping);
  field(player::has_packetlossratio, "packetlossratio", from.packetlossratio);
  field(player::has_invulnerable, "invulnerable", from.invulnerable);
  if (from.holding_left.what != holding::absent) {
    out.key("holding_left");
    append_holding(out, from.holding_left);
  }
  field(player::has_possession, "possession", from.possession);
  append_head(out, from);
  if (from.fields & player::has_body) append_pose(out, "body", from.body, "position");
  if (from.holding_right.what != holding::absent) {
    out.key("holding_right");
    append_holding(out, from.holding_right);
  }
  append_hand(out, from, player::has_lhand, "lhand", from.lhand);
  field(player::has_blocking, "blocking", from.blocking);
  field(player::has_velocity, "velocity", from.velocity);
  field(player::has_weapon, "Weapon", from.weapon);
  field(player::has_tac_mod, "TacMod", from.tac_mod);
  field(player::has_ordnance, "Ordnance", from.ordnance);
  field(player::has_arm, "Arm", from.arm);
  out.end_object();
}

void append_teams(json_output& out, const state& from) {
  out.key("teams");
  out.begin_array();
  std::size_t first = 0;
  for (std::size_t t = 0; t < team_count_of(from.match); ++t) {
    const team& team = from.match.teams[t];
    const std::size_t count = player_count_of(from.match, t, first);
    out.begin_object();
    if (team.fields & team::has_players) {
      out.key("players");
      out.begin_array();
      for (std::size_t i = 0; i < count; ++i) append_player(out, from.players[first + i]);
      out.end_array();
    }
    first += count;
    if (team.fields & team::has_name) out.member("team", team.name);
    if (team.fields & team::has_possession) out.member("possession", team.possession);
    if (team.fields & team::has_stats) {
      out.key("stats");
      append_stats(out, team.stats);
    }
    out.end_object();
  }
  out.end_array();
}

// Whole points have no decimal point in the arena; combat counts progress.
void append_points(json_output& out, std::string_view name, float points, bool as_progress) {
  const bool whole =
      points == std::trunc(points) && std::abs(points) < 1e9f && !(points == 0 && std::signbit(points));
  if (whole && !as_progress) {
    out.member(name, static_cast<std::int64_t>(points));
  } else {
    out.member(name, points);
  }
}

void append_disc(json_output& out, const session& match) {
  out.key("disc");
  out.begin_object();
  if (match.disc.at.fields & pose::has_position) out.member("position", match.disc.at.position);
  append_axes(out, match.disc.at);
  if (match.fields & session::has_disc_velocity) out.member("velocity", match.disc.velocity);
  if (match.fields & session::has_disc_bounce_count) out.member("bounce_count", match.disc.bounce_count);
  out.end_object();
}

void append_vr_player(json_output& out, const pose& from) {
  optional_fields field(out, from.fields);
  out.key("player");
  out.begin_object();
  field(pose::has_left, "vr_left", from.left);
  field(pose::has_position, "vr_position", from.position);
  field(pose::has_forward, "vr_forward", from.forward);
  field(pose::has_up, "vr_up", from.up);
  out.end_object();
}

void append_nested_payload(json_output& out, const payload_state& from) {
  optional_fields field(out, from.fields);
  out.key("payload");
  out.begin_object();
  field(payload_state::has_pos, "pos", from.pos);
  field(payload_state::has_checkpoint, "checkpoint", from.checkpoint);
  field(payload_state::has_distance, "distance", from.distance);
  field(payload_state::has_speed, "speed", from.speed);
  field(payload_state::has_defenders, "defenders", from.defenders);
  if (from.fields & payload_state::has_multiplier) append_points(out, "multiplier", from.multiplier, false);
  field(payload_state::has_attackers, "attackers", from.attackers);
  out.end_object();
}

void append_flat_payload(json_output& out, const payload_state& from) {
  optional_fields field(out, from.fields);
  field(payload_state::has_multiplier, "payload_multiplier", from.multiplier);
  field(payload_state::has_checkpoint, "payload_checkpoint", from.checkpoint);
  field(payload_state::has_distance, "payload_distance", from.distance);
  field(payload_state::has_defenders, "payload_defenders", from.defenders);
  field(payload_state::has_speed, "payload_speed", from.speed);
}

void append_combat_fields(json_output& out, const session& match) {
  optional_fields field(out, match.fields);
  field(session::has_contested, "contested", match.contested);
  if (match.fields & session::has_payload) {
    if (match.fields & session::nested_payload) {
      append_nested_payload(out, match.payload);
    } else {
      append_flat_payload(out, match.payload);
    }
  }
  if (match.fields & (session::has_overtime_timer | session::has_game_timer)) {
    out.key("timers");
    out.begin_object();
    field(session::has_overtime_timer, "overtime_timer", match.overtime_timer);
    field(session::has_game_timer, "game_timer", match.game_timer);
    out.end_object();
  }
}

}  // namespace

void append_session_as_api(json_output& out, const state& from) {
  const session& match = from.match;
  const bool combat = mode_of(match.map_name.view()) == mode::combat;
  optional_fields field(out, match.fields);
  out.begin_object();
  if (match.fields & session::has_disc) append_disc(out, match);
  field(session::has_orange_team_restart_request, "orange_team_restart_request",
        static_cast<std::int32_t>(match.orange_team_restart_request));
  field(session::has_sessionid, "sessionid", match.sessionid);
  field(session::has_game_clock_display, "game_clock_display", match.game_clock_display);
  field(session::has_game_status, "game_status", match.game_status);
  field(session::has_sessionip, "sessionip", match.sessionip);
  field(session::has_match_type, "match_type", match.match_type);
  field(session::has_map_name, "map_name", match.map_name);
  field(session::has_right_shoulder_pressed2, "right_shoulder_pressed2", match.right_shoulder_pressed2);
  if (match.fields & session::has_teams) append_teams(out, from);
  field(session::has_blue_round_score, "blue_round_score", match.blue_round_score);
  if (match.fields & session::has_orange_points) {
    append_points(out, "orange_points", match.orange_points, combat);
  }
  if (match.fields & session::has_player) append_vr_player(out, match.vr.at);
  field(session::has_private_match, "private_match", match.private_match);
  field(session::has_blue_team_restart_request, "blue_team_restart_request",
        static_cast<std::int32_t>(match.blue_team_restart_request));
  field(session::has_tournament_match, "tournament_match", match.tournament_match);
  field(session::has_orange_round_score, "orange_round_score", match.orange_round_score);
  field(session::has_rules_changed_by, "rules_changed_by", match.rules_changed_by);
  field(session::has_total_round_count, "total_round_count", match.total_round_count);
  field(session::has_left_shoulder_pressed2, "left_shoulder_pressed2", match.left_shoulder_pressed2);
  field(session::has_left_shoulder_pressed, "left_shoulder_pressed", match.left_shoulder_pressed);
  if (match.fields & session::has_pause) {
    out.key("pause");
    append_pause(out, match.pause);
  }
  field(session::has_right_shoulder_pressed, "right_shoulder_pressed", match.right_shoulder_pressed);
  if (match.fields & session::has_blue_points) append_points(out, "blue_points", match.blue_points, combat);
  if (match.fields & session::has_last_throw) {
    out.key("last_throw");
    append_last_throw(out, match.last_throw);
  }
  field(session::has_client_name, "client_name", match.client_name);
  field(session::has_game_clock, "game_clock", match.game_clock);
  if (match.fields & session::has_possession) {
    out.key("possession");
    append_possession(out, match);
  }
  if (match.fields & session::has_last_score) {
    out.key("last_score");
    append_last_score(out, match.last_score);
  }
  append_combat_fields(out, match);
  field(session::has_rules_changed_at, "rules_changed_at", match.rules_changed_at);
  field(session::has_err_code, "err_code", match.err_code);
  field(session::has_err_description, "err_description", match.err_description);
  out.end_object();
}

}  // namespace tickreel::echo
