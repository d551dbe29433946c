// Compares states field by field, so that a field missing in the JSON code is detected.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "tickreel/echo/state.hpp"

namespace tickreel::test {

// Stores the first difference.
class state_comparison {
 public:
  [[nodiscard]] const std::string& found() const { return found_; }

  void states(const echo::state& a, const echo::state& b) {
    session(a.match, b.match);
    for (std::size_t i = 0; i < a.match.player_count && i < b.match.player_count; ++i) {
      player(a.players[i], b.players[i], "players[" + std::to_string(i) + "].");
    }
  }

  void bones(const echo::state& a, const echo::state& b) {
    same("bones", a.bones, b.bones);
    same("bone_player_count", a.bone_player_count, b.bone_player_count);
    for (std::size_t i = 0; i < a.bone_player_count && i < b.bone_player_count; ++i) {
      same("bones.playerid", a.bone_players[i].playerid, b.bone_players[i].playerid);
      for (std::size_t k = 0; k < echo::bone_count; ++k) {
        vector("bone_t", a.bone_players[i].positions[k], b.bone_players[i].positions[k]);
        const echo::quat& p = a.bone_players[i].rotations[k];
        const echo::quat& q = b.bone_players[i].rotations[k];
        vector("bone_o", {p.x, p.y, p.z}, {q.x, q.y, q.z});
        number("bone_o.w", p.w, q.w);
      }
    }
  }

 private:
  template <class T>
  void same(const std::string& what, const T& a, const T& b) {
    if (found_.empty() && !(a == b)) found_ = what;
  }
  void number(const std::string& what, float a, float b) {
    const bool both_nan = a != a && b != b;
    if (!both_nan) same(what, std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
  }
  void vector(const std::string& what, const echo::vec3& a, const echo::vec3& b) {
    number(what + ".x", a.x, b.x);
    number(what + ".y", a.y, b.y);
    number(what + ".z", a.z, b.z);
  }
  void pose(const std::string& what, const echo::pose& a, const echo::pose& b) {
    same(what + ".fields", a.fields, b.fields);
    vector(what + ".position", a.position, b.position);
    vector(what + ".forward", a.forward, b.forward);
    vector(what + ".left", a.left, b.left);
    vector(what + ".up", a.up, b.up);
  }
  void stats(const std::string& what, echo::stats a, echo::stats b) {
    number(what + ".possession_time", a.possession_time, b.possession_time);
    a.possession_time = b.possession_time = 0;
    same(what, a, b);
  }

  void session(const echo::session& a, const echo::session& b) {
    same("fields", a.fields, b.fields);
    same("sessionid", a.sessionid, b.sessionid);
    same("sessionip", a.sessionip, b.sessionip);
    same("client_name", a.client_name, b.client_name);
    same("match_type", a.match_type, b.match_type);
    same("map_name", a.map_name, b.map_name);
    same("game_status", a.game_status, b.game_status);
    same("game_clock_display", a.game_clock_display, b.game_clock_display);
    same("rules_changed_by", a.rules_changed_by, b.rules_changed_by);
    same("err_description", a.err_description, b.err_description);
    same("rules_changed_at", a.rules_changed_at, b.rules_changed_at);
    same("err_code", a.err_code, b.err_code);
    number("game_clock", a.game_clock, b.game_clock);
    number("blue_points", a.blue_points, b.blue_points);
    number("orange_points", a.orange_points, b.orange_points);
    same("blue_round_score", a.blue_round_score, b.blue_round_score);
    same("orange_round_score", a.orange_round_score, b.orange_round_score);
    same("total_round_count", a.total_round_count, b.total_round_count);
    same("possession[0]", a.possession[0], b.possession[0]);
    same("possession[1]", a.possession[1], b.possession[1]);
    number("left_shoulder_pressed", a.left_shoulder_pressed, b.left_shoulder_pressed);
    number("right_shoulder_pressed", a.right_shoulder_pressed, b.right_shoulder_pressed);
    number("left_shoulder_pressed2", a.left_shoulder_pressed2, b.left_shoulder_pressed2);
    number("right_shoulder_pressed2", a.right_shoulder_pressed2, b.right_shoulder_pressed2);
    number("overtime_timer", a.overtime_timer, b.overtime_timer);
    number("game_timer", a.game_timer, b.game_timer);
    same("private_match", a.private_match, b.private_match);
    same("tournament_match", a.tournament_match, b.tournament_match);
    same("blue_team_restart_request", a.blue_team_restart_request, b.blue_team_restart_request);
    same("orange_team_restart_request", a.orange_team_restart_request, b.orange_team_restart_request);
    same("contested", a.contested, b.contested);
    pose("disc", a.disc.at, b.disc.at);
    vector("disc.velocity", a.disc.velocity, b.disc.velocity);
    same("disc.bounce_count", a.disc.bounce_count, b.disc.bounce_count);
    pose("player", a.vr.at, b.vr.at);
    same("pause.state", a.pause.state, b.pause.state);
    same("pause.unpaused_team", a.pause.unpaused_team, b.pause.unpaused_team);
    same("pause.paused_requested_team", a.pause.paused_requested_team, b.pause.paused_requested_team);
    number("pause.paused_timer", a.pause.paused_timer, b.pause.paused_timer);
    number("pause.unpaused_timer", a.pause.unpaused_timer, b.pause.unpaused_timer);
    number("last_score.disc_speed", a.last_score.disc_speed, b.last_score.disc_speed);
    number("last_score.distance_thrown", a.last_score.distance_thrown, b.last_score.distance_thrown);
    same("last_score.point_amount", a.last_score.point_amount, b.last_score.point_amount);
    same("last_score.team", a.last_score.team, b.last_score.team);
    same("last_score.goal_type", a.last_score.goal_type, b.last_score.goal_type);
    same("last_score.person_scored", a.last_score.person_scored, b.last_score.person_scored);
    same("last_score.assist_scored", a.last_score.assist_scored, b.last_score.assist_scored);
    same("last_throw", a.last_throw, b.last_throw);
    vector("payload.pos", a.payload.pos, b.payload.pos);
    same("payload.checkpoint", a.payload.checkpoint, b.payload.checkpoint);
    number("payload.distance", a.payload.distance, b.payload.distance);
    number("payload.speed", a.payload.speed, b.payload.speed);
    same("payload.defenders", a.payload.defenders, b.payload.defenders);
    number("payload.multiplier", a.payload.multiplier, b.payload.multiplier);
    same("payload.attackers", a.payload.attackers, b.payload.attackers);
    same("payload.fields", a.payload.fields, b.payload.fields);
    same("team_count", a.team_count, b.team_count);
    same("player_count", a.player_count, b.player_count);
    for (std::size_t i = 0; i < a.team_count && i < b.team_count; ++i) {
      same("team.fields", a.teams[i].fields, b.teams[i].fields);
      same("team.possession", a.teams[i].possession, b.teams[i].possession);
      same("team.player_count", a.teams[i].player_count, b.teams[i].player_count);
      same("team.name", a.teams[i].name, b.teams[i].name);
      stats("team.stats", a.teams[i].stats, b.teams[i].stats);
    }
  }

  void player(const echo::player& a, const echo::player& b, const std::string& at) {
    same(at + "fields", a.fields, b.fields);
    same(at + "name", a.name, b.name);
    same(at + "playerid", a.playerid, b.playerid);
    same(at + "userid", a.userid, b.userid);
    same(at + "number", a.number, b.number);
    same(at + "level", a.level, b.level);
    same(at + "ping", a.ping, b.ping);
    number(at + "packetlossratio", a.packetlossratio, b.packetlossratio);
    vector(at + "velocity", a.velocity, b.velocity);
    pose(at + "head", a.head, b.head);
    pose(at + "body", a.body, b.body);
    pose(at + "lhand", a.lhand, b.lhand);
    pose(at + "rhand", a.rhand, b.rhand);
    stats(at + "stats", a.stats, b.stats);
    same(at + "holding_left", a.holding_left, b.holding_left);
    same(at + "holding_right", a.holding_right, b.holding_right);
    same(at + "stunned", a.stunned, b.stunned);
    same(at + "invulnerable", a.invulnerable, b.invulnerable);
    same(at + "blocking", a.blocking, b.blocking);
    same(at + "possession", a.possession, b.possession);
    same(at + "is_emote_playing", a.is_emote_playing, b.is_emote_playing);
    same(at + "weapon", a.weapon, b.weapon);
    same(at + "ordnance", a.ordnance, b.ordnance);
    same(at + "tac_mod", a.tac_mod, b.tac_mod);
    same(at + "arm", a.arm, b.arm);
  }

  std::string found_;
};

// "" if the /session parts are equal, otherwise the name of the first field that differs.
inline std::string session_difference(const echo::state& a, const echo::state& b) {
  state_comparison comparison;
  comparison.states(a, b);
  return comparison.found();
}
inline std::string bones_difference(const echo::state& a, const echo::state& b) {
  state_comparison comparison;
  comparison.bones(a, b);
  return comparison.found();
}

}  // namespace tickreel::test
