#include "tickreel/samp_rec/motion.hpp"

#include <cmath>
#include <numbers>

namespace tickreel::samp_rec {

namespace {

constexpr double degrees_per_radian = 180 / std::numbers::pi;

double radians(double degrees) noexcept {
  return degrees / degrees_per_radian;
}

struct exact_quaternion {
  double w, x, y, z;
};

exact_quaternion widened(quaternion q) noexcept {
  return {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
          static_cast<double>(q.z)};
}

double length(const exact_quaternion& q) noexcept {
  return std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

// w >= 0, and +0 for every zero: -0 + 0 is +0.
quaternion stored(const exact_quaternion& q, double divisor = 1) noexcept {
  const double by = (q.w < 0 ? -1 : 1) / divisor;
  return {static_cast<float>(q.w * by) + 0.0f, static_cast<float>(q.x * by) + 0.0f,
          static_cast<float>(q.y * by) + 0.0f, static_cast<float>(q.z * by) + 0.0f};
}

exact_quaternion unit(quaternion q) noexcept {
  const exact_quaternion wide = widened(q);
  const double size = length(wide);
  if (!(size > 0)) return {1, 0, 0, 0};
  return {wide.w / size, wide.x / size, wide.y / size, wide.z / size};
}

vector3 narrowed(double x, double y, double z) noexcept {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

}  // namespace

double length(vector3 v) noexcept {
  const auto x = static_cast<double>(v.x), y = static_cast<double>(v.y), z = static_cast<double>(v.z);
  return std::sqrt(x * x + y * y + z * z);
}

double distance(vector3 a, vector3 b) noexcept {
  const double x = static_cast<double>(b.x) - static_cast<double>(a.x);
  const double y = static_cast<double>(b.y) - static_cast<double>(a.y);
  const double z = static_cast<double>(b.z) - static_cast<double>(a.z);
  return std::sqrt(x * x + y * y + z * z);
}

bool is_finite(vector3 v) noexcept {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

double length(quaternion q) noexcept {
  return length(widened(q));
}

bool is_finite(quaternion q) noexcept {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

quaternion normalised(quaternion q) noexcept {
  return stored(unit(q));
}

quaternion operator*(quaternion left, quaternion right) noexcept {
  const exact_quaternion a = widened(left), b = widened(right);
  return stored({a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                 a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                 a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w});
}

quaternion slerp(quaternion from, quaternion to, double t) noexcept {
  const exact_quaternion a = unit(from);
  exact_quaternion b = unit(to);
  double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  if (cosine < 0) {
    b = {-b.w, -b.x, -b.y, -b.z};
    cosine = -cosine;
  }
  double from_share = 1 - t, to_share = t;
  // For closer ones the sines vanish, and linear interpolation is as good.
  if (cosine < 0.9999995) {
    const double angle = std::acos(cosine), sine = std::sin(angle);
    from_share = std::sin((1 - t) * angle) / sine;
    to_share = std::sin(t * angle) / sine;
  }
  const exact_quaternion between{a.w * from_share + b.w * to_share, a.x * from_share + b.x * to_share,
                                 a.y * from_share + b.y * to_share, a.z * from_share + b.z * to_share};
  return stored(between, length(between));
}

double angle_between_degrees(quaternion first, quaternion second) noexcept {
  const exact_quaternion a = unit(first), b = unit(second);
  // The conjugate of one times the other; by arctangent, because the arccosine is imprecise for small angles.
  const double w = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  const double x = a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y;
  const double y = a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x;
  const double z = a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w;
  return 2 * std::atan2(std::sqrt(x * x + y * y + z * z), std::abs(w)) * degrees_per_radian;
}

quaternion from_heading_degrees(double heading) noexcept {
  const double half = radians(turn_degrees(0, heading)) / 2;
  return stored({std::cos(half), 0, 0, -std::sin(half)});
}

quaternion from_angles(const angles_degrees& angles) noexcept {
  const double rx = radians(angles.pitch) / 2, ry = radians(angles.roll) / 2;
  const double rz = radians(turn_degrees(0, angles.heading)) / 2;
  const double cx = std::cos(rx), cy = std::cos(ry), cz = std::cos(rz);
  const double sx = -std::sin(rx), sy = -std::sin(ry), sz = -std::sin(rz);
  return stored({cx * cy * cz + sx * sy * sz, cx * sy * sz + sx * cy * cz, cx * sy * cz - sx * cy * sz,
                 cx * cy * sz - sx * sy * cz});
}

quaternion from_axes(vector3 right, vector3 forward) noexcept {
  const auto rx = static_cast<double>(right.x), ry = static_cast<double>(right.y),
             rz = static_cast<double>(right.z);
  const auto fx = static_cast<double>(forward.x), fy = static_cast<double>(forward.y),
             fz = static_cast<double>(forward.z);
  const double ux = ry * fz - rz * fy, uy = rz * fx - rx * fz, uz = rx * fy - ry * fx;
  // From the matrix with these columns; the largest component comes first, so that no divisor is small. x, y,
  // z change their signs, because stored rotations are conjugates.
  const double w4 = 1 + rx + fy + uz, x4 = 1 + rx - fy - uz, y4 = 1 - rx + fy - uz, z4 = 1 - rx - fy + uz;
  exact_quaternion q{};
  if (w4 >= x4 && w4 >= y4 && w4 >= z4) {
    q = {w4, uy - fz, rz - ux, fx - ry};
  } else if (x4 >= y4 && x4 >= z4) {
    q = {fz - uy, -x4, -(fx + ry), -(rz + ux)};
  } else if (y4 >= z4) {
    q = {ux - rz, -(fx + ry), -y4, -(uy + fz)};
  } else {
    q = {ry - fx, -(rz + ux), -(uy + fz), -z4};
  }
  const double size = length(q);
  return size > 0 || std::isnan(size) ? stored(q, size) : quaternion{};
}

angles_degrees to_angles(quaternion rotation) noexcept {
  const exact_quaternion q = unit(rotation);
  const double sine = 2 * (q.y * q.z - q.x * q.w);
  // Straight up or down, roll and heading are the same axis; each gets half.
  constexpr double almost_upright = 1 - 2e-6;
  angles_degrees out;
  if (std::abs(sine) >= almost_upright) {
    out.pitch = std::copysign(90, sine);
    out.roll = -std::atan2(q.y, q.w) * degrees_per_radian;
    out.heading = -std::atan2(q.z, q.w) * degrees_per_radian;
  } else {
    out.pitch = std::asin(sine) * degrees_per_radian;
    out.roll = -std::atan2(q.x * q.z + q.y * q.w, 0.5 - q.x * q.x - q.y * q.y) * degrees_per_radian;
    out.heading = -std::atan2(q.x * q.y + q.z * q.w, 0.5 - q.x * q.x - q.z * q.z) * degrees_per_radian;
  }
  out.roll = turn_degrees(0, out.roll);
  out.heading = wrap_360_degrees(out.heading);
  return out;
}

double heading_degrees(quaternion q) noexcept {
  return to_angles(q).heading;
}

vector3 right_of(quaternion rotation) noexcept {
  const exact_quaternion q = widened(rotation);
  return narrowed(1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y));
}

vector3 forward_of(quaternion rotation) noexcept {
  const exact_quaternion q = widened(rotation);
  return narrowed(2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x));
}

vector3 up_of(quaternion rotation) noexcept {
  const exact_quaternion q = widened(rotation);
  return narrowed(2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y));
}

double heading_of_way_degrees(double x, double y) noexcept {
  if (x == 0 && y == 0) return 0;
  return wrap_360_degrees(std::atan2(-x, y) * degrees_per_radian);
}

double wrap_360_degrees(double angle) noexcept {
  const double rest = std::fmod(angle, 360);
  const double wrapped = rest < 0 ? rest + 360 : rest;
  // A tiny negative angle plus 360 is 360; also avoids -0.
  return wrapped >= 360 ? 0 : wrapped + 0.0;
}

double turn_degrees(double from, double to) noexcept {
  const double turn = wrap_360_degrees(to - from);
  return turn > 180 ? turn - 360 : turn;
}

vector3 rotated_about_z(vector3 v, double degrees) noexcept {
  const double angle = radians(turn_degrees(0, degrees)), cosine = std::cos(angle), sine = std::sin(angle);
  const auto x = static_cast<double>(v.x), y = static_cast<double>(v.y);
  return {static_cast<float>(x * cosine - y * sine), static_cast<float>(x * sine + y * cosine), v.z};
}

double speed_m_per_s(vector3 velocity_m_per_20ms) noexcept {
  return length(velocity_m_per_20ms) * m_per_s_per_unit;
}

vector3 velocity_from_m_per_s(double x, double y, double z) noexcept {
  return narrowed(x / m_per_s_per_unit, y / m_per_s_per_unit, z / m_per_s_per_unit);
}

}  // namespace tickreel::samp_rec
