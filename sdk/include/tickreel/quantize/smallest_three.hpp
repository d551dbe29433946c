// Rotations in 32 bits: the three smallest components of a unit quaternion, 10 bits each.
//
//   bits 0-1    the omitted component, 0 = x ... 3 = w: the one of largest magnitude
//   bits 2-11, 12-21, 22-31   the others in ascending order: (c + r) / (2 r) * 1023 with r = 0.70710678
//
// The quaternion is negated if that makes the omitted component positive; it is the same rotation.
// 0 is not representable, so the identity is decoded with an error of 0.14 degrees.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tickreel {

// x, y, z, w.
using quaternion = std::array<float, 4>;

namespace detail {

// sqrt(1/2) and sqrt(2) with the digits of the .butter format.
inline constexpr double smallest_three_range = 0.70710678;
inline constexpr double smallest_three_span = 1.41421356;
// (0, 0, 0, 1)
inline constexpr std::uint32_t smallest_three_identity = 0x7FDFF7FFu;

// The omitted component, and the other three, negated if that makes the omitted one positive.
struct three_of_four {
  std::uint32_t left_out;
  std::array<float, 3> kept;
};

// Omits the component of largest magnitude, the first of equals; 0 if there is none (zero or NaN). Uses
// integers without branches, which would be mispredicted half of the time.
[[nodiscard]] inline three_of_four leave_out_largest(const quaternion& q) noexcept {
  constexpr std::uint32_t infinity = 0x7F800000u;
  const auto bits = std::bit_cast<std::array<std::uint32_t, 4>>(q);
  // Magnitude, then the lower index, then the sign bit: the largest rank contains the whole result. The bits
  // of positive floats are in the order of their values; NaN ranks like zero.
  const auto rank = [&bits](std::uint32_t index) {
    const std::uint32_t magnitude = bits[index] & 0x7FFFFFFFu;
    const std::uint64_t counted = magnitude <= infinity ? magnitude : 0u;
    return (counted << 3) | ((3 - index) << 1) | (bits[index] >> 31);
  };
  const std::uint64_t largest = (std::max)((std::max)(rank(0), rank(1)), (std::max)(rank(2), rank(3)));
  const std::uint32_t left_out = 3 - (static_cast<std::uint32_t>(largest >> 1) & 3u);
  const std::uint32_t sign = static_cast<std::uint32_t>(largest) << 31;
  const auto kept = [&bits, left_out, sign](std::uint32_t place) {
    // bits[place], or the next one from the omitted component on
    const std::uint32_t onward = 0u - static_cast<std::uint32_t>(left_out <= place);
    return std::bit_cast<float>(bits[place] ^ ((bits[place] ^ bits[place + 1]) & onward) ^ sign);
  };
  return {left_out, {kept(0), kept(1), kept(2)}};
}

}  // namespace detail

// The distance between neighbouring codes of a component.
inline constexpr double smallest_three_step = detail::smallest_three_span / 1023;

// The largest rotation error of a unit quaternion, in radians. Three components have an error of half a step.
// The fourth, at least 1/2, has at most three times that error, so the chord is sqrt(12) times the error and
// the angle twice the chord: 0.28 degrees.
inline constexpr double smallest_three_nearest_max_angle = 0.00485;

// Packs to the nearest codes. A quaternion that is not of unit length is normalised first; one without a
// direction (zero, infinite, NaN) becomes the identity.
[[nodiscard]] inline std::uint32_t smallest_three_pack_nearest(const quaternion& q) noexcept {
  constexpr double codes_per_unit = 1023 / detail::smallest_three_span;
  constexpr double middle = detail::smallest_three_range * codes_per_unit + 0.5;
  const auto [left_out, kept] = detail::leave_out_largest(q);
  double scale = codes_per_unit;
  // Within this distance from 1 the length changes a component by less than a hundredth of a code.
  if (const float square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
      !(std::fabs(square - 1.0f) < 2e-5f)) {
    const double exact =
        double{q[0]} * q[0] + double{q[1]} * q[1] + double{q[2]} * q[2] + double{q[3]} * q[3];
    // 1e80 is above the square of every finite float.
    if (!(exact > 0) || !(exact < 1e80)) return detail::smallest_three_identity;
    scale /= std::sqrt(exact);
  }
  // No stored component exceeds sqrt(1/2) by more than the length's error, which is within the half code that
  // is added, so no clamping is necessary.
  const auto code = [scale](float component) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(component * scale + middle));
  };
  return left_out | code(kept[0]) << 2 | code(kept[1]) << 12 | code(kept[2]) << 22;
}

// Every word is a quaternion. The omitted component is NaN if the others are too long for a unit quaternion,
// which no packing of a unit quaternion produces.
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
