// Distances between recorded and decoded values, in double precision.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "butter_model.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::conformance {

using double3 = std::array<double, 3>;
using double4 = std::array<double, 4>;

inline double3 to_double(const echo::vec3& v) {
  return {v.x, v.y, v.z};
}
inline double3 to_double(const butter_model::vec3& v) {
  return {v.x, v.y, v.z};
}

template <std::size_t N>
double length(const std::array<double, N>& v) {
  double sum = 0;
  for (const double c : v) sum += c * c;
  return std::sqrt(sum);
}

template <std::size_t N>
std::array<double, N> minus(const std::array<double, N>& a, const std::array<double, N>& b) {
  std::array<double, N> result{};
  for (std::size_t i = 0; i < N; ++i) result[i] = a[i] - b[i];
  return result;
}

template <std::size_t N>
std::array<double, N> unit(const std::array<double, N>& v) {
  std::array<double, N> result{};
  const double size = length(v);
  for (std::size_t i = 0; i < N; ++i) result[i] = v[i] / size;
  return result;
}

inline double3 cross(const double3& a, const double3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct basis {
  double3 forward, left, up;
};

// The orthogonal basis that keeps `forward` and stays closest to `up`: the one that the format stores.
inline basis basis_of(const double3& forward, const double3& up) {
  const double3 f = unit(forward);
  const double3 l = unit(cross(up, f));
  return {f, l, cross(f, l)};
}

// Whether the two directions define a basis.
inline bool is_basis(const double3& forward, const double3& up) {
  const double sine = length(cross(up, forward));
  return std::isfinite(sine) && sine > 1e-3 * length(forward) * length(up) && sine > 1e-6;
}

inline double degrees_of_chord(double chord) {
  return 2 * std::asin(std::min(1.0, chord / 2)) * 180 / std::numbers::pi;
}

// The angle of the rotation from one basis to the other.
inline double angle_deg(const basis& a, const basis& b) {
  const double f = length(minus(a.forward, b.forward));
  const double l = length(minus(a.left, b.left));
  const double u = length(minus(a.up, b.up));
  // Each axis moves by 2 sin(angle / 2) times its distance from the rotation axis; the squares add up to twice that.
  return degrees_of_chord(std::sqrt((f * f + l * l + u * u) / 2));
}

inline double angle_deg(const double4& a, const double4& b) {
  const double4 opposite{-b[0], -b[1], -b[2], -b[3]};
  const double chord = std::min(length(minus(unit(a), unit(b))), length(minus(unit(a), opposite)));
  // The angle between quaternions is half the angle between the rotations.
  return 2 * degrees_of_chord(chord);
}

inline double bone_angle_deg(const float* got, const echo::quat& wanted) {
  return angle_deg(double4{got[0], got[1], got[2], got[3]}, double4{wanted.x, wanted.y, wanted.z, wanted.w});
}

inline double angle_deg(const butter_model::vec3& forward, const butter_model::vec3& left,
                        const butter_model::vec3& up, const echo::pose& wanted) {
  return angle_deg({to_double(forward), to_double(left), to_double(up)},
                   basis_of(to_double(wanted.forward), to_double(wanted.up)));
}

}  // namespace tickreel::conformance
