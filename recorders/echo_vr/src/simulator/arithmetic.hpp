// Arithmetic with identical bits on every machine: + - * / and sqrt of IEEE floats, and integers.
#pragma once

#include <cmath>
#include <cstdint>

#include "tickreel/echo/state.hpp"

namespace tickreel::echo_vr {

using echo::quat;
using echo::vec3;

constexpr vec3 operator+(vec3 a, vec3 b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr vec3 operator-(vec3 a, vec3 b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
constexpr vec3 operator*(vec3 v, float factor) noexcept {
  return {v.x * factor, v.y * factor, v.z * factor};
}

constexpr float dot(vec3 a, vec3 b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
constexpr vec3 cross(vec3 a, vec3 b) noexcept {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline float length(vec3 v) noexcept {
  return std::sqrt(dot(v, v));
}
// Returns `otherwise` if there is no direction.
inline vec3 normalised(vec3 v, vec3 otherwise) noexcept {
  const float size = length(v);
  return size > 1e-4f ? v * (1.0f / size) : otherwise;
}
constexpr vec3 mixed(vec3 from, vec3 to, float share) noexcept {
  return from + (to - from) * share;
}

// Rounds to 3 decimals, as the game rounds positions and directions. Never returns -0.
inline float rounded(float value) noexcept {
  return static_cast<float>(std::floor(static_cast<double>(value) * 1000.0 + 0.5) / 1000.0);
}
inline vec3 rounded(vec3 v) noexcept {
  return {rounded(v.x), rounded(v.y), rounded(v.z)};
}

// A fraction of a full turn, in units of 2^-32 turns: addition wraps exactly.
using turn = std::uint32_t;
inline constexpr turn quarter_turn = 1u << 30;
// Complete turns, of which there are more than one at low rates, wrap. `count` is not negative.
constexpr turn turns(float count) noexcept {
  return static_cast<turn>(static_cast<std::uint64_t>(count * 4294967296.0f));
}

// Sine to 1e-5: the Taylor series of sin(pi x), with x folded into a quarter turn.
constexpr float sine(turn angle) noexcept {
  float half_turns = static_cast<float>(static_cast<std::int32_t>(angle)) * (1.0f / 2147483648.0f);
  if (half_turns > 0.5f) half_turns = 1.0f - half_turns;
  if (half_turns < -0.5f) half_turns = -1.0f - half_turns;
  const float square = half_turns * half_turns;
  return half_turns *
         (3.1415927f +
          square * (-5.1677128f + square * (2.5501640f + square * (-0.5992645f + square * 0.0821459f))));
}
constexpr float cosine(turn angle) noexcept {
  return sine(angle + quarter_turn);
}

// SplitMix64.
class random_stream {
 public:
  constexpr explicit random_stream(std::uint64_t seed = 0) noexcept : state_(seed) {}

  constexpr std::uint64_t bits() noexcept {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed_bits = state_;
    mixed_bits = (mixed_bits ^ mixed_bits >> 30) * 0xbf58476d1ce4e5b9u;
    mixed_bits = (mixed_bits ^ mixed_bits >> 27) * 0x94d049bb133111ebu;
    return mixed_bits ^ mixed_bits >> 31;
  }
  constexpr std::uint32_t below(std::uint32_t limit) noexcept {
    return static_cast<std::uint32_t>((bits() >> 32) * limit >> 32);
  }
  // In [0, 1); all 24 bits are exact.
  constexpr float unit() noexcept { return static_cast<float>(bits() >> 40) * (1.0f / 16777216.0f); }
  constexpr float between(float low, float high) noexcept { return low + (high - low) * unit(); }
  constexpr bool chance(float probability) noexcept { return unit() < probability; }
  constexpr vec3 inside(vec3 half_size) noexcept {
    const float x = between(-half_size.x, half_size.x);
    const float y = between(-half_size.y, half_size.y);
    const float z = between(-half_size.z, half_size.z);
    return {x, y, z};
  }

 private:
  std::uint64_t state_;
};

}  // namespace tickreel::echo_vr
