// Arcs, curves through points, and legs with rounded corners, all as cubics.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tickreel/npc/path.hpp"

namespace tickreel::npc {

namespace {

constexpr double same_place_m = 1e-4;

// An arc from centre + radius across, turning from `across` towards `ahead` (both of unit length), climbing
// evenly. Pieces of at most 30 degrees stay within 1e-6 of the radius.
void add_flat_arc(path& to, vec3 centre, double radius, vec3 across, vec3 ahead, double sweep, vec3 climb) {
  const int count = std::max(1, static_cast<int>(std::ceil(std::abs(sweep) / (std::numbers::pi / 6) - 1e-9)));
  const double step = sweep / count;
  // The derivative that makes a Hermite cubic follow an arc (the usual 4/3 tan(step/4) of Bezier arcs, by u).
  const double reach = 4 * std::tan(step / 4) * radius;
  const vec3 rise = climb * (1.0 / count);
  for (int i = 0; i < count; ++i) {
    const double a = step * i;
    const double b = step * (i + 1);
    const vec3 from = centre + radius * (std::cos(a) * across + std::sin(a) * ahead) + rise * i;
    const vec3 end = centre + radius * (std::cos(b) * across + std::sin(b) * ahead) + rise * (i + 1);
    const vec3 leave = reach * (std::cos(a) * ahead - std::sin(a) * across) + rise;
    const vec3 arrive = reach * (std::cos(b) * ahead - std::sin(b) * across) + rise;
    to.add(cubic::hermite(i == 0 ? to.end() : from, leave, end, arrive));
  }
}

// Points without those that repeat the previous one.
std::vector<vec3> distinct(vec3 first, std::span<const vec3> points) {
  std::vector<vec3> result = {first};
  for (const vec3& each : points) {
    if (distance(result.back(), each) > same_place_m) result.push_back(each);
  }
  return result;
}

// Derivative at `b` of the centripetal spline through a, b, c, by its parameter, whose steps are the square
// roots of the chords. Heights stay between those of the points (Fritsch and Carlson's bound): a road that is
// flat between two points is flat on the curve.
vec3 centripetal_slope(vec3 a, vec3 b, vec3 c) {
  const double before = std::sqrt(distance(a, b));
  const double after = std::sqrt(distance(b, c));
  vec3 slope = (b - a) * (1 / before) - (c - a) * (1 / (before + after)) + (c - b) * (1 / after);
  const double rise_before = (b.z - a.z) / before;
  const double rise_after = (c.z - b.z) / after;
  const double steepest = 3 * std::min(std::abs(rise_before), std::abs(rise_after));
  slope.z =
      rise_before * rise_after <= 0
          ? 0
          : std::copysign(std::clamp(std::copysign(1.0, rise_after) * slope.z, 0.0, steepest), rise_after);
  return slope;
}

vec3 scaled_to(vec3 direction, double size) {
  const double now = length(direction);
  return now > 0 ? direction * (size / now) : direction;
}

// The arc that replaces the corner at `at` between two legs.
struct rounded_corner {
  double cut_m = 0;  // removed from either leg
  double angle = 0;  // radians
  double radius_m = 0;
};

rounded_corner round_corner(vec3 from, vec3 at, vec3 to, double radius_m) {
  const double before = distance(from, at);
  const double after = distance(at, to);
  const double cosine = std::clamp(dot(at - from, to - at) / (before * after), -1.0, 1.0);
  rounded_corner corner;
  corner.angle = std::acos(cosine);
  // A corner below one degree is invisible; near a reversal an arc does not help.
  if (corner.angle < std::numbers::pi / 180 || corner.angle > std::numbers::pi * 0.96 || radius_m <= 0)
    return {};
  const double tangent = std::tan(corner.angle / 2);
  corner.cut_m = std::min({radius_m * tangent, before / 2, after / 2});
  corner.radius_m = corner.cut_m / tangent;
  return corner;
}

void add_corner(path& to, const rounded_corner& corner, vec3 at, vec3 next) {
  const vec3 ahead = scaled_to(at - to.end(), 1);
  const vec3 onward = scaled_to(next - at, 1);
  to.add_line(at - ahead * corner.cut_m);
  const vec3 inward = scaled_to(onward - ahead, 1);
  const vec3 centre = at + inward * (corner.radius_m / std::cos(corner.angle / 2));
  add_flat_arc(to, centre, corner.radius_m, scaled_to(to.end() - centre, 1), ahead, corner.angle, {});
}

}  // namespace

void path::add_line(vec3 to) {
  add(cubic::line(end_, to));
}

void path::add_arc(vec3 centre, double sweep_deg, double climb_m) {
  vec3 across = end_ - centre;
  across.z = 0;
  const double radius = tickreel::npc::length(across);
  if (radius < same_place_m) return;
  across = across * (1 / radius);
  centre.z = end_.z;
  add_flat_arc(*this, centre, radius, across, {-across.y, across.x, 0}, sweep_deg / degrees_per_radian,
               {0, 0, climb_m});
}

void path::add_through(std::span<const vec3> points, const vec3* leave, const vec3* arrive) {
  const std::vector<vec3> all = distinct(end_, points);
  const std::size_t last = all.size() - 1;
  if (last == 0) return;
  for (std::size_t i = 0; i < last; ++i) {
    const double chord = distance(all[i], all[i + 1]);
    const double step = std::sqrt(chord);
    vec3 begin = all[i + 1] - all[i];
    vec3 end = begin;
    if (i > 0) begin = centripetal_slope(all[i - 1], all[i], all[i + 1]) * step;
    if (i + 1 < last) end = centripetal_slope(all[i], all[i + 1], all[i + 2]) * step;
    // A free end has the smallest bend that its neighbour allows; a given one takes the direction.
    if (i == 0)
      begin = leave != nullptr ? scaled_to(*leave, chord) : last > 1 ? 1.5 * begin - 0.5 * end : begin;
    if (i + 1 == last) {
      end = arrive != nullptr ? scaled_to(*arrive, chord)
            : last > 1        ? 1.5 * (all[i + 1] - all[i]) - 0.5 * begin
                              : end;
    }
    add(cubic::hermite(all[i], begin, all[i + 1], end));
  }
}

void path::add_loop_through(std::span<const vec3> points) {
  std::vector<vec3> all = distinct(end_, points);
  if (all.size() > 1 && distance(all.front(), all.back()) <= same_place_m) all.pop_back();
  const std::size_t count = all.size();
  if (count < 2) return;
  const auto slope = [&](std::size_t i) {
    return centripetal_slope(all[(i + count - 1) % count], all[i], all[(i + 1) % count]);
  };
  for (std::size_t i = 0; i < count; ++i) {
    const vec3 to = all[(i + 1) % count];
    const double step = std::sqrt(distance(all[i], to));
    add(cubic::hermite(all[i], slope(i) * step, to, slope((i + 1) % count) * step));
  }
}

void path::add_legs(std::span<const vec3> points, double corner_radius_m,
                    std::span<const motion_limits> limits, std::vector<double>* reached) {
  vec3 before = end_;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double passed_m = length_;
    if (distance(before, points[i]) > same_place_m) {
      if (i < limits.size()) set_limits(limits[i]);
      std::size_t next = i + 1;
      while (next < points.size() && distance(points[i], points[next]) <= same_place_m) ++next;
      rounded_corner corner;
      if (next < points.size()) corner = round_corner(before, points[i], points[next], corner_radius_m);
      corner.cut_m > same_place_m ? add_corner(*this, corner, points[i], points[next]) : add_line(points[i]);
      before = points[i];
      passed_m = length_ - corner.radius_m * corner.angle / 2;
    }
    if (reached != nullptr) reached->push_back(passed_m);
  }
}

void path::add_closed_legs(std::span<const vec3> points, double corner_radius_m, bool through_start) {
  std::vector<vec3> all = distinct(end_, points);
  if (all.size() > 1 && distance(all.front(), all.back()) <= same_place_m) all.pop_back();
  const std::size_t count = all.size();
  if (count < 2) return;
  const rounded_corner first = round_corner(all[count - 1], all[0], all[1], corner_radius_m);
  if (through_start && first.cut_m > same_place_m) {
    // Twice as long as a corner that is cut off, because it swings out.
    const vec3 arrives = scaled_to(all[0] - all[count - 1], 1);
    const vec3 leaves = scaled_to(all[1] - all[0], 1);
    const double reach_m =
        std::min({2 * first.cut_m, distance(all[count - 1], all[0]) / 2, distance(all[0], all[1]) / 2});
    const vec3 across = scaled_to(arrives + leaves, reach_m);
    const vec3 out = all[0] + leaves * reach_m;
    add(cubic::hermite(all[0], across, out, leaves * reach_m));
    for (std::size_t i = 1; i < count; ++i) {
      const vec3 next = i + 1 < count ? all[i + 1] : all[0];
      const rounded_corner corner = round_corner(all[i - 1], all[i], next, corner_radius_m);
      corner.cut_m > same_place_m ? add_corner(*this, corner, all[i], next) : add_line(all[i]);
    }
    const vec3 in = all[0] - arrives * reach_m;
    add_line(in);
    add(cubic::hermite(end(), arrives * reach_m, all[0], across));
    return;
  }
  const vec3 begin = all[0] + scaled_to(all[1] - all[0], first.cut_m);
  start_at(begin);
  for (std::size_t i = 1; i <= count; ++i) {
    const vec3 at = all[i % count];
    const vec3 next = all[(i + 1) % count];
    const rounded_corner corner = i == count ? first : round_corner(all[i - 1], at, next, corner_radius_m);
    corner.cut_m > same_place_m ? add_corner(*this, corner, at, next) : add_line(at);
  }
}

}  // namespace tickreel::npc
