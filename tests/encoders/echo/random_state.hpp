// States with every mixture of present and absent fields, and with extreme values.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include "tickreel/echo/state.hpp"

namespace tickreel::test {

class state_generator {
 public:
  explicit state_generator(std::mt19937_64& random) : random_(random) {}

  // A state that the API could return. Without `odd_floats` there is no NaN and no infinity.
  void fill(echo::state& out, bool odd_floats) {
    odd_floats_ = odd_floats;
    out = {};
    session(out.match);
    for (std::size_t t = 0; t < out.match.team_count; ++t) team(out, out.match.teams[t]);
    bones(out);
  }

 private:
  bool chance() { return random_() % 2 != 0; }
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  std::int32_t integer() {
    switch (below(4)) {
      case 0:
        return static_cast<std::int32_t>(below(100));
      case 1:
        return std::numeric_limits<std::int32_t>::min();
      case 2:
        return std::numeric_limits<std::int32_t>::max();
      default:
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(random_()));
    }
  }

  float number() {
    switch (below(6)) {
      case 0:
        return 0.0f;
      case 1:
        return -0.0f;
      case 2:
        return static_cast<float>(below(20000)) / 1000.0f - 10.0f;
      case 3:
        return static_cast<float>(below(1000));
      default: {
        float any = 0;
        do {
          any = std::bit_cast<float>(static_cast<std::uint32_t>(random_()));
        } while (!odd_floats_ && !(any - any == 0));
        return any;
      }
    }
  }

  echo::vec3 vector() {
    const float x = number(), y = number(), z = number();
    return {x, y, z};
  }

  template <std::size_t Capacity>
  void words(echo::text<Capacity>& out) {
    static constexpr const char* pieces[] = {"a", "Z",  "\"",   "\\", "\n", "\t", "/",
                                             "é", "日", "\x01", "😀", " ",  "7"};
    std::string built;
    for (std::size_t n = below(Capacity); n > 0; --n) {
      const std::string piece = pieces[below(std::size(pieces))];
      if (built.size() + piece.size() > Capacity) break;
      built += piece;
    }
    out.assign(built);
  }

  void pose(echo::pose& out) {
    out.fields = static_cast<std::uint8_t>(below(16));
    if (out.fields & echo::pose::has_position) out.position = vector();
    if (out.fields & echo::pose::has_forward) out.forward = vector();
    if (out.fields & echo::pose::has_left) out.left = vector();
    if (out.fields & echo::pose::has_up) out.up = vector();
  }

  void stats(echo::stats& out) {
    out.possession_time = number();
    for (auto* each : {&out.points, &out.saves, &out.goals, &out.stuns, &out.passes, &out.catches,
                       &out.steals, &out.blocks, &out.interceptions, &out.assists, &out.shots_taken}) {
      *each = integer();
    }
  }

  void session(echo::session& out) {
    using s = echo::session;
    out.fields = random_() & (s::has_disc_bounce_count * 2 - 1);
    const auto has = [&](std::uint64_t bit) { return (out.fields & bit) != 0; };
    const auto text = [&](std::uint64_t bit, auto& to) {
      if (has(bit)) words(to);
    };
    text(s::has_sessionid, out.sessionid);
    text(s::has_sessionip, out.sessionip);
    text(s::has_client_name, out.client_name);
    text(s::has_match_type, out.match_type);
    text(s::has_game_status, out.game_status);
    text(s::has_game_clock_display, out.game_clock_display);
    text(s::has_rules_changed_by, out.rules_changed_by);
    text(s::has_err_description, out.err_description);
    if (has(s::has_map_name)) out.map_name.assign(chance() ? "mpl_arena_a" : "mpl_combat_dyson");
    if (has(s::has_rules_changed_at)) out.rules_changed_at = static_cast<std::int64_t>(random_());
    for (auto [bit, to] : {std::pair{s::has_err_code, &out.err_code},
                           {s::has_blue_round_score, &out.blue_round_score},
                           {s::has_orange_round_score, &out.orange_round_score},
                           {s::has_total_round_count, &out.total_round_count}}) {
      if (has(bit)) *to = integer();
    }
    for (auto [bit, to] : {std::pair{s::has_left_shoulder_pressed, &out.left_shoulder_pressed},
                           {s::has_right_shoulder_pressed, &out.right_shoulder_pressed},
                           {s::has_left_shoulder_pressed2, &out.left_shoulder_pressed2},
                           {s::has_right_shoulder_pressed2, &out.right_shoulder_pressed2},
                           {s::has_game_clock, &out.game_clock},
                           {s::has_blue_points, &out.blue_points},
                           {s::has_orange_points, &out.orange_points},
                           {s::has_overtime_timer, &out.overtime_timer},
                           {s::has_game_timer, &out.game_timer}}) {
      if (has(bit)) *to = number();
    }
    for (auto [bit, to] : {std::pair{s::has_private_match, &out.private_match},
                           {s::has_tournament_match, &out.tournament_match},
                           {s::has_blue_team_restart_request, &out.blue_team_restart_request},
                           {s::has_orange_team_restart_request, &out.orange_team_restart_request},
                           {s::has_contested, &out.contested}}) {
      if (has(bit)) *to = chance();
    }
    if (has(s::has_possession)) {
      out.possession[0] = integer();
      out.possession[1] = integer();
    }
    if (has(s::has_player)) pose(out.vr.at);
    parts(out);
    payload(out);
    if (has(s::has_teams)) out.team_count = static_cast<std::uint8_t>(below(echo::max_teams + 1));
  }

  void parts(echo::session& out) {
    using s = echo::session;
    if (out.fields & s::has_disc) {
      pose(out.disc.at);
      if (out.fields & s::has_disc_velocity) out.disc.velocity = vector();
      if (out.fields & s::has_disc_bounce_count) out.disc.bounce_count = integer();
    } else {
      out.fields &= ~std::uint64_t{s::has_disc_velocity | s::has_disc_bounce_count};
    }
    if (out.fields & s::has_pause) {
      words(out.pause.state);
      words(out.pause.unpaused_team);
      words(out.pause.paused_requested_team);
      out.pause.paused_timer = number();
      out.pause.unpaused_timer = number();
    }
    if (out.fields & s::has_last_score) {
      out.last_score.disc_speed = number();
      out.last_score.distance_thrown = number();
      out.last_score.point_amount = integer();
      words(out.last_score.team);
      words(out.last_score.goal_type);
      words(out.last_score.person_scored);
      words(out.last_score.assist_scored);
    }
    if (out.fields & s::has_last_throw) {
      echo::last_throw& t = out.last_throw;
      const bool odd = odd_floats_;
      odd_floats_ = false;  // compared with ==
      for (float* each : {&t.arm_speed, &t.total_speed, &t.off_axis_spin_deg, &t.wrist_throw_penalty,
                          &t.rot_per_sec, &t.pot_speed_from_rot, &t.speed_from_arm, &t.speed_from_movement,
                          &t.speed_from_wrist, &t.wrist_align_to_throw_deg, &t.throw_align_to_movement_deg,
                          &t.off_axis_penalty, &t.throw_move_penalty}) {
        *each = number();
      }
      odd_floats_ = odd;
    }
  }

  void payload(echo::session& out) {
    using p = echo::payload_state;
    if (!(out.fields & echo::session::has_payload)) return;
    const bool nested = chance();
    p& to = out.payload;
    to.fields = static_cast<std::uint8_t>(below(128));
    if (nested) {
      out.fields |= echo::session::nested_payload;
    } else {
      to.fields &= static_cast<std::uint8_t>(~(p::has_pos | p::has_attackers));  // the flat shape lacks them
      to.fields |= p::has_speed;  // without any field nothing would indicate a payload
    }
    if (to.fields & p::has_pos) to.pos = vector();
    if (to.fields & p::has_checkpoint) to.checkpoint = integer();
    if (to.fields & p::has_distance) to.distance = number();
    if (to.fields & p::has_speed) to.speed = number();
    if (to.fields & p::has_defenders) to.defenders = integer();
    if (to.fields & p::has_multiplier) to.multiplier = number();
    if (to.fields & p::has_attackers) to.attackers = integer();
  }

  void team(echo::state& all, echo::team& out) {
    out.fields = static_cast<std::uint8_t>(below(16));
    if (out.fields & echo::team::has_name) words(out.name);
    if (out.fields & echo::team::has_possession) out.possession = chance();
    if (out.fields & echo::team::has_stats) stats(out.stats);
    if (out.fields & echo::team::has_players) {
      const std::size_t room = echo::max_players - all.match.player_count;
      out.player_count = static_cast<std::uint8_t>(below(std::min<std::size_t>(room, 12) + 1));
      for (std::size_t i = 0; i < out.player_count; ++i) player(all.players[all.match.player_count++]);
    }
  }

  void player(echo::player& out) {
    using p = echo::player;
    out.fields = static_cast<std::uint32_t>(random_()) & (p::has_arm * 2 - 1);
    const bool old = below(8) == 0;
    if (old) out.fields = (out.fields | p::shape_of_2018) & ~std::uint32_t{p::has_body};
    const auto has = [&](std::uint32_t bit) { return (out.fields & bit) != 0; };
    if (has(p::has_name)) words(out.name);
    if (has(p::has_weapon)) words(out.weapon);
    if (has(p::has_ordnance)) words(out.ordnance);
    if (has(p::has_tac_mod)) words(out.tac_mod);
    if (has(p::has_arm)) words(out.arm);
    if (has(p::has_playerid)) out.playerid = integer();
    if (has(p::has_userid)) out.userid = chance() ? random_() : below(100);
    if (has(p::has_number)) out.number = integer();
    if (has(p::has_level)) out.level = integer();
    if (has(p::has_ping)) out.ping = integer();
    if (has(p::has_packetlossratio)) out.packetlossratio = number();
    if (has(p::has_stunned)) out.stunned = chance();
    if (has(p::has_invulnerable)) out.invulnerable = chance();
    if (has(p::has_blocking)) out.blocking = chance();
    if (has(p::has_possession)) out.possession = chance();
    if (has(p::has_is_emote_playing)) out.is_emote_playing = chance();
    if (has(p::has_velocity)) out.velocity = vector();
    if (has(p::has_stats)) stats(out.stats);
    if (has(p::has_head)) pose(out.head);
    if (has(p::has_body)) pose(out.body);
    if (has(p::has_lhand)) pose(out.lhand);
    if (has(p::has_rhand)) pose(out.rhand);
    if (old) shape_as_2018(out);
    holding(out.holding_left);
    holding(out.holding_right);
  }

  void shape_as_2018(echo::player& out) {
    using p = echo::player;
    out.fields |= p::has_lhand;  // only a bare position identifies the shape
    for (echo::pose* hand : {&out.lhand, &out.rhand}) {
      const bool there = out.fields & (hand == &out.lhand ? p::has_lhand : p::has_rhand);
      *hand = {};
      if (!there) continue;
      hand->position = vector();
      hand->fields = echo::pose::has_position;
    }
    if (out.head.fields == 0) out.fields &= ~std::uint32_t{p::has_head};
  }

  void holding(echo::holding& out) {
    out.what = static_cast<echo::holding::kind>(below(6));
    if (out.what == echo::holding::player) out.playerid = integer();
    if (out.what == echo::holding::other) out.word.assign(chance() ? "07" : "tablet");
  }

  void bones(echo::state& out) {
    out.bones = static_cast<echo::bones_kind>(below(3));
    if (out.bones != echo::bones_kind::present) return;
    out.bone_player_count = static_cast<std::uint8_t>(below(echo::max_players + 1));
    for (std::size_t i = 0; i < out.bone_player_count; ++i) {
      echo::bone_player& to = out.bone_players[i];
      if (chance()) to.playerid = static_cast<std::int32_t>(below(20));
      for (auto& each : to.positions) each = vector();
      for (auto& each : to.rotations) {
        const echo::vec3 xyz = vector();
        each = {xyz.x, xyz.y, xyz.z, number()};
      }
    }
  }

  std::mt19937_64& random_;
  bool odd_floats_ = false;
};

}  // namespace tickreel::test
