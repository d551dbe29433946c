// Positions, rotations and velocities in .rec files, and conversions to common units.
//
// World: metres, x east, y north, z up. Heading: degrees, 0 = north (+y), counter-clockwise, so forward is
// (-sin h, cos h). A stored rotation is the conjugate of the usual quaternion, w first. Angles are computed
// in double precision.
#pragma once

#include "tickreel/describe/describe.hpp"

namespace tickreel::samp_rec {

struct vector3 {
  float x = 0;
  float y = 0;
  float z = 0;
  bool operator==(const vector3&) const = default;
};
TICKREEL_DESCRIBE(vector3, x, y, z);

[[nodiscard]] constexpr vector3 operator+(vector3 a, vector3 b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[nodiscard]] constexpr vector3 operator-(vector3 a, vector3 b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[nodiscard]] constexpr vector3 operator*(vector3 a, float factor) noexcept {
  return {a.x * factor, a.y * factor, a.z * factor};
}
[[nodiscard]] double length(vector3 v) noexcept;
[[nodiscard]] double distance(vector3 a, vector3 b) noexcept;
[[nodiscard]] bool is_finite(vector3 v) noexcept;

// As stored: the conjugate of the rotation from the body's axes (right, forward, up) to the world's.
struct quaternion {
  float w = 1;
  float x = 0;
  float y = 0;
  float z = 0;
  bool operator==(const quaternion&) const = default;
};
TICKREEL_DESCRIBE(quaternion, w, x, y, z);

[[nodiscard]] double length(quaternion q) noexcept;
[[nodiscard]] bool is_finite(quaternion q) noexcept;
// Of length 1 and with w >= 0, as writers emit it, and +0 for every zero. The identity for a quaternion
// without a length.
[[nodiscard]] quaternion normalised(quaternion q) noexcept;
// The product of two stored quaternions: `a * b` is "a, then b, both about the world's axes".
[[nodiscard]] quaternion operator*(quaternion a, quaternion b) noexcept;
// Interpolates between two rotations in the shorter direction; `t` from 0 to 1.
[[nodiscard]] quaternion slerp(quaternion a, quaternion b, double t) noexcept;
// The angle between two rotations, 0 to 180.
[[nodiscard]] double angle_between_degrees(quaternion a, quaternion b) noexcept;

struct angles_degrees {
  double pitch = 0;    // about the right axis; positive: nose up
  double roll = 0;     // about the forward axis; positive: to the right
  double heading = 0;  // about z
};

[[nodiscard]] quaternion from_heading_degrees(double heading) noexcept;
[[nodiscard]] quaternion from_angles(const angles_degrees& angles) noexcept;
// From the body's right and forward vectors in the world, as the old vehicle layout has them.
[[nodiscard]] quaternion from_axes(vector3 right, vector3 forward) noexcept;
// Heading in [0, 360), the others in (-180, 180]. For any length of q but 0.
[[nodiscard]] angles_degrees to_angles(quaternion q) noexcept;
[[nodiscard]] double heading_degrees(quaternion q) noexcept;

// The body's axes in the world; of length 1 when q is.
[[nodiscard]] vector3 right_of(quaternion q) noexcept;
[[nodiscard]] vector3 forward_of(quaternion q) noexcept;
[[nodiscard]] vector3 up_of(quaternion q) noexcept;

// The heading of a movement, in [0, 360); 0 without movement.
[[nodiscard]] double heading_of_way_degrees(double x, double y) noexcept;
// In [0, 360).
[[nodiscard]] double wrap_360_degrees(double angle) noexcept;
// `to` - `from` in the shorter direction, in (-180, 180].
[[nodiscard]] double turn_degrees(double from, double to) noexcept;
[[nodiscard]] vector3 rotated_about_z(vector3 v, double degrees) noexcept;

// The game moves in steps of 20 ms and stores velocities in metres per step.
inline constexpr double game_step_ms = 20;
inline constexpr double m_per_s_per_unit = 50;

[[nodiscard]] double speed_m_per_s(vector3 velocity_m_per_20ms) noexcept;
[[nodiscard]] vector3 velocity_from_m_per_s(double x, double y, double z) noexcept;

// Of people on foot, from recordings.
inline constexpr double walk_m_per_s = 1.56;
inline constexpr double run_m_per_s = 4.36;
inline constexpr double sprint_m_per_s = 5.9;

}  // namespace tickreel::samp_rec
