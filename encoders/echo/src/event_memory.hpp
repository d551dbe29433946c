// State of the detector between ticks. Each part handles one aspect of the match.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "event_roster.hpp"
#include "tickreel/echo/events.hpp"

namespace tickreel::echo {

// The thresholds. docs/echo-events.md lists them too.
inline constexpr std::int32_t wait_ms = 500;           // for the second of two reports of the game
inline constexpr std::int32_t throw_details_ms = 250;  // for last_throw after the disc left the hand
inline constexpr std::int32_t stun_victim_ms = 100;    // between the counter of a stun and the stunned player
inline constexpr float hand_reach_m = 0.6f;            // if the build does not supply the content of hands
inline constexpr float ping_rise_ms = 80;              // above the usual, and at least twice that
inline constexpr float ping_calm_ms = 40;
inline constexpr std::int32_t ping_learning_ms = 3'000;
inline constexpr std::int32_t ping_memory_ms = 10'000;
// Spark's, so that counts are comparable. Positions are metres along the arena's axis; blue starts at
// negative z.
inline constexpr float tube_exit_m = 40;  // end of a tube, on both sides
inline constexpr float nest_m = 27.5f;    // position of the disc for a defensive joust
inline constexpr float middle_tolerance_m = 0.1f;
inline constexpr float nest_tolerance_m = 1;
inline constexpr std::int32_t joust_limit_ms = 10'000;
inline constexpr float playspace_m = 1.7f;
inline constexpr float playspace_drift_m_per_s = 0.05f;  // towards the head: no player stands still
                                                         // indefinitely
inline constexpr std::int32_t playspace_tick_ms = 100;   // ticks farther apart are ignored
inline constexpr std::int32_t playspace_pause_ms = 3'000;

enum class phase : std::uint8_t {
  unknown,
  none,
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

[[nodiscard]] constexpr bool is_live(phase one) noexcept {
  return one == phase::playing || one == phase::sudden_death;
}

[[nodiscard]] bool is_paused(const state& now) noexcept;

[[nodiscard]] inline vec3 between(vec3 to, vec3 from) noexcept {
  return {to.x - from.x, to.y - from.y, to.z - from.z};
}
[[nodiscard]] inline float dot(vec3 a, vec3 b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline float length(vec3 v) noexcept {
  return std::sqrt(dot(v, v));
}
// The angle, 0 to 180 degrees, with a cosine that rounding may have moved outside of -1 to 1. Mathematics libraries differ in
// the last bit of a float's arc cosine; that of a double, rounded to float, is the same with all of them.
[[nodiscard]] inline float angle_deg(float cosine) noexcept {
  constexpr float degrees = 57.29578f;
  return static_cast<float>(std::acos(static_cast<double>(std::clamp(cosine, -1.0f, 1.0f)))) * degrees;
}

// One tick, and the receiver of its events.
struct look {
  std::uint64_t tick = 0;
  const state* now = nullptr;
  event_listener* to = nullptr;
  bool first = false;           // no tick before it
  std::int32_t missed_ms = 0;   // ticks are missing before it
  std::int32_t elapsed_ms = 0;  // since the tick before
  phase was = phase::unknown, is = phase::unknown;

  [[nodiscard]] std::int64_t time_ms() const noexcept { return now->recorded_time_ms; }
  [[nodiscard]] bool turned_to(phase one) const noexcept { return is == one && was != one; }

  template <class Event>
  void emit(event_source source, const Event& what, std::uint32_t count = 1, bool uncertain = false,
            std::int32_t late_ms = 0) const noexcept {
    event made;
    made.tick = tick;
    made.time_ms = time_ms();
    if ((now->match.fields & session::has_game_clock) != 0) made.game_clock = now->match.game_clock;
    made.derived_from = source;
    made.count = count;
    made.missed_ms = missed_ms;
    made.late_ms = late_ms;
    made.uncertain = uncertain || count != 1 || missed_ms != 0;
    made.what = what;
    to->happened(made);
  }
};

// Match, rounds, pauses, requests, joining and leaving players, pings, the payload.
class session_events {
 public:
  void begin(const look& at) noexcept;
  void see(const look& at, event_roster& roster) noexcept;
  // Reports the end of the match after all other events of its last tick.
  void see_end(const look& at) noexcept;
  // Another session begins.
  void leave(const look& at) noexcept;
  void set_clock_back(std::int64_t now_ms) noexcept { paused_at_ms_ = std::min(paused_at_ms_, now_ms); }

 private:
  void see_round(const look& at) noexcept;
  void see_pause(const look& at) noexcept;
  void see_people(const look& at, event_roster& roster) noexcept;
  void see_ping(const look& at, event_roster& roster) noexcept;
  void see_payload(const look& at) noexcept;

  std::int32_t points_[2] = {0, 0};
  bool match_runs_ = false;
  bool round_runs_ = false;
  bool paused_ = false;
  std::int64_t paused_at_ms_ = 0;
  side unpaused_by_ = side::none;  // reported before the pause ends, not after it
  bool requests_[2] = {false, false};
  bool has_payload_ = false;
  payload_motion motion_ = payload_motion::stopped;
  std::int32_t checkpoint_ = 0;
};

class goal_events {
 public:
  void begin(const look& at) noexcept;
  void see(const look& at, event_roster& roster) noexcept;
  void finish(const look& at, event_roster& roster) noexcept;
  void set_clock_back(std::int64_t now_ms) noexcept {
    for (std::int64_t* each : {&owed_since_ms_[0], &owed_since_ms_[1], &since_ms_, &entry_.time_ms}) {
      *each = std::min(*each, now_ms);
    }
  }

 private:
  struct scorers {
    event_roster::match_by_name player;
    event_roster::match_by_name assist;
    [[nodiscard]] bool is_ambiguous() const noexcept { return player.is_ambiguous || assist.is_ambiguous; }
  };
  [[nodiscard]] side scoring_side() const noexcept;
  [[nodiscard]] std::int64_t happened_ms() const noexcept;
  [[nodiscard]] scorers find_scorers(event_roster& roster) const noexcept;
  void note_entry(const look& at) noexcept;
  void emit_goal(const look& at, event_roster& roster) noexcept;
  void emit_points(const look& at, int team) noexcept;

  std::int64_t points_[2] = {0, 0};
  std::int64_t owed_[2] = {0, 0};  // points that no goal explains yet
  std::int64_t owed_since_ms_[2] = {0, 0};
  bool has_points_ = false;
  bool has_score_ = false;
  last_score score_;
  bool waits_ = false;  // score_ is new, its points have not arrived
  bool waits_gap_ = false;
  std::int64_t since_ms_ = 0;
  // The disc's entry into the goal: stored at the first sign of a goal, up to three in a second.
  struct entry {
    bool noted = false;
    std::int64_t time_ms = 0;
    float angle_deg = -1;
    bool from_behind = false;
  };
  entry entry_;
  bool has_flight_ = false;
  vec3 disc_position_;  // in the last tick of play
  vec3 disc_velocity_;
};

// Movements of players: jousts of teams, and playspaces.
class movement_events {
 public:
  void begin(const look& at, event_roster& roster) noexcept;
  void see(const look& at, event_roster& roster) noexcept;
  void set_clock_back(std::int64_t now_ms) noexcept { began_ms_ = std::min(began_ms_, now_ms); }

 private:
  struct team_race {
    bool runs = false;
    bool defensive = false;
    float top_speed = 0;
    float tube_exit_speed = 0;
  };
  void start_jousts(const look& at) noexcept;
  void see_joust(const look& at, event_roster& roster, int team) noexcept;
  void see_playspaces(const look& at, event_roster& roster) noexcept;

  std::array<team_race, 2> races_{};
  std::int64_t began_ms_ = 0;
  float began_clock_ = 0;
  bool gap_ = false;
};

// The disc: its holder, thrower and possession; and the players' counters about it.
class disc_events {
 public:
  void begin(const look& at, event_roster& roster) noexcept;
  void see(const look& at, event_roster& roster) noexcept;
  void finish(const look& at, event_roster& roster) noexcept;
  void set_clock_back(std::int64_t now_ms) noexcept {
    for (std::int64_t* each : {&release_.time_ms, &exchange_.time_ms, &joust_began_ms_}) {
      *each = std::min(*each, now_ms);
    }
    for (waiting_stun& each : stuns_) each.time_ms = std::min(each.time_ms, now_ms);
  }

 private:
  static constexpr int nobody = event_roster::nobody;
  struct release {
    bool waits = false;
    bool gap = false;
    int who = nobody;
    std::int64_t time_ms = 0;
    disc_thrown what;
  };
  struct exchange {
    bool waits = false;
    bool gap = false;
    bool own_team = false;
    int from = nobody;
    int to = nobody;
    std::int64_t time_ms = 0;
  };

  [[nodiscard]] int holder_in(const look& at, event_roster& roster) const noexcept;
  [[nodiscard]] int possessor_in(const look& at, event_roster& roster) const noexcept;
  void forget_departed(event_roster& roster) noexcept;
  void see_release(const look& at, event_roster& roster, int holder) noexcept;
  void see_details(const look& at, event_roster& roster) noexcept;
  void emit_release(const look& at, event_roster& roster, bool has_details) noexcept;
  void see_counters(const look& at, event_roster& roster, int holder) noexcept;
  void see_exchange(const look& at, event_roster& roster, int holder) noexcept;
  void settle_exchange(const look& at, event_roster& roster, bool at_last) noexcept;
  void see_joust(const look& at, event_roster& roster, int holder) noexcept;
  void see_stun(const look& at, event_roster& roster, int who, std::uint32_t count, bool is_alone) noexcept;
  void settle_stuns(const look& at, event_roster& roster, bool at_last) noexcept;
  void remember_grip(const look& at, event_roster& roster, int holder) noexcept;

  int holder_ = nobody;
  int thrower_ = nobody;  // the last holder
  int possessor_ = nobody;
  float arm_angle_deg_ = -1;
  last_throw throw_;
  bool has_throw_ = false;
  release release_;
  exchange exchange_;
  // Stuns that the game has counted and whose victims are not known yet.
  struct waiting_stun {
    int who = nobody;
    std::uint32_t count = 0;
    std::int64_t time_ms = 0;
  };
  std::array<waiting_stun, 16> stuns_{};
  std::size_t waiting_stuns_ = 0;
  bool jousting_ = false;
  std::int64_t joust_began_ms_ = 0;
  bool joust_gap_ = false;
};

}  // namespace tickreel::echo
