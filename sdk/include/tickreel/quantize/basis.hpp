// Rotations as the two direction vectors that games report, and as quaternions.
#pragma once

#include <array>
#include <cmath>

#include "tickreel/quantize/smallest_three.hpp"

namespace tickreel {

using vector3 = std::array<float, 3>;

// The directions of an object's own axes. left = cross(up, forward).
struct basis {
  vector3 forward;
  vector3 up;
};

namespace detail {

[[nodiscard]] inline vector3 cross(const vector3& a, const vector3& b) noexcept {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

[[nodiscard]] inline vector3 normalise(const vector3& v) noexcept {
  const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return {v[0] / length, v[1] / length, v[2] / length};
}

}  // namespace detail

// The quaternion whose rotation turns +z into `forward` and +y toward `up`. The vectors need not be
// normalised or perpendicular: forward is kept, up is adjusted. All NaN if a vector is zero or not finite, or
// both are parallel; smallest_three_pack_nearest() converts that to the identity. Uses the single-precision
// arithmetic of the program that defined the .butter format.
[[nodiscard]] inline quaternion quaternion_from_basis(const basis& from) noexcept {
  const vector3 f = detail::normalise(detail::normalise(from.forward));
  const vector3 r = detail::normalise(detail::cross(from.up, f));
  const vector3 v = detail::cross(f, r);
  if (const float trace = r[0] + v[1] + f[2]; trace > 0) {
    const float s = std::sqrt(trace + 1);
    const float k = 0.5f / s;
    return {(v[2] - f[1]) * k, (f[0] - r[2]) * k, (r[1] - v[0]) * k, s * 0.5f};
  }
  if (r[0] >= v[1] && r[0] >= f[2]) {
    const float s = std::sqrt(1 + r[0] - v[1] - f[2]);
    const float k = 0.5f / s;
    return {s * 0.5f, (r[1] + v[0]) * k, (r[2] + f[0]) * k, (v[2] - f[1]) * k};
  }
  if (v[1] > f[2]) {
    const float s = std::sqrt(1 + v[1] - r[0] - f[2]);
    const float k = 0.5f / s;
    return {(v[0] + r[1]) * k, s * 0.5f, (f[1] + v[2]) * k, (f[0] - r[2]) * k};
  }
  const float s = std::sqrt(1 + f[2] - r[0] - v[1]);
  const float k = 0.5f / s;
  return {(f[0] + r[2]) * k, (f[1] + v[2]) * k, s * 0.5f, (r[1] - v[0]) * k};
}

// The inverse; exact up to rounding for a unit quaternion.
[[nodiscard]] inline basis basis_from_quaternion(const quaternion& q) noexcept {
  const auto [x, y, z, w] = q;
  return {{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)},
          {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)}};
}

// The third axis.
[[nodiscard]] inline vector3 left_of(const basis& of) noexcept {
  return detail::cross(of.up, of.forward);
}

}  // namespace tickreel
