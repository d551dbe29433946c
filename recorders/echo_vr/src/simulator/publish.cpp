// The match in the form of /session and /player_bones.
#include <algorithm>

#include "match.hpp"
#include "skeleton.hpp"

namespace tickreel::echo_vr {

namespace {

constexpr std::string_view team_names[] = {"BLUE TEAM", "ORANGE TEAM", "SPECTATORS"};
constexpr std::string_view weapons[] = {"rocket", "blaster", "scout", "assault"};
constexpr std::string_view ordnances[] = {"stun", "det", "burst", "arc"};
constexpr std::string_view tac_mods[] = {"sensor", "wraith", "heal", "shield"};
constexpr std::string_view arms[] = {"Left", "Right"};

constexpr std::string_view status_text(stage of) noexcept {
  switch (of) {
    case stage::pre_match:
      return "pre_match";
    case stage::round_start:
      return "round_start";
    case stage::playing:
      return "playing";
    case stage::score:
      return "score";
    case stage::round_over:
      return "round_over";
    case stage::pre_sudden_death:
      return "pre_sudden_death";
    case stage::sudden_death:
      return "sudden_death";
    case stage::post_sudden_death:
      return "post_sudden_death";
    case stage::post_match:
      return "post_match";
  }
  return "";
}

echo::pose pose_of(vec3 position, const axes& turned) noexcept {
  return {rounded(position), rounded(turned.forward), rounded(turned.left), rounded(turned.up),
          echo::pose::has_all};
}

// mm:ss.cc, truncated as the game does.
void assign_clock(echo::text<16>& out, double seconds) noexcept {
  const auto hundredths = static_cast<std::uint32_t>(std::max(0.0, seconds) * 100.0);
  const std::uint32_t parts[] = {hundredths / 6000 % 100, hundredths / 100 % 60, hundredths % 100};
  char text[] = "00:00.00";
  for (std::size_t i = 0; i < 3; ++i) {
    text[3 * i] = static_cast<char>('0' + parts[i] / 10);
    text[3 * i + 1] = static_cast<char>('0' + parts[i] % 10);
  }
  out.assign(text);
}

// A trigger that is idle most of the time, then pulled and released.
float trigger(turn angle) noexcept {
  return rounded(std::clamp(sine(angle) * 3.0f - 1.4f, 0.0f, 1.0f));
}

}  // namespace

void match::publish(echo::state& out) const noexcept {
  out.recorded_time_ms = options_.start_time_ms + static_cast<std::int64_t>(tick_ * 1000 / options_.rate_hz);
  out.match = {};
  publish_common(out.match);
  if (is_arena()) {
    publish_arena(out.match);
  } else {
    publish_combat(out.match);
  }
  publish_teams(out);
  publish_bones(out);
}

void match::publish_common(echo::session& out) const noexcept {
  using echo::session;
  out.sessionid = sessionid_;
  out.sessionip = sessionip_;
  out.client_name.assign(athletes_[local_].name);
  out.private_match = options_.private_match;
  out.total_round_count = options_.private_match ? 3 : 1;
  out.left_shoulder_pressed = trigger(trigger_);
  out.right_shoulder_pressed = trigger(trigger_ + 0x60000000u);
  out.left_shoulder_pressed2 = trigger(trigger_ * 2 + 0x30000000u);
  out.right_shoulder_pressed2 = trigger(trigger_ * 2 + 0xa0000000u);
  const athlete& local = athletes_[local_];
  axes turned = axes_of({0, 0, 1}, {0, 1, 0});
  turned.forward = normalised({0.4f * sine(local.sway[0]), 0.2f * sine(local.sway[1]), 1}, turned.forward);
  turned = axes_of(turned.forward, {0.15f * sine(local.sway[2]), 1, 0});
  out.vr.at = pose_of({0.15f * sine(local.sway[3]), 0.05f * sine(local.sway[4]), 0.15f * sine(local.sway[5])},
                      turned);
  out.pause.unpaused_team.assign("none");
  out.pause.paused_requested_team.assign("none");
  out.last_throw = last_throw_;
  out.fields |=
      session::has_sessionid | session::has_sessionip | session::has_client_name | session::has_match_type |
      session::has_map_name | session::has_private_match | session::has_tournament_match |
      session::has_blue_round_score | session::has_orange_round_score | session::has_total_round_count |
      session::has_left_shoulder_pressed | session::has_right_shoulder_pressed |
      session::has_left_shoulder_pressed2 | session::has_right_shoulder_pressed2 | session::has_err_code |
      session::has_player | session::has_pause | session::has_last_throw | session::has_teams;
}

void match::publish_arena(echo::session& out) const noexcept {
  using echo::session;
  out.match_type.assign(options_.private_match ? "Echo_Arena_Private" : "Echo_Arena");
  out.map_name.assign("mpl_arena_a");
  out.game_status.assign(status_text(stage_));
  out.game_clock = static_cast<float>(clock_);
  assign_clock(out.game_clock_display, clock_);
  out.blue_points = static_cast<float>(points_[0]);
  out.orange_points = static_cast<float>(points_[1]);
  if (stage_ >= stage::round_over && points_[0] != points_[1]) {
    (points_[0] > points_[1] ? out.blue_round_score : out.orange_round_score) = 1;
  }
  if (options_.incidents) {
    out.blue_team_restart_request = between(schedule_.blue_restart, schedule_.restart_end);
    out.orange_team_restart_request = between(schedule_.orange_restart, schedule_.restart_end);
  }
  out.rules_changed_by.assign("[INVALID]");
  if (options_.private_match) {
    out.rules_changed_by.assign(athletes_[local_].name);
    out.rules_changed_at = options_.start_time_ms / 1000 - 60;
  }
  publish_pause(out.pause);
  out.last_score = last_score_;

  const int owner = disc_.holder >= 0 ? disc_.holder : disc_.thrower;
  if (owner >= 0 && team_of(owner) >= 0) {
    const list_of_members& list = teams_[team_of(owner)];
    const auto end = list.athletes + list.count;
    out.possession[0] = team_of(owner);
    out.possession[1] = static_cast<std::int32_t>(
        std::find(list.athletes, end, static_cast<std::uint8_t>(owner)) - list.athletes);
  }
  const vec3 tilted = normalised({sine(disc_.spin), 0.3f, cosine(disc_.spin)}, {0, 0, 1});
  out.disc.at = pose_of(disc_.position, axes_of(tilted, {0.2f, 1, 0.1f}));
  out.disc.velocity = rounded(is_paused() ? vec3{} : disc_.velocity);
  out.disc.bounce_count = disc_.bounces;
  out.fields |= session::has_game_status | session::has_game_clock | session::has_game_clock_display |
                session::has_blue_points | session::has_orange_points |
                session::has_blue_team_restart_request | session::has_orange_team_restart_request |
                session::has_possession | session::has_rules_changed_by | session::has_rules_changed_at |
                session::has_disc | session::has_disc_velocity | session::has_disc_bounce_count |
                session::has_last_score;
}

void match::publish_pause(echo::pause_state& out) const noexcept {
  out.state.assign("unpaused");
  if (!options_.incidents || now_ < schedule_.pause_requested || now_ >= schedule_.unpaused) return;
  out.paused_requested_team.assign("orange");
  if (now_ < schedule_.paused) {
    out.state.assign("paused_requested");
  } else if (now_ < schedule_.unpausing) {
    out.state.assign("paused");
    out.paused_timer = static_cast<float>(now_ - schedule_.paused);
  } else {
    out.state.assign("unpausing");
    out.unpaused_team.assign("orange");
    out.unpaused_timer = static_cast<float>(schedule_.unpaused - now_);
  }
}

void match::publish_teams(echo::state& out) const noexcept {
  using echo::team;
  const int owner = disc_.holder >= 0 ? disc_.holder : disc_.thrower;
  std::uint8_t all = 0;
  for (int t = 0; t < 3; ++t) {
    team& to = out.match.teams[t];
    to.name.assign(team_names[t]);
    to.fields = team::has_name;
    if (is_arena()) {
      to.possession = owner >= 0 && team_of(owner) == t;
      to.fields |= team::has_possession;
    }
    if (teams_[t].count > 0) {
      to.fields |= team::has_players;
      if (is_arena()) {
        to.stats = team_stats_[t];
        to.fields |= team::has_stats;
      }
    }
    to.player_count = static_cast<std::uint8_t>(teams_[t].count);
    for (int i = 0; i < teams_[t].count; ++i) publish_player(teams_[t].athletes[i], out.players[all++]);
  }
  out.match.team_count = 3;
  out.match.player_count = all;
}

void match::publish_player(int who, echo::player& out) const noexcept {
  using echo::player;
  const athlete& a = athletes_[who];
  const vec3 offset = map_offset();
  out = {};
  out.name.assign(a.name);
  out.playerid = a.slot;
  out.userid = a.userid;
  const bool settled = a.joined_tick == 0 || tick_ >= a.joined_tick + 2;  // both read 0 at first
  out.number = settled ? a.number : 0;
  out.level = settled ? a.level : 0;
  out.ping = a.ping_ms;
  if (who == local_ && options_.incidents && between(schedule_.ping_spike, schedule_.ping_calm)) {
    out.ping = 2 * a.usual_ping_ms + 150;
  }
  out.packetlossratio = a.packet_loss;
  out.is_emote_playing = a.emote.runs();
  out.velocity = rounded(a.velocity);
  out.head = pose_of(a.position + offset, a.head_axes());
  out.body = pose_of(a.position + offset, a.body_axes());
  out.lhand = pose_of(a.hand_position(false) + offset, a.hand_axes(false));
  out.rhand = pose_of(a.hand_position(true) + offset, a.hand_axes(true));
  out.fields = player::has_name | player::has_playerid | player::has_userid | player::has_number |
               player::has_level | player::has_ping | player::has_packetlossratio |
               player::has_is_emote_playing | player::has_velocity | player::has_head | player::has_body |
               player::has_lhand | player::has_rhand;
  if (!is_arena()) {
    out.weapon.assign(weapons[a.gear.weapon]);
    out.ordnance.assign(ordnances[a.gear.ordnance]);
    out.tac_mod.assign(tac_mods[a.gear.tac_mod]);
    out.arm.assign(arms[a.gear.arm]);
    out.fields |= player::has_weapon | player::has_ordnance | player::has_tac_mod | player::has_arm;
    return;
  }
  out.stunned = a.stunned.runs();
  out.invulnerable = a.invulnerable.runs();
  out.blocking = a.blocking.runs();
  out.possession = who == (disc_.holder >= 0 ? disc_.holder : disc_.thrower);
  out.stats = a.stats;
  out.fields |= player::has_stunned | player::has_invulnerable | player::has_blocking |
                player::has_possession | player::has_stats;
  publish_hands(who, out);
}

void match::publish_hands(int who, echo::player& out) const noexcept {
  using echo::holding;
  const athlete& a = athletes_[who];
  holding& better = a.right_handed ? out.holding_right : out.holding_left;
  holding& other = a.right_handed ? out.holding_left : out.holding_right;
  better.what = disc_.holder == who ? holding::disc : holding::none;
  other.what = a.holds_geo.runs() ? holding::geo : holding::none;
  if (a.holds_somebody.runs() && other.what == holding::none) {
    other.what = holding::player;
    other.playerid = a.held_slot;
  }
}

void match::publish_bones(echo::state& out) const noexcept {
  out.bones = options_.bones ? echo::bones_kind::present : echo::bones_kind::absent;
  out.bone_player_count = 0;
  if (!options_.bones) return;
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < teams_[t].count; ++i) {
      const athlete& a = athletes_[teams_[t].athletes[i]];
      echo::bone_player& to = out.bone_players[out.bone_player_count++];
      to.playerid = a.slot;
      pose_skeleton(a.sway, to);
    }
  }
}

}  // namespace tickreel::echo_vr
