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

// Whole steps, and an even number of them where that is nearly as good: the fewer mantissa bits are in use,
// the better the bytes compress.
class step_rounding {
 public:
  // `step` is taken down to a power of two.
  step_rounding(float step, float even_limit) noexcept : even_limit_(even_limit) {
    int exponent = 0;
    const bool usable = step >= 0x1p-24f && step <= 1.0f;
    std::frexp(usable ? step : 0x1p-24f, &exponent);
    step_ = std::ldexp(1.0f, exponent - 1);
    steps_per_unit_ = 1.0f / step_;
  }

  [[nodiscard]] float step() const noexcept { return step_; }

  // For magnitudes below 2^22 steps. Never -0, whose bytes differ from those of 0.
  [[nodiscard]] float whole_steps(float value) const noexcept {
    const float steps = value * steps_per_unit_;
    const float even = nearest_whole(steps * 0.5f) * 2.0f;
    return (std::fabs(even - steps) <= even_limit_ ? even : nearest_whole(steps)) + 0.0f;
  }

  // As a half. Beyond 2048 steps it is the nearest half. Clamped to what is finite; 0 for NaN.
  [[nodiscard]] std::uint16_t half(float value) const noexcept {
    if (std::fabs(value) < step_ * 2047.0f) return half_nearest(whole_steps(value) * step_);
    return clamped_half(value);
  }

  // The nearest half, within what is finite; 0 for NaN.
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

// Compares rotations without an arc cosine: |a . b| / (|a| |b|) is the cosine of half the angle between them.
class angle_limit {
 public:
  explicit angle_limit(float degrees) noexcept {
    const double half_angle = static_cast<double>(degrees) * (3.14159265358979323846 / 360.0);
    const double cosine = half_angle > 0 ? std::cos(half_angle) : 2.0;
    cosine_square_ = static_cast<float>(cosine * cosine);
    const double sure = 2 * std::sin(half_angle + smallest_three_nearest_max_angle / 2);
    sure_chord_square_ = static_cast<float>(sure * sure);
  }
  // True when a rotation that was packed from axes of which one was at `from` must be too far from any that
  // has it at `to`: a cheap first look. The axes are unit vectors.
  [[nodiscard]] bool surely_beyond(const echo::vec3& from, const echo::vec3& to) const noexcept {
    return square(from - to) > sure_chord_square_;
  }
  // False for a NaN too.
  [[nodiscard]] bool within(float product, float squares) const noexcept {
    return product * product >= cosine_square_ * squares && squares > 0;
  }

 private:
  float cosine_square_;
  float sure_chord_square_;
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

// smallest_three_pack_nearest() for a quaternion of any length whose square is known, in single precision.
// The last `coarse_axes` components get even codes where that is nearly as good.
[[nodiscard]] inline std::uint32_t pack_rotation(const quaternion& q, float squares, unsigned coarse_axes = 0,
                                                 float even_limit = 0.5f) noexcept {
  constexpr auto codes_per_unit = static_cast<float>(1 / smallest_three_step);
  constexpr float middle = 511.5f;
  static constexpr std::uint8_t order[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  std::uint32_t left_out = 0;
  for (std::uint32_t i = 1; i < 4; ++i) {
    if (std::fabs(q[i]) > std::fabs(q[left_out])) left_out = i;
  }
  const float scale = (q[left_out] < 0 ? -codes_per_unit : codes_per_unit) / std::sqrt(squares);
  std::uint32_t packed = left_out;
  for (unsigned i = 0; i < 3; ++i) {
    const float place = q[order[left_out][i]] * scale + middle;
    // A hair below 0 or above 1023 is what rounding leaves of a component of sqrt(1/2).
    const float inside = place < 0 ? 0.0f : place > 1023 ? 1023.0f : place;
    std::uint32_t code = static_cast<std::uint32_t>(inside + 0.5f);
    if (i + coarse_axes >= 3) {
      const std::uint32_t even = static_cast<std::uint32_t>(inside * 0.5f + 0.5f) * 2;
      if (std::fabs(static_cast<float>(even) - inside) <= even_limit && even < 1024) code = even;
    }
    packed |= code << (2 + 10 * i);
  }
  return packed;
}

}  // namespace tickreel::butter
