// Speed limits of each stretch of a run: from the curvature between the axles, for all members of a convoy.
#include <algorithm>
#include <cmath>
#include <deque>
#include <queue>

#include "tickreel/npc/run.hpp"

namespace tickreel::npc {

namespace {

constexpr double shortest_m = 1e-9;
// A minimum speed at cusps, so that the actor arrives.
constexpr double slowest_mps = 0.01;

// A piece of the path with one limit.
struct limited {
  double begin_m = 0;
  double end_m = 0;
  double limit_mps = 0;
  std::uint32_t interval = 0;
};

// Where stretches begin within an interval: up to three parts in a bend; in a straight one denser near its
// ends, where the limits of its neighbours apply.
void add_places(const path& along, const path::interval& of, std::vector<double>& places) {
  places.push_back(of.begin_m);
  if (along.is_straight(of)) {
    for (double off = 1; off < of.length_m / 2; off = 2 * off + 1) {
      places.push_back(of.begin_m + off);
      places.push_back(of.begin_m + of.length_m - off);
    }
    return;
  }
  constexpr double part_m = 2;
  const int parts = std::clamp(static_cast<int>(std::ceil(of.length_m / part_m)), 1, 3);
  for (int part = 1; part < parts; ++part) places.push_back(of.begin_m + of.length_m * part / parts);
}

// The speed that the bend between the axles around `s` allows.
class bend_meter {
 public:
  bend_meter(const path& along, double wheelbase_m)
      : along_(along), half_m_(wheelbase_m / 2), closed_(along.closed()), rear_(along), front_(along) {}

  double limit_at(double s_m, const motion_limits& limits) {
    const path_point rear = point(rear_, s_m - half_m_);
    const path_point front = point(front_, s_m + half_m_);
    const double span_m = 2 * half_m_;
    double limit = limits.speed_mps;
    if (rear.has_heading() && front.has_heading()) {
      const double turn = std::abs(wrap_degrees(heading_of(front.tangent) - heading_of(rear.tangent)));
      const double level = (horizontal_length(rear.tangent) + horizontal_length(front.tangent)) / 2;
      if (turn > 1e-9) {
        limit = std::min(limit, limits.turn_rate_dps * span_m / turn);
        limit =
            std::min(limit, std::sqrt(limits.lateral_mps2 * span_m / (turn / degrees_per_radian * level)));
      }
    }
    if (limits.pitch_rate_dps > 0) {
      const double tilt = std::abs(slope_of(front) - slope_of(rear));
      if (tilt > 1e-9) limit = std::min(limit, limits.pitch_rate_dps * span_m / tilt);
    }
    return std::max(limit, std::min(slowest_mps, limits.speed_mps));
  }

 private:
  static double slope_of(const path_point& at) {
    return std::asin(std::clamp(at.tangent.z, -1.0, 1.0)) * degrees_per_radian;
  }
  path_point point(path_cursor& by, double s_m) const {
    const double whole = along_.length();
    if (closed_) s_m -= std::floor(s_m / whole) * whole;
    return by.at(std::clamp(s_m, 0.0, whole));
  }

  const path& along_;
  double half_m_;
  bool closed_;
  path_cursor rear_;
  path_cursor front_;
};

std::vector<limited> limits_along(const run& what) {
  const path& along = *what.along;
  const auto intervals = along.intervals();
  std::vector<double> places;
  for (const path::interval& each : intervals) add_places(along, each, places);
  if (what.members > 1) {
    // A limit ends when the last member has passed it.
    const double convoy_m = what.spacing_m * (what.members - 1);
    const std::size_t own = places.size();
    for (std::size_t i = 0; i < own; ++i) {
      const double at = places[i] + convoy_m;
      if (at < along.length()) places.push_back(at);
    }
  }
  std::sort(places.begin(), places.end());
  places.push_back(along.length());
  bend_meter bends(along, what.manners.wheelbase_m);
  std::vector<limited> all;
  std::uint32_t interval = 0;
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    limited next{places[i], places[i + 1], 0, 0};
    if (next.end_m - next.begin_m < shortest_m) continue;
    while (interval + 1 < intervals.size() && intervals[interval + 1].begin_m <= next.begin_m + shortest_m)
      ++interval;
    next.interval = interval;
    const motion_limits& of = along.limits_of(intervals[interval]);
    next.limit_mps = of.speed_mps;
    for (const double share : {0.0, 0.5, 1.0}) {
      next.limit_mps =
          std::min(next.limit_mps, bends.limit_at(next.begin_m + share * (next.end_m - next.begin_m), of));
    }
    all.push_back(next);
  }
  return all;
}

// Each stretch gets the lowest limit between the first and the last member while the first is on it.
void hold_for_convoy(std::vector<limited>& all, double convoy_m, bool closed) {
  if (all.empty() || convoy_m <= 0) return;
  const double whole = all.back().end_m;
  const std::size_t count = all.size();
  std::vector<double> own(count);
  for (std::size_t i = 0; i < count; ++i) own[i] = all[i].limit_mps;
  // Numbers of stretches, on a closed path preceded by those of the lap before; their limits increase.
  std::deque<std::size_t> least;
  const std::size_t first = closed ? 0 : count;
  for (std::size_t number = first; number < 2 * count; ++number) {
    const std::size_t i = number % count;
    while (!least.empty() && own[least.back() % count] >= own[i]) least.pop_back();
    least.push_back(number);
    const double lag_m = all[i].begin_m + (number < count ? 0 : whole) - convoy_m;
    const auto ends_m = [&](std::size_t of) { return all[of % count].end_m + (of < count ? 0 : whole); };
    while (ends_m(least.front()) <= lag_m) least.pop_front();
    if (number >= count) all[i].limit_mps = own[least.front() % count];
  }
  if (closed && convoy_m >= whole) {
    const double lowest = *std::min_element(own.begin(), own.end());
    for (limited& each : all) each.limit_mps = lowest;
  }
}

// Limits of slow places extend before and after them.
void calm_down(std::vector<limited>& all, double calm_s, bool closed) {
  if (all.empty() || calm_s <= 0) return;
  const double whole = all.back().end_m;
  const std::size_t count = all.size();
  std::vector<double> calm(count);
  for (std::size_t i = 0; i < count; ++i) calm[i] = all[i].limit_mps;
  struct held {
    double limit_mps;
    double until_m;
    bool operator<(const held& other) const { return limit_mps > other.limit_mps; }
  };
  for (const bool backwards : {false, true}) {
    std::priority_queue<held> holding;
    for (std::size_t step = closed ? 0 : count; step < 2 * count; ++step) {
      const std::size_t i = backwards ? count - 1 - step % count : step % count;
      const double lap_m = step < count ? 0 : whole;
      const double from_m = lap_m + (backwards ? whole - all[i].end_m : all[i].begin_m);
      const double to_m = from_m + all[i].end_m - all[i].begin_m;
      while (!holding.empty() && holding.top().until_m <= from_m) holding.pop();
      if (step >= count && !holding.empty()) calm[i] = std::min(calm[i], holding.top().limit_mps);
      holding.push({all[i].limit_mps, to_m + all[i].limit_mps * calm_s});
    }
  }
  for (std::size_t i = 0; i < count; ++i) all[i].limit_mps = calm[i];
}

}  // namespace

std::vector<stretch> stretches_of(const run& what) {
  const path& along = *what.along;
  const bool closed = along.closed() && what.begin_m == 0 && (what.laps > 1 || what.rolling);
  std::vector<limited> all = limits_along(what);
  if (what.members > 1) hold_for_convoy(all, what.spacing_m * (what.members - 1), closed);
  calm_down(all, what.manners.calm_s, closed);
  std::vector<stretch> result;
  for (const limited& each : all) {
    const double length_m = std::min(each.end_m, what.end_m) - std::max(each.begin_m, what.begin_m);
    if (length_m < shortest_m) continue;
    const motion_limits& of = along.limits_of(along.intervals()[each.interval]);
    result.push_back({length_m, each.limit_mps, of.accelerate_mps2, of.brake_mps2});
  }
  return result;
}

}  // namespace tickreel::npc
