// Points and directions in a script's world: metres, x east, y north, z up; headings as in the game: degrees,
// 0 is north, counter-clockwise.
#pragma once

#include <cmath>
#include <numbers>

namespace tickreel::npc {

struct vec3 {
  double x = 0;
  double y = 0;
  double z = 0;

  friend constexpr vec3 operator+(vec3 a, vec3 b) noexcept { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr vec3 operator-(vec3 a, vec3 b) noexcept { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr vec3 operator*(vec3 a, double factor) noexcept {
    return {a.x * factor, a.y * factor, a.z * factor};
  }
  friend constexpr vec3 operator*(double factor, vec3 a) noexcept { return a * factor; }
  friend constexpr bool operator==(const vec3&, const vec3&) noexcept = default;
};

[[nodiscard]] constexpr double dot(vec3 a, vec3 b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[nodiscard]] inline double length(vec3 a) noexcept {
  return std::sqrt(dot(a, a));
}
[[nodiscard]] inline double horizontal_length(vec3 a) noexcept {
  return std::sqrt(a.x * a.x + a.y * a.y);
}
[[nodiscard]] inline double distance(vec3 a, vec3 b) noexcept {
  return length(b - a);
}
[[nodiscard]] inline bool is_finite(vec3 a) noexcept {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

inline constexpr double degrees_per_radian = 180 / std::numbers::pi;

// Into (-180, 180].
[[nodiscard]] inline double wrap_degrees(double degrees) noexcept {
  if (degrees > -180 && degrees <= 180) return degrees;
  const double wrapped = std::remainder(degrees, 360.0);
  return wrapped <= -180 ? wrapped + 360 : wrapped;
}

// Of a direction that is not vertical.
[[nodiscard]] inline double heading_of(vec3 direction) noexcept {
  return std::atan2(-direction.x, direction.y) * degrees_per_radian;
}
// The unit vector ahead.
[[nodiscard]] inline vec3 direction_of(double heading_deg) noexcept {
  const double radians = heading_deg / degrees_per_radian;
  return {-std::sin(radians), std::cos(radians), 0};
}
// `offset` rotated about the z axis, counter-clockwise.
[[nodiscard]] inline vec3 rotated(vec3 offset, double degrees) noexcept {
  const double c = std::cos(degrees / degrees_per_radian);
  const double s = std::sin(degrees / degrees_per_radian);
  return {c * offset.x - s * offset.y, s * offset.x + c * offset.y, offset.z};
}

}  // namespace tickreel::npc
