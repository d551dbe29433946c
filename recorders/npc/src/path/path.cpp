#include "tickreel/npc/path.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::npc {

namespace {

// Shorter pieces have no meaningful direction.
constexpr double shortest_piece_m = 1e-6;

// Gauss-Legendre with five points (Abramowitz and Stegun, table 25.4): exact for polynomials of degree 9.
constexpr double gauss_places[] = {0, 0.5384693101056831, 0.9061798459386640};
constexpr double gauss_weights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};

double arc_length(const cubic& piece, double u_begin, double u_end) noexcept {
  const double middle = (u_begin + u_end) / 2;
  const double half = (u_end - u_begin) / 2;
  double sum = gauss_weights[0] * length(piece.first(middle));
  for (int i = 1; i < 3; ++i) {
    sum += gauss_weights[i] * (length(piece.first(middle - half * gauss_places[i])) +
                               length(piece.first(middle + half * gauss_places[i])));
  }
  return sum * half;
}

bool is_straight(const cubic& piece) noexcept {
  return piece.c2 == vec3{} && piece.c3 == vec3{};
}

// The derivative's direction; where the derivative is 0, the direction of neighbouring places.
vec3 unit_tangent(const cubic& piece, double u) noexcept {
  vec3 direction = piece.first(u);
  double size = length(direction);
  if (size < 1e-9) {
    constexpr double beside = 1e-4;
    direction = piece.at(std::min(1.0, u + beside)) - piece.at(std::max(0.0, u - beside));
    size = length(direction);
    if (size < 1e-12) return {0, 1, 0};
  }
  return direction * (1 / size);
}

double angle_between(vec3 a, vec3 b) noexcept {
  return std::acos(std::clamp(dot(a, b), -1.0, 1.0)) * degrees_per_radian;
}

path::interval measured(const cubic& piece, double u_begin, double u_end) noexcept {
  path::interval result;
  result.u_begin = u_begin;
  result.u_end = u_end;
  const double middle = (u_begin + u_end) / 2;
  result.length_m = std::max(arc_length(piece, u_begin, middle) + arc_length(piece, middle, u_end), 1e-12);
  // Three times the mean slope keeps the inverse monotonic (Fritsch and Carlson's bound).
  const double steepest = 3 * (u_end - u_begin);
  result.du_begin = std::min(steepest, result.length_m / std::max(length(piece.first(u_begin)), 1e-12));
  result.du_end = std::min(steepest, result.length_m / std::max(length(piece.first(u_end)), 1e-12));
  return result;
}

// Cubic Hermite of u by arc length, `x` the fraction of the interval's length.
double u_at(const path::interval& stretch, double x) noexcept {
  const double rise = stretch.u_end - stretch.u_begin;
  return stretch.u_begin + x * (stretch.du_begin + x * (3 * rise - 2 * stretch.du_begin - stretch.du_end +
                                                        x * (stretch.du_begin + stretch.du_end - 2 * rise)));
}

// An interval is accepted if the curve turns by at most ten degrees in it and u by arc length is accurate to
// a two-hundredth and to half a centimetre; an interval of a centimetre always is.
bool is_smooth(const cubic& piece, const path::interval& stretch) noexcept {
  if (stretch.length_m < 0.01) return true;
  const vec3 begin = unit_tangent(piece, stretch.u_begin);
  const vec3 middle = unit_tangent(piece, (stretch.u_begin + stretch.u_end) / 2);
  if (angle_between(begin, middle) + angle_between(middle, unit_tangent(piece, stretch.u_end)) > 10)
    return false;
  for (const double share : {0.25, 0.5, 0.75}) {
    const double gone = arc_length(piece, stretch.u_begin, u_at(stretch, share));
    const double off_m = std::abs(gone - share * stretch.length_m);
    if (off_m > 0.005 * std::min(stretch.length_m, 1.0)) return false;
  }
  return true;
}

}  // namespace

cubic cubic::bezier(vec3 from, vec3 control_1, vec3 control_2, vec3 to) noexcept {
  return {from, 3 * (control_1 - from), 3 * (from - 2 * control_1 + control_2),
          to - from + 3 * (control_1 - control_2)};
}

cubic cubic::hermite(vec3 from, vec3 leave, vec3 to, vec3 arrive) noexcept {
  return {from, leave, 3 * (to - from) - 2 * leave - arrive, 2 * (from - to) + leave + arrive};
}

void path::set_limits(const motion_limits& limits) {
  if (!(limits_.back() == limits)) limits_.push_back(limits);
}

void path::add(const cubic& piece) {
  const double rough = arc_length(piece, 0, 0.5) + arc_length(piece, 0.5, 1);
  if (!(rough > shortest_piece_m)) return;
  first_interval_.push_back(static_cast<std::uint32_t>(intervals_.size()));
  add_interval(piece, 0, 1, 0);
  pieces_.push_back(piece);
  end_ = piece.end();
}

void path::add_interval(const cubic& piece, double u_begin, double u_end, int depth) {
  constexpr int least_depth = 2;
  constexpr int max_depth = 9;
  interval next = measured(piece, u_begin, u_end);
  if (!tickreel::npc::is_straight(piece) && depth < max_depth &&
      (depth < least_depth || !is_smooth(piece, next))) {
    const double middle = (u_begin + u_end) / 2;
    add_interval(piece, u_begin, middle, depth + 1);
    add_interval(piece, middle, u_end, depth + 1);
    return;
  }
  next.begin_m = length_;
  next.piece = static_cast<std::uint32_t>(pieces_.size());
  next.limits = static_cast<std::uint32_t>(limits_.size() - 1);
  length_ += next.length_m;
  intervals_.push_back(next);
}

vec3 path::start_tangent() const noexcept {
  return pieces_.empty() ? vec3{0, 1, 0} : unit_tangent(pieces_.front(), 0);
}

vec3 path::end_tangent() const noexcept {
  return pieces_.empty() ? vec3{0, 1, 0} : unit_tangent(pieces_.back(), 1);
}

std::optional<double> path::first_heading_deg() const noexcept {
  for (const interval& each : intervals_) {
    for (const double into : {0.0, each.length_m}) {
      if (const path_point here = at(each, into); here.has_heading()) return heading_of(here.tangent);
    }
  }
  return std::nullopt;
}

std::optional<double> path::last_heading_deg() const noexcept {
  for (std::size_t i = intervals_.size(); i-- > 0;) {
    for (const double into : {intervals_[i].length_m, 0.0}) {
      if (const path_point here = at(intervals_[i], into); here.has_heading())
        return heading_of(here.tangent);
    }
  }
  return std::nullopt;
}

bool path::closed() const noexcept {
  return !empty() && distance(start(), end()) < 1e-3 && dot(start_tangent(), end_tangent()) > 0.999;
}

double path::bend_before(std::size_t index) const noexcept {
  if (index == 0 || index >= pieces_.size()) return 0;
  const double cosine = dot(unit_tangent(pieces_[index - 1], 1), unit_tangent(pieces_[index], 0));
  return std::acos(std::clamp(cosine, -1.0, 1.0)) * degrees_per_radian;
}

double path::start_of(std::size_t index) const noexcept {
  return index < first_interval_.size() ? intervals_[first_interval_[index]].begin_m : length_;
}

bool path::is_straight(const interval& stretch) const noexcept {
  return tickreel::npc::is_straight(pieces_[stretch.piece]);
}

path_point path::at(const interval& stretch, double into_m) const noexcept {
  const cubic& piece = pieces_[stretch.piece];
  const double x = std::clamp(into_m / stretch.length_m, 0.0, 1.0);
  if (tickreel::npc::is_straight(piece)) return {piece.at(x), unit_tangent(piece, 0)};
  const double u = u_at(stretch, x);
  return {piece.at(u), unit_tangent(piece, u)};
}

path_point path_cursor::at(double s_m) noexcept {
  const auto intervals = path_->intervals();
  while (interval_ + 1 < intervals.size() && s_m >= intervals[interval_ + 1].begin_m) ++interval_;
  while (interval_ > 0 && s_m < intervals[interval_].begin_m) --interval_;
  return path_->at(intervals[interval_], s_m - intervals[interval_].begin_m);
}

}  // namespace tickreel::npc
