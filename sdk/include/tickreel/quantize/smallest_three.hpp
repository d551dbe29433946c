// Rotations in 32 bits: the three smallest components of a unit quaternion, 10 bits each.
//
//   bits 0-1    which component is left out, 0 = x ... 3 = w: the one of largest magnitude
//   bits 2-11, 12-21, 22-31   the others in ascending order: (c + r) / (2 r) * 1023 with r = 0.70710678
//
// The quaternion is negated where that makes the component left out positive; it is the same rotation.
// 0 is not representable, so the identity comes back 0.14 degrees off.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tickreel {

// x, y, z, w.
using quaternion = std::array<float, 4>;

namespace detail {

// sqrt(1/2) and sqrt(2) to the digits that the .butter format uses.
inline constexpr double smallest_three_range = 0.70710678;
inline constexpr double smallest_three_span = 1.41421356;

// The component of largest magnitude, the first of equals; 0 when there is none (zero or NaN).
[[nodiscard]] inline std::uint32_t largest_component(const quaternion& q) noexcept {
  std::uint32_t index = 0;
  float largest = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    const float magnitude = std::fabs(q[i]);
    if (magnitude > largest) {
      largest = magnitude;
      index = i;
    }
  }
  return index;
}

// The components that are not `left_out`, in ascending order.
inline constexpr std::uint8_t smallest_three_order[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};

}  // namespace detail

// The distance between neighbouring codes of a component.
inline constexpr double smallest_three_step = detail::smallest_three_span / 1023;

// The most that a unit quaternion comes back rotated, in radians. Three components are off by half a step
// (nearest) or one (truncate); the fourth, at least 1/2, takes up at most three times as much, so the chord
// is sqrt(12) times that error and the angle twice the chord. In degrees: 0.28 and 0.56.
inline constexpr double smallest_three_nearest_max_angle = 0.00485;
inline constexpr double smallest_three_truncate_max_angle = 0.00970;

// Packs to the nearest codes. A quaternion that is not of unit length is brought to it first; one that has no
// direction (zero, infinite, NaN) becomes the identity.
[[nodiscard]] inline std::uint32_t smallest_three_pack_nearest(const quaternion& q) noexcept {
  constexpr double codes_per_unit = 1023 / detail::smallest_three_span;
  constexpr double middle = detail::smallest_three_range * codes_per_unit + 0.5;
  const std::uint32_t left_out = detail::largest_component(q);
  double scale = q[left_out] < 0 ? -codes_per_unit : codes_per_unit;
  const double square = double{q[0]} * q[0] + double{q[1]} * q[1] + double{q[2]} * q[2] + double{q[3]} * q[3];
  // Within this much of 1 the length moves a component by less than a hundredth of a code.
  if (!(std::fabs(square - 1) < 2e-5)) {
    if (!(square > 0) || !(square <= 1e80)) return 0x7FDFF7FFu;
    scale /= std::sqrt(square);
  }
  std::uint32_t packed = left_out;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const double code = q[detail::smallest_three_order[left_out][i]] * scale + middle;
    const auto clamped = static_cast<std::uint32_t>(code < 0 ? 0.0 : code > 1023 ? 1023.0 : code);
    packed |= clamped << (2 + 10 * i);
  }
  return packed;
}

// Packs exactly as the program that defined the .butter format: codes truncated, and not clamped, so a
// component beyond +-0.7072, which no unit quaternion has among its three smallest, runs over into its
// neighbour. For comparing with its files; record with smallest_three_pack_nearest().
[[nodiscard]] inline std::uint32_t smallest_three_pack_truncate(const quaternion& q) noexcept {
  const std::uint32_t left_out = detail::largest_component(q);
  const float sign = q[left_out] < 0 ? -1.0f : 1.0f;
  std::uint32_t packed = left_out;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const float component = q[detail::smallest_three_order[left_out][i]] * sign;
    const double code = (component + detail::smallest_three_range) / detail::smallest_three_span * 1023;
    // What does not fit an integer (NaN too) is 0 there.
    const auto integer = std::fabs(code) < 2147483648.0 ? static_cast<std::int32_t>(code) : 0;
    packed |= static_cast<std::uint32_t>(static_cast<std::uint16_t>(integer)) << (2 + 10 * i);
  }
  return packed;
}

// Any word is a quaternion; the component left out is NaN when the others are too long for a unit one, which
// no packing of a unit quaternion makes.
[[nodiscard]] inline quaternion smallest_three_unpack(std::uint32_t packed) noexcept {
  const auto component = [packed](unsigned shift) {
    const float fraction = static_cast<float>((packed >> shift) & 1023u) / 1023.0f;
    return static_cast<float>(double{fraction} * detail::smallest_three_span - detail::smallest_three_range);
  };
  const float a = component(2);
  const float b = component(12);
  const float c = component(22);
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

}  // namespace tickreel
