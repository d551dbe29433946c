// The complete simulated match.
#pragma once

#include <vector>

#include "athlete.hpp"
#include "tickreel/echo_vr/simulator.hpp"

namespace tickreel::echo_vr {

enum class stage : std::uint8_t {
  pre_match,
  round_start,
  playing,
  score,
  round_over,
  pre_sudden_death,
  sudden_death,
  post_sudden_death,
  post_match,
};

// The schedule, in seconds from the beginning. Scaled down for short matches.
struct schedule {
  double round_start = 0, playing = 0;
  double pause_requested = 0, paused = 0, unpausing = 0, unpaused = 0;
  double leave = 0, come_back = 0, join = 0, change_team = 0, change_back = 0;
  double blue_restart = 0, orange_restart = 0, restart_end = 0;
  double match_end = 0, source_end = 0;
  double ping_spike = 0, ping_calm = 0;
  double clock_start = 0;  // seconds on the clock when play begins
  double ending = 0;       // maximum duration of round_over and of the sudden death
  double score_pause = 0;
};

struct flying_disc {
  vec3 position;
  vec3 velocity;
  vec3 thrown_from;
  float free_for_s = 0;
  float throw_speed = 0;
  std::int32_t bounces = 0;
  int bounces_since_throw = 0;
  int holder = -1;          // athlete
  int thrower = -1;         // the last holder
  int before_thrower = -1;  // the holder before, for assists
  bool was_shot = false;
  turn spin = 0;
  turn spin_step = 0;
  countdown until_throw;
};

struct combat_objective {
  int map = 0;
  float progress[2] = {0, 0};  // capture points, 0 to 100
  bool contested = false;
  float payload_distance = 0;
  float payload_speed = 0;
  int checkpoint = 0;
  int defenders = 0, attackers = 0;
  double timer = 0;
};

struct list_of_members {
  std::uint8_t athletes[echo::max_players] = {};
  int count = 0;
};

class match {
 public:
  explicit match(const simulation_options& options) noexcept;
  bool next(echo::state& out) noexcept;
  [[nodiscard]] const std::vector<played_event>& played() const noexcept { return played_; }

 private:
  // roster.cpp: joins and leaves
  void invite() noexcept;
  void enter(int who, int team) noexcept;
  void leave(int who) noexcept;
  void follow_roster_schedule() noexcept;
  [[nodiscard]] int team_of(int who) const noexcept { return teams_by_athlete_[who]; }
  // True once, in the first tick at or after `when`.
  [[nodiscard]] bool is_due(double when) const noexcept { return when <= now_ && when > before_; }
  [[nodiscard]] bool between(double from, double to) const noexcept { return now_ >= from && now_ < to; }

  // arena.cpp: the rules and the disc
  void step_arena() noexcept;
  void step_stage() noexcept;
  void choose_arena_targets() noexcept;
  void step_disc() noexcept;
  void fly_disc() noexcept;
  void try_to_catch() noexcept;
  void catch_disc(int who) noexcept;
  void throw_disc() noexcept;
  void score_goal(int side) noexcept;
  void reset_disc() noexcept;
  void step_incidents() noexcept;
  void stun(int attacker, int victim) noexcept;
  void credit(int who, std::int32_t echo::stats::* what, std::int32_t amount = 1) noexcept;
  [[nodiscard]] bool clock_runs() const noexcept;
  [[nodiscard]] bool disc_is_live() const noexcept;
  [[nodiscard]] bool is_paused() const noexcept {
    return options_.incidents && between(schedule_.paused, schedule_.unpaused);
  }

  // played.cpp: the true events, for tests of detectors
  void note(const echo::event_data& what) noexcept;
  void note_schedule() noexcept;
  void note_stage(stage before) noexcept;
  void note_owner(int before) noexcept;
  [[nodiscard]] echo::participant person(int who) const noexcept;
  [[nodiscard]] int owner() const noexcept { return disc_.holder >= 0 ? disc_.holder : disc_.thrower; }
  [[nodiscard]] echo::payload_changed payload_now() const noexcept;

  // combat.cpp
  void scatter_over_map() noexcept;
  void step_combat() noexcept;
  // Offset of positions, which are computed around the origin.
  [[nodiscard]] vec3 map_offset() const noexcept;
  void publish_combat(echo::session& out) const noexcept;

  // publish.cpp: the responses of the API
  void publish(echo::state& out) const noexcept;
  void publish_common(echo::session& out) const noexcept;
  void publish_arena(echo::session& out) const noexcept;
  void publish_pause(echo::pause_state& out) const noexcept;
  void publish_teams(echo::state& out) const noexcept;
  void publish_player(int who, echo::player& out) const noexcept;
  void publish_hands(int who, echo::player& out) const noexcept;
  void publish_bones(echo::state& out) const noexcept;
  [[nodiscard]] bool is_arena() const noexcept { return options_.mode != echo::mode::combat; }

  simulation_options options_;
  random_stream random_;
  schedule schedule_;
  std::uint64_t tick_ = 0;
  double now_ = 0;
  double before_ = 0;  // now_ of the previous tick
  double step_ = 0;
  float seconds_ = 0;  // step_ as float

  athlete athletes_[echo::max_players];
  std::int8_t teams_by_athlete_[echo::max_players];
  int athlete_count_ = 0;
  list_of_members teams_[echo::max_teams];
  int local_ = 0;
  int guest_ = 0;  // joins later

  stage stage_ = stage::pre_match;
  double stage_end_ = 0;
  double clock_ = 0;
  int points_[2] = {0, 0};
  echo::stats team_stats_[echo::max_teams];
  echo::last_score last_score_;
  echo::last_throw last_throw_;
  flying_disc disc_;
  combat_objective objective_;
  echo::text<40> sessionid_;
  echo::text<48> sessionip_;
  turn trigger_ = 0;
  std::vector<played_event> played_;
  bool round_runs_ = false;
  bool jousting_ = false;
};

}  // namespace tickreel::echo_vr
