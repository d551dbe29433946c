#include "athlete.hpp"

#include <algorithm>

namespace tickreel::echo_vr {

namespace {

constexpr float thrust = 6.0f;         // metres per second squared
constexpr float drag_per_s = 0.45f;    // of the velocity
constexpr float boost_speed = 4.0f;    // metres per second, added immediately
constexpr float rebound = 0.4f;        // of the speed against a wall
constexpr float turning_per_s = 3.5f;  // fraction of the way to the desired direction

void stay_inside(float& position, float& velocity, float limit) noexcept {
  if (position > limit) {
    position = limit;
    velocity = -rebound * std::abs(velocity);
  } else if (position < -limit) {
    position = -limit;
    velocity = rebound * std::abs(velocity);
  }
}

}  // namespace

axes axes_of(vec3 forward, vec3 rough_up) noexcept {
  axes out;
  out.forward = forward;
  out.left = normalised(cross(rough_up, forward), {1, 0, 0});
  out.up = cross(out.forward, out.left);
  return out;
}

void athlete::appear(random_stream& random, std::uint64_t tick, float tick_seconds) noexcept {
  joined_tick = tick;
  ping_ms = usual_ping_ms;
  until_ping_changes.left_s = random.unit();
  until_new_target = {};
  until_boost.left_s = random.between(0.5f, 3.0f);
  stunned = invulnerable = blocking = emote = holds_geo = holds_somebody = {};
  for (int i = 0; i < 6; ++i) {
    sway[i] = static_cast<turn>(random.bits() >> 32);
    const float turns_per_s = random.between(0.15f, 0.9f);
    sway_step[i] = turns(turns_per_s * tick_seconds);
  }
}

void athlete::fly(random_stream& random, float seconds, vec3 half_size, vec3 looks_at) noexcept {
  if (!stunned.runs()) {
    const vec3 wish = normalised(target - position, {0, 0, 0});
    velocity = velocity + wish * (thrust * seconds);
    until_boost.pass(seconds);
    if (!until_boost.runs()) {
      velocity = velocity + wish * boost_speed;
      until_boost.left_s = random.between(1.5f, 5.0f);
    }
  }
  velocity = velocity * (1.0f - drag_per_s * seconds);
  position = position + velocity * seconds;
  stay_inside(position.x, velocity.x, half_size.x);
  stay_inside(position.y, velocity.y, half_size.y);
  stay_inside(position.z, velocity.z, half_size.z);

  const float share = std::min(1.0f, turning_per_s * seconds);
  const vec3 toward = normalised(looks_at - position, gaze);
  gaze = normalised(mixed(gaze, toward, share), gaze);
  // The body follows the head slowly and stays upright.
  const vec3 level_gaze = normalised({gaze.x, 0, gaze.z}, facing);
  const vec3 turned = mixed(facing, level_gaze, share * 0.6f);
  facing = normalised({turned.x, 0, turned.z}, facing);
}

void athlete::pass(random_stream& random, float seconds) noexcept {
  for (int i = 0; i < 6; ++i) sway[i] += sway_step[i];
  for (countdown* each : {&invulnerable, &blocking, &emote, &holds_geo, &holds_somebody}) each->pass(seconds);
  if (stunned.runs()) {
    stunned.pass(seconds);
    if (!stunned.runs()) invulnerable.left_s = 3.0f;
  }
  until_ping_changes.pass(seconds);
  if (!until_ping_changes.runs()) {
    until_ping_changes.left_s = 1.0f;
    const auto change = static_cast<std::int32_t>(random.below(9)) - 4;
    ping_ms = std::clamp(usual_ping_ms + change * (random.chance(0.05f) ? 6 : 1), 5, 250);
    packet_loss = random.chance(0.04f) ? static_cast<float>(1 + random.below(5)) * 0.01f : 0.0f;
  }
}

axes athlete::head_axes() const noexcept {
  const axes looking = axes_of(gaze, {0, 1, 0});
  const vec3 nod = looking.up * (0.18f * sine(sway[0])) + looking.left * (0.22f * sine(sway[1]));
  const vec3 forward = normalised(gaze + nod, gaze);
  return axes_of(forward, vec3{0, 1, 0} + looking.left * (0.25f * sine(sway[2])));
}

axes athlete::hand_axes(bool right) const noexcept {
  const axes body = body_axes();
  const turn other = right ? 0 : 0x50000000u;
  const vec3 pointing = body.forward + body.up * (0.7f * sine(sway[3] + other)) +
                        body.left * ((right ? 0.3f : -0.3f) + 0.5f * sine(sway[4] + other));
  return axes_of(normalised(pointing, body.forward), body.up + body.left * (0.8f * sine(sway[5] + other)));
}

vec3 athlete::hand_position(bool right) const noexcept {
  const axes body = body_axes();
  const turn other = right ? 0 : 0x70000000u;
  const float side = right ? -1.0f : 1.0f;
  return position + body.left * (side * (0.32f + 0.12f * sine(sway[3] + other))) +
         body.up * (-0.25f + 0.25f * sine(sway[0] + other)) +
         body.forward * (0.35f + 0.2f * sine(sway[1] + other));
}

}  // namespace tickreel::echo_vr
