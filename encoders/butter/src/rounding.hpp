// Rounding that errs by less than it is allowed to, and repeats bytes where it can.
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
[[nodiscard]] inline float dot(const quaternion& a, const quaternion& b) noexcept {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// Differences as halves in whole steps of a power of two: the fewer mantissa bits are in use, the better the
// bytes compress.
class step_rounding {
 public:
  // `step` is taken down to a power of two.
  explicit step_rounding(float step) noexcept {
    int exponent = 0;
    const bool usable = step > 0x1p-24f && step < 1.0f;
    std::frexp(usable ? step : 0x1p-24f, &exponent);
    step_ = std::ldexp(1.0f, exponent - 1);
    steps_per_unit_ = 1.0f / step_;
  }

  // The half for `difference`. Beyond 2048 steps it is the nearest half. Clamped to what is finite; 0 for
  // NaN.
  [[nodiscard]] std::uint16_t operator()(float difference) const noexcept {
    const float steps = difference * steps_per_unit_;
    if (std::fabs(steps) < 2048.0f) return half_nearest(nearest_whole(steps) * step_);
    if (!(std::fabs(difference) <= half_max)) {
      return difference > 0 ? half_nearest(half_max) : difference < 0 ? half_nearest(-half_max) : 0;
    }
    return half_nearest(difference);
  }

 private:
  // To even where it lies half way; for magnitudes below 2^22.
  [[nodiscard]] static float nearest_whole(float value) noexcept {
    constexpr float shift = 0x1.8p23f;
    const float whole = value + shift - shift;
    return whole == 0.0f ? 0.0f : whole;  // never -0: its bytes differ from those of 0
  }

  float step_;
  float steps_per_unit_;
};

[[nodiscard]] inline std::uint16_t clamped_half(float value) noexcept {
  if (std::fabs(value) <= half_max) return half_nearest(value);
  return value > 0 ? half_nearest(half_max) : value < 0 ? half_nearest(-half_max) : 0;
}

// Compares rotations without an arc cosine: |a . b| / (|a| |b|) is the cosine of half the angle between them.
class angle_limit {
 public:
  explicit angle_limit(float degrees) noexcept {
    const double half_angle = static_cast<double>(degrees) * (3.14159265358979323846 / 360.0);
    const double cosine = half_angle > 0 ? std::cos(half_angle) : 2.0;
    cosine_square_ = static_cast<float>(cosine * cosine);
  }
  // False for a NaN too.
  [[nodiscard]] bool within(float product, float squares) const noexcept {
    return product * product >= cosine_square_ * squares && squares > 0;
  }

 private:
  float cosine_square_;
};

// Exactly what smallest_three_unpack() gives, with the 1024 components looked up.
class rotation_codes {
 public:
  rotation_codes() noexcept {
    for (std::uint32_t code = 0; code < 1024; ++code) {
      component_[code] = smallest_three_unpack(3u | (code << 2))[0];
    }
  }
  [[nodiscard]] float component(std::uint32_t code) const noexcept { return component_[code]; }
  [[nodiscard]] quaternion unpack(std::uint32_t packed) const noexcept {
    const float a = component_[packed >> 2 & 1023];
    const float b = component_[packed >> 12 & 1023];
    const float c = component_[packed >> 22];
    const float rest = std::sqrt(1.0f - a * a - b * b - c * c);
    switch (packed & 3u) {
      case 0:
        return {rest, a, b, c};
      case 1:
        return {a, rest, b, c};
      case 2:
        return {a, b, rest, c};
      default:
        return {a, b, c, rest};
    }
  }

 private:
  std::array<float, 1024> component_;
};

// What the identity packs to.
inline constexpr std::uint32_t identity_rotation = 0x7FDFF7FFu;

}  // namespace tickreel::butter
