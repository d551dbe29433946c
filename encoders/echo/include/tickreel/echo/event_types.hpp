// Events of an Echo VR match: their types and fields. docs/echo-events.md defines them and their confidence. The
// shared types of analysis/ are about units, money and armies; none applies.
//
// Trivially copyable, without heap: events can be created anywhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "tickreel/describe/describe.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::echo {

enum class side : std::uint8_t { blue, orange, spectators, none };
enum class payload_motion : std::uint8_t { stopped, moving, contested };

// The names of an enumeration in the order of its values; their number is the number of valid values.
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<side>) noexcept;
[[nodiscard]] std::span<const std::string_view> words(std::type_identity<payload_motion>) noexcept;

// A player of the match, with the name at the time.
struct participant {
  text<64> name;
  std::uint64_t userid = 0;  // 0: unknown; bots may share it
  std::int32_t slot = -1;    // the API's playerid; -1: unknown
  echo::side team = side::none;
  [[nodiscard]] bool is_known() const noexcept { return !name.empty() || slot >= 0; }
  friend bool operator==(const participant&, const participant&) = default;
};
TICKREEL_DESCRIBE(participant, name, userid, slot, team);

// A session is seen for the first time, or restarts after its end. in_progress: it had begun before.
struct match_started {
  static constexpr std::string_view type_name = "match_started";
  text<40> sessionid;
  text<40> map_name;
  bool in_progress = false;
};
TICKREEL_DESCRIBE(match_started, sessionid, map_name, in_progress);

struct match_ended {
  static constexpr std::string_view type_name = "match_ended";
  std::int32_t blue_points = 0;
  std::int32_t orange_points = 0;
  side winner = side::none;  // none: even, or unknown
};
TICKREEL_DESCRIBE(match_ended, blue_points, orange_points, winner);

struct round_started {
  static constexpr std::string_view type_name = "round_started";
  std::int32_t round = 0;  // from 1, by the rounds won; 0: unknown
};
TICKREEL_DESCRIBE(round_started, round);

struct round_ended {
  static constexpr std::string_view type_name = "round_ended";
  std::int32_t blue_points = 0;
  std::int32_t orange_points = 0;
  side winner = side::none;
};
TICKREEL_DESCRIBE(round_ended, blue_points, orange_points, winner);

struct pause_started {
  static constexpr std::string_view type_name = "pause_started";
  side requested_by = side::none;
};
TICKREEL_DESCRIBE(pause_started, requested_by);

struct pause_ended {
  static constexpr std::string_view type_name = "pause_ended";
  side ended_by = side::none;
  float duration_s = 0;  // by the recorded times
};
TICKREEL_DESCRIBE(pause_ended, ended_by, duration_s);

// The first player to hold the disc after play began or resumed.
struct joust {
  static constexpr std::string_view type_name = "joust";
  participant player;
  float time_s = 0;     // since the start of play, by the recorded times
  float top_speed = 0;  // the player's, since then; metres per second
};
TICKREEL_DESCRIBE(joust, player, time_s, top_speed);

// The fields after `has_details` are the game's last_throw, which it supplies only for the local player.
struct disc_thrown {
  static constexpr std::string_view type_name = "throw";
  participant player;
  float speed = 0;  // of the disc; metres per second
  vec3 position;    // of the disc
  // Between the head's up and the direction from the head to the disc at the last tick it was held: 0
  // overhead, 90 level, 180 below. -1: unknown.
  float arm_angle_deg = -1;
  bool has_details = false;
  float arm_speed = 0;  // metres per second
  float spin_rotations_per_s = 0;
  float off_axis_spin_deg = 0;
  float wrist_align_to_throw_deg = 0;
  float throw_align_to_movement_deg = 0;
};
TICKREEL_DESCRIBE(disc_thrown, player, speed, position, arm_angle_deg, has_details, arm_speed,
                  spin_rotations_per_s, off_axis_spin_deg, wrist_align_to_throw_deg,
                  throw_align_to_movement_deg);

struct disc_passed {
  static constexpr std::string_view type_name = "pass";
  participant player;
  participant to;  // unknown if several players qualify
};
TICKREEL_DESCRIBE(disc_passed, player, to);

struct disc_caught {
  static constexpr std::string_view type_name = "catch";
  participant player;
  participant from;
};
TICKREEL_DESCRIBE(disc_caught, player, from);

struct interception {
  static constexpr std::string_view type_name = "interception";
  participant player;
  participant from;
};
TICKREEL_DESCRIBE(interception, player, from);

struct steal {
  static constexpr std::string_view type_name = "steal";
  participant player;
  participant from;
};
TICKREEL_DESCRIBE(steal, player, from);

struct stun_blocked {
  static constexpr std::string_view type_name = "block";
  participant player;  // the blocker
};
TICKREEL_DESCRIBE(stun_blocked, player);

struct stun {
  static constexpr std::string_view type_name = "stun";
  participant player;
  participant victim;  // unknown if several players qualify
};
TICKREEL_DESCRIBE(stun, player, victim);

struct save {
  static constexpr std::string_view type_name = "save";
  participant player;
  participant from;  // the thrower
};
TICKREEL_DESCRIBE(save, player, from);

struct shot {
  static constexpr std::string_view type_name = "shot";
  participant player;
  float speed = 0;  // of the disc then; metres per second
};
TICKREEL_DESCRIBE(shot, player, speed);

struct goal {
  static constexpr std::string_view type_name = "goal";
  participant player;
  participant assist;  // unknown: none
  side team = side::none;
  std::int32_t points = 0;
  float distance_m = 0;
  float speed = 0;  // of the disc; metres per second
  text<32> goal_type;
  bool bounced = false;          // from the type
  std::int32_t blue_points = 0;  // including this goal
  std::int32_t orange_points = 0;
  // Between the disc's velocity in the last tick of play and the axis of the goal. -1: unknown.
  float angle_deg = -1;
  bool from_behind = false;  // off the backboard: the disc flew towards the middle
  // Recordings of version 0.2 end a goal before the angle.
  static constexpr std::size_t required_fields = 10;
};
TICKREEL_DESCRIBE(goal, player, assist, team, points, distance_m, speed, goal_type, bounced, blue_points,
                  orange_points, angle_deg, from_behind);

// The game assigns possession to the last player with the disc until another one has it.
struct possession_changed {
  static constexpr std::string_view type_name = "possession_changed";
  participant player;  // the current one; unknown: none
  participant from;
};
TICKREEL_DESCRIBE(possession_changed, player, from);

struct player_joined {
  static constexpr std::string_view type_name = "player_joined";
  participant player;
};
TICKREEL_DESCRIBE(player_joined, player);

struct player_left {
  static constexpr std::string_view type_name = "player_left";
  participant player;
};
TICKREEL_DESCRIBE(player_left, player);

struct team_changed {
  static constexpr std::string_view type_name = "team_changed";
  participant player;  // with the new team
  side from = side::none;
};
TICKREEL_DESCRIBE(team_changed, player, from);

struct ping_spike {
  static constexpr std::string_view type_name = "ping_spike";
  participant player;
  std::int32_t ping_ms = 0;
  std::int32_t usual_ms = 0;
};
TICKREEL_DESCRIBE(ping_spike, player, ping_ms, usual_ms);

struct restart_requested {
  static constexpr std::string_view type_name = "restart_requested";
  side team = side::none;
};
TICKREEL_DESCRIBE(restart_requested, team);

// Combat: the payload begins to move, stops or is contested, or a checkpoint is passed. On maps with capture
// points only `contested` is set; checkpoint, distance and speed are 0 there.
struct payload_changed {
  static constexpr std::string_view type_name = "payload_changed";
  payload_motion state = payload_motion::stopped;
  std::int32_t checkpoint = 0;
  float distance_m = 0;
  float speed = 0;  // metres per second
};
TICKREEL_DESCRIBE(payload_changed, state, checkpoint, distance_m, speed);

// The first player of a team across the middle after a round began.
struct team_joust {
  static constexpr std::string_view type_name = "team_joust";
  participant player;
  side team = side::none;
  bool defensive = false;     // the disc is on the team's side instead of in the middle
  float time_s = 0;           // since the start of play, by the game clock
  float top_speed = 0;        // of the whole team until then; metres per second
  float tube_exit_speed = 0;  // the highest at which a player of the team left the tube; 0: not seen
};
TICKREEL_DESCRIBE(team_joust, player, team, defensive, time_s, top_speed, tube_exit_speed);

// The distance between a head and its expected position exceeds a plausible playspace.
struct playspace_exceeded {
  static constexpr std::string_view type_name = "playspace_exceeded";
  participant player;
  float distance_m = 0;
};
TICKREEL_DESCRIBE(playspace_exceeded, player, distance_m);

}  // namespace tickreel::echo
