// Vectors and angles in double precision, fast enough for a check of every block.
#pragma once

#include <cmath>
#include <numbers>

#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::samp_rec::detail {

inline constexpr double degrees_per_radian = 180 / std::numbers::pi;

struct way {
  double x = 0, y = 0, z = 0;

  way() = default;
  explicit way(vector3 v) noexcept
      : x(static_cast<double>(v.x)), y(static_cast<double>(v.y)), z(static_cast<double>(v.z)) {}
  way(double a, double b, double c) noexcept : x(a), y(b), z(c) {}

  friend way operator-(way a, way b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend way operator+(way a, way b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend way operator*(way a, double factor) noexcept { return {a.x * factor, a.y * factor, a.z * factor}; }
  [[nodiscard]] double size() const noexcept { return std::sqrt(x * x + y * y + z * z); }
  [[nodiscard]] double flat_size() const noexcept { return std::sqrt(x * x + y * y); }
};

inline double squared(double value) noexcept {
  return value * value;
}

inline double length_of(quaternion q) noexcept {
  const double square = squared(static_cast<double>(q.w)) + squared(static_cast<double>(q.x)) +
                        squared(static_cast<double>(q.y)) + squared(static_cast<double>(q.z));
  // This near to 1 the error of the root's tangent is below a float's last bit.
  return std::abs(square - 1) < 5e-4 ? 0.5 + 0.5 * square : std::sqrt(square);
}

// For a direction with `across` >= 0, to 3 parts in 100,000: several times as fast as the exact one, and
// sufficient for a median. The polynomial is a minimax of the arctangent on [0, 1].
inline double angle_degrees(double across, double along) noexcept {
  const double ahead = std::abs(along);
  const bool steep = across > ahead;
  const double r = steep ? ahead / across : across / ahead, r2 = r * r;
  const double atan =
      r * (0.99997726 + r2 * (-0.33262347 +
                              r2 * (0.19354346 + r2 * (-0.11643287 + r2 * (0.05265332 + r2 * -0.01172120)))));
  const double acute = (steep ? std::numbers::pi / 2 - atan : atan) * degrees_per_radian;
  return along < 0 ? 180 - acute : acute;
}

}  // namespace tickreel::samp_rec::detail
