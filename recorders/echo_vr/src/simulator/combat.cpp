#include <algorithm>

#include "match.hpp"

namespace tickreel::echo_vr {

namespace {

struct combat_map {
  std::string_view name;
  bool has_payload;
  vec3 centre;
  vec3 half_size;
  vec3 way;  // of the payload, from start to end
};

constexpr combat_map maps[] = {
    {"mpl_combat_fission", true, {-20, 0, -4}, {60, 9, 40}, {90, 2, 20}},
    {"mpl_combat_combustion", false, {0, 5, 0}, {40, 10, 40}, {}},
    {"mpl_combat_dyson", false, {120, -5, -120}, {90, 12, 90}, {}},
    {"mpl_combat_gauss", true, {10, 2, 0}, {70, 12, 35}, {-80, 4, 15}},
};

constexpr float payload_length_metres = 93;
constexpr float payload_speed = 1.7f;  // metres per second with one attacker beside it

vec3 payload_at(const combat_map& map, float distance) noexcept {
  return map.centre + map.way * (distance / payload_length_metres - 0.5f);
}

}  // namespace

void match::scatter_over_map() noexcept {
  for (int i = 0; i < athlete_count_; ++i) {
    athletes_[i].position = random_.inside(maps[objective_.map].half_size * 0.9f);
  }
}

void match::step_combat() noexcept {
  const combat_map& map = maps[objective_.map];
  const vec3 goal = map.has_payload ? payload_at(map, objective_.payload_distance) - map.centre : vec3{};
  int near_goal[2] = {0, 0};
  for (int i = 0; i < athlete_count_; ++i) {
    const int team = team_of(i);
    if (team < 0) continue;
    athlete& a = athletes_[i];
    a.until_new_target.pass(seconds_);
    if (!a.until_new_target.runs()) {
      a.target =
          random_.chance(0.5f) ? goal + random_.inside({3, 2, 3}) : random_.inside(map.half_size * 0.7f);
      a.until_new_target.left_s = random_.between(2, 6);
    }
    a.fly(random_, seconds_, map.half_size, goal);
    a.pass(random_, seconds_);
    if (team < 2 && length(a.position - goal) < 8) ++near_goal[team];
    if (options_.incidents && random_.chance(0.03f * seconds_)) {  // respawned with other gear
      a.gear = {static_cast<std::uint8_t>(random_.below(4)), static_cast<std::uint8_t>(random_.below(4)),
                static_cast<std::uint8_t>(random_.below(4)), static_cast<std::uint8_t>(random_.below(2))};
    }
  }
  combat_objective& o = objective_;
  o.attackers = near_goal[0];
  o.defenders = near_goal[1];
  o.contested = o.attackers > 0 && o.defenders > 0;
  o.timer = std::max(0.0, o.timer - step_);
  o.payload_speed = 0;
  if (o.contested) return;
  if (map.has_payload) {
    if (o.attackers > 0)
      o.payload_speed = payload_speed * (1.0f + 0.25f * static_cast<float>(o.attackers - 1));
    o.payload_distance = std::min(payload_length_metres, o.payload_distance + o.payload_speed * seconds_);
    o.checkpoint = static_cast<int>(o.payload_distance / (payload_length_metres / 3));
  } else {
    for (int team = 0; team < 2; ++team) {
      if (near_goal[team] > 0) o.progress[team] = std::min(100.0f, o.progress[team] + 0.9f * seconds_);
    }
  }
}

vec3 match::map_offset() const noexcept {
  return is_arena() ? vec3{} : maps[objective_.map].centre;
}

void match::publish_combat(echo::session& out) const noexcept {
  using echo::session;
  const combat_map& map = maps[objective_.map];
  out.match_type.assign(options_.private_match ? "Echo_Combat_Private" : "Echo_Combat");
  out.map_name.assign(map.name);
  out.pause.state.assign("none");
  out.contested = objective_.contested;
  out.fields |= session::has_contested;
  if (!map.has_payload) {
    out.blue_points = objective_.progress[0];
    out.orange_points = objective_.progress[1];
    out.fields |= session::has_blue_points | session::has_orange_points;
    return;
  }
  using echo::payload_state;
  payload_state& p = out.payload;
  p.pos = rounded(payload_at(map, objective_.payload_distance));
  p.checkpoint = objective_.checkpoint;
  p.distance = objective_.payload_distance;
  p.speed = objective_.payload_speed;
  p.defenders = objective_.defenders;
  p.multiplier = static_cast<float>(std::max(0, objective_.attackers));
  p.attackers = objective_.attackers;
  p.fields = payload_state::has_pos | payload_state::has_checkpoint | payload_state::has_distance |
             payload_state::has_speed | payload_state::has_defenders | payload_state::has_multiplier |
             payload_state::has_attackers;
  out.game_timer = static_cast<float>(objective_.timer);
  out.fields |=
      session::has_payload | session::nested_payload | session::has_overtime_timer | session::has_game_timer;
}

}  // namespace tickreel::echo_vr
