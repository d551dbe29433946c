// json_shape::model: every key in every frame. Absent values are null where the model permits it; numbers and
// booleans have their defaults.
#include "parts_writer.hpp"

namespace tickreel::echo {

namespace {

template <class T>
void append_or_null(json_output& out, std::string_view name, bool present, const T& value) {
  out.key(name);
  if (present) {
    out.value(value);
  } else {
    out.null();
  }
}

void append_model_axes(json_output& out, const pose& from) {
  append_or_null(out, "forward", from.fields & pose::has_forward, from.forward);
  append_or_null(out, "left", from.fields & pose::has_left, from.left);
  append_or_null(out, "up", from.fields & pose::has_up, from.up);
}

// Heads and bodies use `position`, hands `pos`; the other one is null.
void append_pose(json_output& out, std::string_view name, bool present, const pose& from, bool is_hand) {
  out.key(name);
  if (!present) {
    out.null();
    return;
  }
  const bool placed = from.fields & pose::has_position;
  out.begin_object();
  append_or_null(out, "pos", placed && is_hand, from.position);
  append_or_null(out, "position", placed && !is_hand, from.position);
  append_model_axes(out, from);
  out.end_object();
}

void append_stats_or_null(json_output& out, bool present, const stats& from) {
  out.key("stats");
  if (present) {
    append_stats(out, from);
  } else {
    out.null();
  }
}

void append_model_player(json_output& out, const player& from) {
  out.begin_object();
  append_or_null(out, "Weapon", from.fields & player::has_weapon, from.weapon);
  append_or_null(out, "Ordnance", from.fields & player::has_ordnance, from.ordnance);
  append_or_null(out, "TacMod", from.fields & player::has_tac_mod, from.tac_mod);
  append_or_null(out, "Arm", from.fields & player::has_arm, from.arm);
  append_pose(out, "head", from.fields & player::has_head, from.head, false);
  append_pose(out, "body", from.fields & player::has_body, from.body, false);
  out.member("userid", from.userid);
  append_or_null(out, "name", from.fields & player::has_name, from.name);
  out.member("playerid", from.playerid);
  out.member("number", from.number);
  out.member("level", from.level);
  out.member("ping", from.ping);
  out.member("packetlossratio", from.packetlossratio);
  out.member("stunned", from.stunned);
  out.member("invulnerable", from.invulnerable);
  out.key("holding_left");
  append_holding(out, from.holding_left);
  out.key("holding_right");
  append_holding(out, from.holding_right);
  out.member("blocking", from.blocking);
  out.member("is_emote_playing", from.is_emote_playing);
  out.member("possession", from.possession);
  append_pose(out, "lhand", from.fields & player::has_lhand, from.lhand, true);
  append_pose(out, "rhand", from.fields & player::has_rhand, from.rhand, true);
  append_or_null(out, "velocity", from.fields & player::has_velocity, from.velocity);
  append_stats_or_null(out, from.fields & player::has_stats, from.stats);
  out.end_object();
}

void append_model_teams(json_output& out, const state& from) {
  out.key("teams");
  if (!(from.match.fields & session::has_teams)) {
    out.null();
    return;
  }
  out.begin_array();
  std::size_t first = 0;
  for (std::size_t t = 0; t < team_count_of(from.match); ++t) {
    const team& team = from.match.teams[t];
    const std::size_t count = player_count_of(from.match, t, first);
    out.begin_object();
    out.key("players");
    out.begin_array();
    for (std::size_t i = 0; i < count; ++i) append_model_player(out, from.players[first + i]);
    out.end_array();
    first += count;
    append_or_null(out, "team", team.fields & team::has_name, team.name);
    out.member("possession", team.possession);
    append_stats_or_null(out, team.fields & team::has_stats, team.stats);
    out.end_object();
  }
  out.end_array();
}

void append_model_disc(json_output& out, const session& match) {
  out.key("disc");
  if (!(match.fields & session::has_disc)) {
    out.null();
    return;
  }
  out.begin_object();
  append_or_null(out, "position", match.disc.at.fields & pose::has_position, match.disc.at.position);
  append_model_axes(out, match.disc.at);
  append_or_null(out, "velocity", match.fields & session::has_disc_velocity, match.disc.velocity);
  out.member("bounce_count", match.disc.bounce_count);
  out.end_object();
}

void append_vr_player(json_output& out, const session& match) {
  out.key("player");
  if (!(match.fields & session::has_player)) {
    out.null();
    return;
  }
  const pose& at = match.vr.at;
  out.begin_object();
  append_or_null(out, "vr_left", at.fields & pose::has_left, at.left);
  append_or_null(out, "vr_position", at.fields & pose::has_position, at.position);
  append_or_null(out, "vr_forward", at.fields & pose::has_forward, at.forward);
  append_or_null(out, "vr_up", at.fields & pose::has_up, at.up);
  out.end_object();
}

template <class T>
void append_part(json_output& out, std::string_view name, bool present,
                 void (*append)(json_output&, const T&), const T& from) {
  out.key(name);
  if (present) {
    append(out, from);
  } else {
    out.null();
  }
}

}  // namespace

void append_session_as_model(json_output& out, const state& from) {
  const session& match = from.match;
  const auto has = [&](session::field bit) { return (match.fields & bit) != 0; };
  out.begin_object();
  out.member("err_code", match.err_code);
  append_or_null(out, "err_description", has(session::has_err_description), match.err_description);
  append_model_disc(out, match);
  append_part(out, "last_throw", has(session::has_last_throw), append_last_throw, match.last_throw);
  append_or_null(out, "sessionid", has(session::has_sessionid), match.sessionid);
  append_or_null(out, "sessionip", has(session::has_sessionip), match.sessionip);
  out.member("blue_team_restart_request", match.blue_team_restart_request);
  out.member("orange_team_restart_request", match.orange_team_restart_request);
  append_or_null(out, "game_status", has(session::has_game_status), match.game_status);
  out.member("game_clock", match.game_clock);
  append_or_null(out, "game_clock_display", has(session::has_game_clock_display), match.game_clock_display);
  append_or_null(out, "match_type", has(session::has_match_type), match.match_type);
  append_or_null(out, "map_name", has(session::has_map_name), match.map_name);
  out.member("private_match", match.private_match);
  out.member("tournament_match", match.tournament_match);
  out.member("blue_points", match.blue_points);
  out.member("orange_points", match.orange_points);
  out.member("blue_round_score", match.blue_round_score);
  out.member("orange_round_score", match.orange_round_score);
  out.member("total_round_count", match.total_round_count);
  append_vr_player(out, match);
  append_part(out, "pause", has(session::has_pause), append_pause, match.pause);
  append_part(out, "possession", has(session::has_possession), append_possession, match);
  out.member("left_shoulder_pressed", match.left_shoulder_pressed != 0);
  out.member("right_shoulder_pressed", match.right_shoulder_pressed != 0);
  out.member("left_shoulder_pressed2", match.left_shoulder_pressed2 != 0);
  out.member("right_shoulder_pressed2", match.right_shoulder_pressed2 != 0);
  append_or_null(out, "rules_changed_by", has(session::has_rules_changed_by), match.rules_changed_by);
  out.member("rules_changed_at", match.rules_changed_at);
  append_or_null(out, "client_name", has(session::has_client_name), match.client_name);
  append_part(out, "last_score", has(session::has_last_score), append_last_score, match.last_score);
  append_model_teams(out, from);
  out.member("contested", match.contested);
  out.member("payload_multiplier", match.payload.multiplier);
  out.member("payload_checkpoint", match.payload.checkpoint);
  out.member("payload_distance", match.payload.distance);
  out.member("payload_defenders", match.payload.defenders);
  out.member("payload_speed", match.payload.speed);
  out.end_object();
}

}  // namespace tickreel::echo
