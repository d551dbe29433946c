// One simulated player: identity, flight and gestures.
#pragma once

#include "arithmetic.hpp"

namespace tickreel::echo_vr {

// Three axes of a direction: left = up x forward.
struct axes {
  vec3 forward{0, 0, 1};
  vec3 left{1, 0, 0};
  vec3 up{0, 1, 0};
};
[[nodiscard]] axes axes_of(vec3 forward, vec3 rough_up) noexcept;

// Counts down; true while it runs.
struct countdown {
  float left_s = 0;
  [[nodiscard]] bool runs() const noexcept { return left_s > 0; }
  void pass(float seconds) noexcept { left_s = left_s > seconds ? left_s - seconds : 0; }
};

struct loadout {
  std::uint8_t weapon = 0, ordnance = 0, tac_mod = 0, arm = 0;
};

struct athlete {
  // Identity
  std::string_view name;
  std::uint64_t userid = 0;
  std::int32_t slot = 0;
  std::int32_t number = 0;
  std::int32_t level = 0;
  std::int32_t usual_ping_ms = 0;
  std::uint64_t joined_tick = 0;

  // Flight
  vec3 position;
  vec3 velocity;
  vec3 target;
  vec3 facing{0, 0, 1};  // horizontal
  vec3 gaze{0, 0, 1};
  countdown until_new_target;
  countdown until_boost;

  // Appearance
  countdown stunned, invulnerable, blocking, emote, holds_geo, holds_somebody;
  countdown until_ping_changes;
  std::int32_t ping_ms = 0;
  std::int32_t held_slot = 0;
  float packet_loss = 0;
  bool right_handed = true;
  loadout gear;
  echo::stats stats;

  // Slow oscillations that head, hands and bones share.
  turn sway[6] = {};
  turn sway_step[6] = {};

  void appear(random_stream& random, std::uint64_t tick, float tick_seconds) noexcept;
  // One tick of flight toward the target inside a box; `looks_at` turns body and head.
  void fly(random_stream& random, float seconds, vec3 half_size, vec3 looks_at) noexcept;
  // All timers and automatic changes.
  void pass(random_stream& random, float seconds) noexcept;

  [[nodiscard]] axes body_axes() const noexcept { return axes_of(facing, {0, 1, 0}); }
  [[nodiscard]] axes head_axes() const noexcept;
  [[nodiscard]] axes hand_axes(bool right) const noexcept;
  [[nodiscard]] vec3 hand_position(bool right) const noexcept;
  [[nodiscard]] vec3 throwing_hand() const noexcept { return hand_position(right_handed); }
};

}  // namespace tickreel::echo_vr
