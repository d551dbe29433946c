// Rounding within a permitted error that prefers repeated bytes.
#pragma once

#include <cmath>

#include "tickreel/echo/state.hpp"
#include "tickreel/quantize/half.hpp"
#include "tickreel/quantize/smallest_three.hpp"

namespace tickreel::butter {

[[nodiscard]] inline float square(const echo::vec3& v) noexcept {
  return v.x * v.x + v.y * v.y + v.z * v.z;
}
[[nodiscard]] inline echo::vec3 operator-(const echo::vec3& a, const echo::vec3& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
// Rounds to whole steps, and to an even number of them if that is nearly as good: bytes with fewer mantissa
// bits compress better.
class step_rounding {
 public:
  // `step` is rounded down to a power of two.
  step_rounding(float step, float even_limit) noexcept : even_limit_(even_limit) {
    int exponent = 0;
    const bool usable = step >= 0x1p-24f && step <= 1.0f;
    std::frexp(usable ? step : 0x1p-24f, &exponent);
    step_ = std::ldexp(1.0f, exponent - 1);
    steps_per_unit_ = 1.0f / step_;
  }

  [[nodiscard]] float step() const noexcept { return step_; }
  [[nodiscard]] float steps_per_unit() const noexcept { return steps_per_unit_; }
  [[nodiscard]] float even_limit() const noexcept { return even_limit_; }
  // Below this, whole steps are exact.
  [[nodiscard]] float reach() const noexcept { return step_ * 2047.0f; }

  // For magnitudes below 2^22 steps. Never -0, whose bytes differ from those of 0.
  [[nodiscard]] float whole_steps(float value) const noexcept {
    const float steps = value * steps_per_unit_;
    const float even = nearest_whole(steps * 0.5f) * 2.0f;
    return (std::fabs(even - steps) <= even_limit_ ? even : nearest_whole(steps)) + 0.0f;
  }

  // As a half. Beyond 2048 steps it is the nearest half. Clamped to finite values; 0 for NaN.
  [[nodiscard]] std::uint16_t half(float value) const noexcept {
    if (std::fabs(value) < reach()) return half_nearest(whole_steps(value) * step_);
    return clamped_half(value);
  }

  // The nearest finite half; 0 for NaN.
  [[nodiscard]] static std::uint16_t clamped_half(float value) noexcept {
    if (std::fabs(value) <= half_max) return half_nearest(value);
    return value > 0 ? half_nearest(half_max) : value < 0 ? half_nearest(-half_max) : 0;
  }

 private:
  [[nodiscard]] static float nearest_whole(float value) noexcept {
    constexpr float shift = 0x1.8p23f;
    return value + shift - shift;
  }

  float step_;
  float steps_per_unit_;
  float even_limit_;
};

[[nodiscard]] inline std::uint16_t clamped_half(float value) noexcept {
  return step_rounding::clamped_half(value);
}

// The largest angle between rotations, as values that can be compared without an arc cosine.
class angle_limit {
 public:
  explicit angle_limit(float degrees) noexcept {
    const double angle = static_cast<double>(degrees) * (3.14159265358979323846 / 180.0);
    const double sine = std::sin(angle / 2);
    const double chord = 2 * std::sin(angle / 4);
    sine_square_ = angle > 0 ? static_cast<float>(sine * sine) : -1.0f;
    chord_square_ = angle > 0 ? static_cast<float>(chord * chord) : -1.0f;
  }
  // Of the vector part of the unit quaternion that rotates one into the other.
  [[nodiscard]] float sine_square() const noexcept { return sine_square_; }
  // Of the difference between their unit quaternions.
  [[nodiscard]] float chord_square() const noexcept { return chord_square_; }

 private:
  float sine_square_;
  float chord_square_;
};

// The packed identity.
inline constexpr std::uint32_t identity_rotation = 0x7FDFF7FFu;

}  // namespace tickreel::butter
