// The three axes of a pose and its quaternion. The columns of the matrix are left, up, forward.
#pragma once

#include <cmath>

#include "tickreel/echo/state.hpp"

namespace tickreel::tape {

// Sets the axes of `to` from the rotation, which is normalised first. False, without a change, if it has no
// direction.
inline bool axes_of(const echo::quat& from, echo::pose& to) noexcept {
  const double sx = static_cast<double>(from.x), sy = static_cast<double>(from.y);
  const double sz = static_cast<double>(from.z), sw = static_cast<double>(from.w);
  const double square = sx * sx + sy * sy + sz * sz + sw * sw;
  if (!std::isfinite(square) || square < 1e-12) return false;
  const double scale = 1 / std::sqrt(square);
  const double x = sx * scale, y = sy * scale, z = sz * scale, w = sw * scale;
  const auto vector = [](double a, double b, double c) {
    return echo::vec3{static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)};
  };
  to.left = vector(1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y));
  to.up = vector(2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x));
  to.forward = vector(2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y));
  return true;
}

// The rotation of three axes, not normalised, as other writers store it.
inline echo::quat rotation_of(const echo::pose& from) noexcept {
  const auto d = [](float value) { return static_cast<double>(value); };
  const double m[3][3] = {{d(from.left.x), d(from.up.x), d(from.forward.x)},
                          {d(from.left.y), d(from.up.y), d(from.forward.y)},
                          {d(from.left.z), d(from.up.z), d(from.forward.z)}};
  double q[4] = {};  // x, y, z, w
  const double trace = m[0][0] + m[1][1] + m[2][2];
  if (trace > 0) {
    const double s = 2 * std::sqrt(trace + 1);
    q[3] = s / 4;
    q[0] = (m[2][1] - m[1][2]) / s;
    q[1] = (m[0][2] - m[2][0]) / s;
    q[2] = (m[1][0] - m[0][1]) / s;
  } else {
    std::size_t i = m[1][1] > m[0][0] ? 1 : 0;
    if (m[2][2] > m[i][i]) i = 2;
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    const double s = 2 * std::sqrt(1 + m[i][i] - m[j][j] - m[k][k]);
    q[i] = s / 4;
    q[j] = (m[i][j] + m[j][i]) / s;
    q[k] = (m[i][k] + m[k][i]) / s;
    q[3] = (m[k][j] - m[j][k]) / s;
  }
  return {static_cast<float>(q[0]), static_cast<float>(q[1]), static_cast<float>(q[2]),
          static_cast<float>(q[3])};
}

}  // namespace tickreel::tape
