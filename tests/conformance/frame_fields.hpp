// Every field of the model's frame with its name in the decoded JSON, listed once: for reading that JSON and
// for comparing frames.
//
// fields(visitor, a...) calls visitor(name, a.member...) for each member of one struct, or of several of the
// same type side by side.
#pragma once

#include <type_traits>

#include "butter_model.hpp"

namespace tickreel::butter_model {

template <class Wanted, class... Given>
concept all_are = (std::is_same_v<std::remove_const_t<Given>, Wanted> && ...);

template <class Visitor, class... Given>
requires all_are<transform, Given...>
void fields(Visitor&& visit, Given&... t) {
  visit("pos", t.pos...);
  visit("position", t.position...);
  visit("forward", t.forward...);
  visit("left", t.left...);
  visit("up", t.up...);
}

template <class Visitor, class... Given>
requires all_are<stats, Given...>
void fields(Visitor&& visit, Given&... s) {
  visit("possession_time", s.possession_time...);
  visit("points", s.points...);
  visit("saves", s.saves...);
  visit("goals", s.goals...);
  visit("stuns", s.stuns...);
  visit("passes", s.passes...);
  visit("catches", s.catches...);
  visit("steals", s.steals...);
  visit("blocks", s.blocks...);
  visit("interceptions", s.interceptions...);
  visit("assists", s.assists...);
  visit("shots_taken", s.shots_taken...);
}

template <class Visitor, class... Given>
requires all_are<player, Given...>
void fields(Visitor&& visit, Given&... p) {
  visit("Weapon", p.weapon...);
  visit("Ordnance", p.ordnance...);
  visit("TacMod", p.tac_mod...);
  visit("Arm", p.arm...);
  visit("head", p.head...);
  visit("body", p.body...);
  visit("lhand", p.lhand...);
  visit("rhand", p.rhand...);
  visit("userid", p.userid...);
  visit("name", p.name...);
  visit("playerid", p.playerid...);
  visit("number", p.number...);
  visit("level", p.level...);
  visit("ping", p.ping...);
  visit("packetlossratio", p.packetlossratio...);
  visit("stunned", p.stunned...);
  visit("invulnerable", p.invulnerable...);
  visit("holding_left", p.holding_left...);
  visit("holding_right", p.holding_right...);
  visit("blocking", p.blocking...);
  visit("is_emote_playing", p.is_emote_playing...);
  visit("possession", p.possession...);
  visit("velocity", p.velocity...);
  visit("stats", p.stats...);
}

template <class Visitor, class... Given>
requires all_are<team, Given...>
void fields(Visitor&& visit, Given&... t) {
  visit("players", t.players...);
  visit("possession", t.possession...);
  visit("stats", t.stats...);
}

template <class Visitor, class... Given>
requires all_are<disc, Given...>
void fields(Visitor&& visit, Given&... d) {
  visit("position", d.position...);
  visit("forward", d.forward...);
  visit("left", d.left...);
  visit("up", d.up...);
  visit("velocity", d.velocity...);
  visit("bounce_count", d.bounce_count...);
}

template <class Visitor, class... Given>
requires all_are<last_throw, Given...>
void fields(Visitor&& visit, Given&... v) {
  visit("arm_speed", v.arm_speed...);
  visit("rot_per_sec", v.rot_per_sec...);
  visit("pot_speed_from_rot", v.pot_speed_from_rot...);
  visit("total_speed", v.total_speed...);
  visit("speed_from_arm", v.speed_from_arm...);
  visit("speed_from_wrist", v.speed_from_wrist...);
  visit("speed_from_movement", v.speed_from_movement...);
  visit("off_axis_spin_deg", v.off_axis_spin_deg...);
  visit("wrist_align_to_throw_deg", v.wrist_align_to_throw_deg...);
  visit("throw_align_to_movement_deg", v.throw_align_to_movement_deg...);
  visit("off_axis_penalty", v.off_axis_penalty...);
  visit("wrist_throw_penalty", v.wrist_throw_penalty...);
  visit("throw_move_penalty", v.throw_move_penalty...);
}

template <class Visitor, class... Given>
requires all_are<vr_player, Given...>
void fields(Visitor&& visit, Given&... v) {
  visit("vr_left", v.vr_left...);
  visit("vr_position", v.vr_position...);
  visit("vr_forward", v.vr_forward...);
  visit("vr_up", v.vr_up...);
}

template <class Visitor, class... Given>
requires all_are<pause, Given...>
void fields(Visitor&& visit, Given&... p) {
  visit("paused_state", p.paused_state...);
  visit("unpaused_team", p.unpaused_team...);
  visit("paused_requested_team", p.paused_requested_team...);
  visit("unpaused_timer", p.unpaused_timer...);
  visit("paused_timer", p.paused_timer...);
}

template <class Visitor, class... Given>
requires all_are<last_score, Given...>
void fields(Visitor&& visit, Given&... v) {
  visit("disc_speed", v.disc_speed...);
  visit("team", v.team...);
  visit("goal_type", v.goal_type...);
  visit("point_amount", v.point_amount...);
  visit("distance_thrown", v.distance_thrown...);
  visit("person_scored", v.person_scored...);
  visit("assist_scored", v.assist_scored...);
}

template <class Visitor, class... Given>
requires all_are<user_bones, Given...>
void fields(Visitor&& visit, Given&... b) {
  visit("bone_o", b.bone_o...);
  visit("bone_t", b.bone_t...);
}

template <class Visitor, class... Given>
requires all_are<bones, Given...>
void fields(Visitor&& visit, Given&... b) {
  visit("user_bones", b.user_bones...);
  visit("error_code", b.error_code...);
}

// The `session` object; recorded_time and bones are beside it.
template <class Visitor, class... Given>
requires all_are<frame, Given...>
void fields(Visitor&& visit, Given&... f) {
  visit("disc", f.disc...);
  visit("last_throw", f.last_throw...);
  visit("sessionid", f.sessionid...);
  visit("sessionip", f.sessionip...);
  visit("blue_team_restart_request", f.blue_team_restart_request...);
  visit("orange_team_restart_request", f.orange_team_restart_request...);
  visit("game_status", f.game_status...);
  visit("game_clock", f.game_clock...);
  visit("game_clock_display", f.game_clock_display...);
  visit("match_type", f.match_type...);
  visit("map_name", f.map_name...);
  visit("private_match", f.private_match...);
  visit("blue_points", f.blue_points...);
  visit("orange_points", f.orange_points...);
  visit("blue_round_score", f.blue_round_score...);
  visit("orange_round_score", f.orange_round_score...);
  visit("total_round_count", f.total_round_count...);
  visit("player", f.player...);
  visit("pause", f.pause...);
  visit("left_shoulder_pressed", f.left_shoulder_pressed...);
  visit("right_shoulder_pressed", f.right_shoulder_pressed...);
  visit("left_shoulder_pressed2", f.left_shoulder_pressed2...);
  visit("right_shoulder_pressed2", f.right_shoulder_pressed2...);
  visit("rules_changed_by", f.rules_changed_by...);
  visit("rules_changed_at", f.rules_changed_at...);
  visit("client_name", f.client_name...);
  visit("last_score", f.last_score...);
  visit("teams", f.teams...);
  visit("contested", f.contested...);
  visit("payload_multiplier", f.payload_multiplier...);
  visit("payload_checkpoint", f.payload_checkpoint...);
  visit("payload_distance", f.payload_distance...);
  visit("payload_defenders", f.payload_defenders...);
  visit("payload_speed", f.payload_speed...);
}

}  // namespace tickreel::butter_model
