#include <algorithm>

#include "match.hpp"

namespace tickreel::echo_vr {

namespace {

constexpr vec3 arena{15, 10, 36};  // half the size in metres; the goals are at the ends
constexpr vec3 flyers_arena{14.4f, 9.4f, 38};
constexpr float goal_radius = 1.9f;
constexpr float long_shot_metres = 20.0f;
constexpr float reach = 1.3f;
constexpr float disc_drag_per_s = 0.06f;
constexpr float disc_rebound = 0.82f;

vec3 goal_of_opponents(int team) noexcept {
  return {0, 0, team == 0 ? arena.z : -arena.z};
}

// Reflects one coordinate; true on a hit.
bool bounce(float& position, float& velocity, float limit) noexcept {
  if (position <= limit && position >= -limit) return false;
  position = std::clamp(position, -limit, limit);
  velocity = -disc_rebound * velocity;
  return true;
}

}  // namespace

bool match::disc_is_live() const noexcept {
  return (stage_ == stage::playing || stage_ == stage::sudden_death) && !is_paused();
}

bool match::clock_runs() const noexcept {
  return (stage_ == stage::playing || stage_ == stage::score) && !is_paused();
}

void match::credit(int who, std::int32_t echo::stats::* what, std::int32_t amount) noexcept {
  if (who < 0 || team_of(who) < 0) return;
  athletes_[who].stats.*what += amount;
  team_stats_[team_of(who)].*what += amount;
}

void match::step_arena() noexcept {
  step_stage();
  if (clock_runs()) clock_ = std::max(0.0, clock_ - step_);
  choose_arena_targets();
  for (int i = 0; i < athlete_count_; ++i) {
    if (team_of(i) < 0) continue;
    athletes_[i].fly(random_, seconds_, flyers_arena, disc_.position);
    athletes_[i].pass(random_, seconds_);
  }
  if (options_.incidents) step_incidents();
  step_disc();
  trigger_ += turns(0.4f * seconds_);
}

void match::step_stage() noexcept {
  if (now_ >= schedule_.match_end) {
    stage_ = stage::post_match;
    return;
  }
  if (!options_.incidents) return;
  const bool time_is_up = clock_ <= 0;
  const auto move_on = [&](stage to, double lasts_s) {
    stage_ = to;
    stage_end_ = now_ + lasts_s;
  };
  const bool stage_is_over = now_ >= stage_end_;
  switch (stage_) {
    case stage::pre_match:
      if (now_ >= schedule_.round_start) stage_ = stage::round_start;
      break;
    case stage::round_start:
      if (now_ >= schedule_.playing) stage_ = stage::playing;
      break;
    case stage::score:
      if (!stage_is_over && !time_is_up) break;
      reset_disc();
      stage_ = stage::playing;
      [[fallthrough]];
    case stage::playing:
      if (!time_is_up) break;
      if (points_[0] == points_[1]) {
        move_on(stage::pre_sudden_death, schedule_.ending * 0.2);
        reset_disc();
      } else {
        move_on(stage::round_over, schedule_.ending);
      }
      break;
    case stage::pre_sudden_death:
      if (stage_is_over) move_on(stage::sudden_death, schedule_.ending * 0.6);
      break;
    case stage::sudden_death:
      if (stage_is_over) move_on(stage::post_sudden_death, schedule_.ending);
      break;
    case stage::round_over:
    case stage::post_sudden_death:
    case stage::post_match:
      break;
  }
}

void match::choose_arena_targets() noexcept {
  // The nearest player of each team chases the disc, the others take positions.
  int chaser[2] = {-1, -1};
  float nearest[2] = {1e9f, 1e9f};
  for (int team = 0; team < 2; ++team) {
    for (int i = 0; i < teams_[team].count; ++i) {
      const int who = teams_[team].athletes[i];
      const float distance = length(athletes_[who].position - disc_.position);
      if (distance < nearest[team]) {
        nearest[team] = distance;
        chaser[team] = who;
      }
    }
  }
  for (int who = 0; who < athlete_count_; ++who) {
    const int team = team_of(who);
    if (team < 0) continue;
    athlete& a = athletes_[who];
    a.until_new_target.pass(seconds_);
    if (who == disc_.holder) {
      a.target = goal_of_opponents(team);
    } else if (team < 2 && who == chaser[team]) {
      a.target = disc_.position + disc_.velocity * 0.4f;
    } else if (!a.until_new_target.runs()) {
      a.target = random_.inside(team == 2 ? vec3{8, 6, 25} : vec3{11, 7, 30});
      a.until_new_target.left_s = team == 2 ? random_.between(6, 12) : random_.between(1.0f, 3.5f);
    }
  }
}

void match::step_disc() noexcept {
  disc_.spin += disc_.spin_step;
  if (!disc_is_live()) return;
  if (disc_.holder >= 0) {
    athlete& a = athletes_[disc_.holder];
    disc_.position = a.throwing_hand();
    disc_.velocity = a.velocity;
    disc_.until_throw.pass(seconds_);
    if (a.stunned.runs() || !disc_.until_throw.runs()) throw_disc();
  } else {
    fly_disc();
    if (disc_is_live()) try_to_catch();
  }
  // The last holder is in possession until another player has the disc.
  const int owner = disc_.holder >= 0 ? disc_.holder : disc_.thrower;
  if (owner >= 0 && team_of(owner) >= 0) {
    athletes_[owner].stats.possession_time += seconds_;
    team_stats_[team_of(owner)].possession_time += seconds_;
  }
}

void match::fly_disc() noexcept {
  disc_.free_for_s += seconds_;
  disc_.velocity = disc_.velocity * (1.0f - disc_drag_per_s * seconds_);
  disc_.position = disc_.position + disc_.velocity * seconds_;
  const vec3 at = disc_.position;
  if (options_.incidents && std::abs(at.z) > arena.z &&
      at.x * at.x + at.y * at.y < goal_radius * goal_radius) {
    score_goal(at.z > 0 ? 0 : 1);
    return;
  }
  const bool hit_x = bounce(disc_.position.x, disc_.velocity.x, arena.x);
  const bool hit_y = bounce(disc_.position.y, disc_.velocity.y, arena.y);
  const bool hit_z = bounce(disc_.position.z, disc_.velocity.z, arena.z);
  if (hit_x || hit_y || hit_z) {
    ++disc_.bounces;
    ++disc_.bounces_since_throw;
    disc_.spin_step = turns(random_.between(0.2f, 1.2f) * seconds_);
  }
}

void match::try_to_catch() noexcept {
  if (disc_.free_for_s < 0.2f) return;
  for (int who = 0; who < athlete_count_; ++who) {
    const int team = team_of(who);
    if (team < 0 || team > 1 || athletes_[who].stunned.runs()) continue;
    if (who == disc_.thrower && disc_.free_for_s < 1.0f) continue;
    if (length(athletes_[who].position - disc_.position) > reach) continue;
    return catch_disc(who);
  }
}

void match::catch_disc(int who) noexcept {
  const int team = team_of(who);
  const bool from_opponents = disc_.thrower >= 0 && team_of(disc_.thrower) != team;
  if (from_opponents) {
    if (disc_.was_shot) {
      credit(who, &echo::stats::saves);
      note(echo::save{person(who), person(disc_.thrower)});
    } else {
      credit(who, &echo::stats::interceptions);
      note(echo::interception{person(who), person(disc_.thrower)});
    }
  } else if (disc_.thrower >= 0 && disc_.thrower != who) {
    credit(disc_.thrower, &echo::stats::passes);
    credit(who, &echo::stats::catches);
    note(echo::disc_passed{person(disc_.thrower), person(who)});
    note(echo::disc_caught{person(who), person(disc_.thrower)});
  }
  if (jousting_) note(echo::joust{person(who)});
  jousting_ = false;
  disc_.before_thrower = from_opponents ? -1 : disc_.thrower;
  disc_.holder = who;
  disc_.thrower = who;
  disc_.was_shot = false;
  disc_.until_throw.left_s = random_.between(0.6f, 2.8f);
  athletes_[who].holds_geo = {};
}

void match::throw_disc() noexcept {
  const int who = disc_.holder;
  const int team = team_of(who);
  const athlete& a = athletes_[who];
  const vec3 goal = goal_of_opponents(team);
  disc_.holder = -1;
  disc_.free_for_s = 0;
  disc_.bounces_since_throw = 0;
  disc_.thrown_from = disc_.position;
  disc_.was_shot = false;
  if (a.stunned.runs()) {
    disc_.velocity = a.velocity + random_.inside({2, 2, 2});
    disc_.throw_speed = length(disc_.velocity);
    return;
  }
  vec3 aim = random_.inside({10, 7, 30});
  if (length(goal - a.position) < 32 && random_.chance(0.6f)) {
    aim = goal + random_.inside({2.2f, 2.2f, 0});
    disc_.was_shot = true;
    credit(who, &echo::stats::shots_taken);
    note(echo::shot{person(who)});
  } else if (teams_[team].count > 1) {
    const int mate = teams_[team].athletes[random_.below(static_cast<std::uint32_t>(teams_[team].count))];
    if (mate != who) aim = athletes_[mate].position + athletes_[mate].velocity * 0.8f;
  }
  const float arm_speed = random_.between(7, 15);
  const vec3 direction = normalised(aim - disc_.position, a.gaze);
  disc_.velocity = direction * arm_speed + a.velocity * 0.6f;
  disc_.throw_speed = length(disc_.velocity);
  disc_.spin_step = turns(random_.between(0.5f, 3.0f) * seconds_);
  echo::disc_thrown thrown;
  thrown.player = person(who);
  thrown.speed = disc_.throw_speed;
  thrown.has_details = who == local_;
  note(thrown);
  if (who != local_) return;
  last_throw_.arm_speed = arm_speed * random_.between(0.5f, 0.9f);
  last_throw_.total_speed = disc_.throw_speed;
  last_throw_.off_axis_spin_deg = random_.between(-40, 40);
  last_throw_.wrist_throw_penalty = random_.between(0, 0.4f);
  last_throw_.rot_per_sec = random_.between(0.1f, 3);
  last_throw_.pot_speed_from_rot = random_.between(0, 1.5f);
  last_throw_.speed_from_arm = last_throw_.arm_speed;
  last_throw_.speed_from_movement = dot(a.velocity, direction);
  last_throw_.speed_from_wrist = random_.between(-0.3f, 1.2f);
  last_throw_.wrist_align_to_throw_deg = random_.between(0, 120);
  last_throw_.throw_align_to_movement_deg = random_.between(0, 90);
  last_throw_.off_axis_penalty = random_.between(0, 0.2f);
  last_throw_.throw_move_penalty = random_.between(0, 0.3f);
}

void match::score_goal(int side) noexcept {
  const float distance = length(disc_.position - disc_.thrown_from);
  const bool is_long = distance > long_shot_metres;
  const int thrower = disc_.thrower;
  const bool own_goal = thrower >= 0 && team_of(thrower) != side;
  const std::int32_t amount = is_long && !own_goal ? 3 : 2;
  points_[side] += amount;
  if (!own_goal) {
    credit(thrower, &echo::stats::points, amount);
    credit(disc_.before_thrower, &echo::stats::assists);
  }
  last_score_ = {};
  last_score_.disc_speed = length(disc_.velocity);
  last_score_.distance_thrown = distance;
  last_score_.point_amount = amount;
  last_score_.team.assign(side == 0 ? "blue" : "orange");
  last_score_.goal_type.assign(own_goal ? "SELF GOAL"
                               : disc_.bounces_since_throw > 0
                                   ? (is_long ? "LONG BOUNCE SHOT" : "BOUNCE SHOT")
                               : is_long      ? "LONG SHOT"
                               : distance < 2 ? "SLAM DUNK"
                                              : "INSIDE SHOT");
  last_score_.person_scored.assign(thrower >= 0 ? athletes_[thrower].name : "[INVALID]");
  last_score_.assist_scored.assign(
      !own_goal && disc_.before_thrower >= 0 ? athletes_[disc_.before_thrower].name : "[INVALID]");
  echo::goal made;
  made.player = person(thrower);
  if (!own_goal) made.assist = person(disc_.before_thrower);
  made.team = static_cast<echo::side>(side);
  made.points = amount;
  made.goal_type = last_score_.goal_type;
  made.bounced = disc_.bounces_since_throw > 0 && !own_goal;
  made.distance_m = distance;
  made.speed = last_score_.disc_speed;
  made.blue_points = points_[0];
  made.orange_points = points_[1];
  note(made);
  if (stage_ == stage::sudden_death) {
    stage_ = stage::post_sudden_death;
    return;
  }
  stage_ = stage::score;
  stage_end_ = now_ + schedule_.score_pause;
}

void match::reset_disc() noexcept {
  const std::int32_t bounces = disc_.bounces;
  disc_ = {};
  disc_.bounces = bounces;
  disc_.velocity = random_.inside({1.5f, 1.5f, 0.5f});
  disc_.spin_step = turns(0.1f * seconds_);
}

// Rates are per second and per team, close to those of a lively match.
void match::step_incidents() noexcept {
  if (!disc_is_live()) return;
  for (int team = 0; team < 2; ++team) {
    if (teams_[team].count == 0 || teams_[1 - team].count == 0) continue;
    const auto any = [&](int of) {
      return teams_[of].athletes[random_.below(static_cast<std::uint32_t>(teams_[of].count))];
    };
    if (random_.chance(0.12f * seconds_)) {
      // Two statements: compilers evaluate arguments in different orders.
      const int attacker = any(team);
      stun(attacker, any(1 - team));
    }
    if (random_.chance(0.30f * seconds_)) athletes_[any(team)].blocking.left_s = random_.between(0.3f, 1.5f);
    if (random_.chance(0.04f * seconds_)) athletes_[any(team)].emote.left_s = random_.between(1.0f, 3.0f);
    if (random_.chance(0.25f * seconds_)) athletes_[any(team)].holds_geo.left_s = random_.between(0.4f, 2.0f);
    if (random_.chance(0.06f * seconds_)) {
      athlete& a = athletes_[any(team)];
      a.held_slot = athletes_[any(1 - team)].slot;
      a.holds_somebody.left_s = random_.between(0.3f, 1.2f);
    }
  }
}

void match::stun(int attacker, int victim) noexcept {
  athlete& hit = athletes_[victim];
  if (hit.stunned.runs() || hit.invulnerable.runs() || athletes_[attacker].stunned.runs()) return;
  if (hit.blocking.runs()) {
    credit(victim, &echo::stats::blocks);
    note(echo::stun_blocked{person(victim)});
    return;
  }
  hit.stunned.left_s = 3;
  hit.blocking = hit.emote = hit.holds_geo = hit.holds_somebody = {};
  hit.velocity = hit.velocity + random_.inside({3, 3, 3});
  credit(attacker, &echo::stats::stuns);
  note(echo::stun{person(attacker), person(victim)});
  if (disc_.holder != victim) return;
  credit(attacker, &echo::stats::steals);
  note(echo::steal{person(attacker), person(victim)});
}

}  // namespace tickreel::echo_vr
