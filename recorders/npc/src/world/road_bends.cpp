// Nodes of the game's roads are metres apart at crossings, and lanes change between nodes: a drivable path is
// between them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/plan_bends.hpp"
#include "tickreel/npc/roads.hpp"

namespace tickreel::npc {

namespace {

double bend_rad(vec3 from, vec3 at, vec3 to) noexcept {
  const vec3 before = at - from, after = to - at;
  const double size = length(before) * length(after);
  return size > 0 ? std::acos(std::clamp(dot(before, after) / size, -1.0, 1.0)) : 0;
}

// The intersection of the lines a-b and c-d, after b and before c, and close to them.
std::optional<vec3> meeting_place(vec3 a, vec3 b, vec3 c, vec3 d) noexcept {
  const vec3 ahead = b - a, onward = d - c;
  const double across = ahead.x * onward.y - ahead.y * onward.x;
  if (std::abs(across) < 1e-3 * horizontal_length(ahead) * horizontal_length(onward)) return std::nullopt;
  const double share = ((c.x - a.x) * onward.y - (c.y - a.y) * onward.x) / across;
  const double back = ((c.x - a.x) * ahead.y - (c.y - a.y) * ahead.x) / across;
  const vec3 middle = (b + c) * 0.5;
  const vec3 place = {a.x + ahead.x * share, a.y + ahead.y * share, middle.z};
  const double reach_m = std::max(10.0, 2 * distance(b, c));
  if (share <= 0 || back >= 1 || distance(place, middle) > reach_m) return std::nullopt;
  return place;
}

bool is_past(const way_bends& how, vec3 place) noexcept {
  return how.heading_deg && dot(place - how.from, direction_of(*how.heading_deg)) < 0;
}

// The place after the turn that a vehicle makes at its start, towards `target`; no value if the target is
// inside its turning circle.
std::optional<vec3> after_first_turn(const way_bends& how, vec3 target) {
  if (!how.heading_deg) return how.from;
  const vec3 to = target - how.from, ahead = direction_of(*how.heading_deg);
  const vec3 left = {-ahead.y, ahead.x, 0};
  const double forward_m = dot(to, ahead), side_m = dot(to, left);
  const double widest_m = widest_turn_m(forward_m, side_m);
  if (widest_m < how.turning_m) return std::nullopt;
  const double radius_m = std::min(how.corner_m, widest_m);
  const double sweep = sweep_to_line(radius_m, forward_m, side_m);
  const double sign = side_m >= 0 ? 1 : -1;
  return how.from + ahead * (radius_m * std::sin(sweep)) + left * (sign * radius_m * (1 - std::cos(sweep)));
}

}  // namespace

tl::expected<std::vector<vec3>, std::string> without_tight_bends(std::vector<vec3> places,
                                                                 const way_bends& how) {
  constexpr double sharpest_rad = 140 / degrees_per_radian, unnoticed_rad = 1 / degrees_per_radian;
  std::vector<vec3> way = std::move(places);
  way.insert(way.begin(), how.from);
  // Each round either advances or removes a place.
  for (std::size_t i = 0; i + 1 < way.size();) {
    if (i == 0) {
      const auto begin = after_first_turn(how, way[1]);
      // A detour to the first place, although the next one is ahead.
      const bool is_detour = begin && way.size() > 2 &&
                             (bend_rad(how.from, way[1], way[2]) > sharpest_rad ||
                              (is_past(how, way[1]) && !is_past(how, way[2])));
      if (begin && !is_detour) {
        way[0] = *begin;
        ++i;
      } else if (way.size() > 2) {
        way.erase(way.begin() + 1);
      } else {
        return tl::unexpected<std::string>(
            fmt::format("the target is within the turning circle, which has a radius of {:.0f} m; a place "
                        "farther ahead can be reached",
                        how.turning_m));
      }
      continue;
    }
    const double bend = bend_rad(way[i - 1], way[i], way[i + 1]);
    const double before_m = distance(way[i - 1], way[i]), after_m = distance(way[i], way[i + 1]);
    // Each corner has half of either leg.
    if (bend < unnoticed_rad ||
        (bend <= sharpest_rad && std::min(before_m, after_m) / 2 >= how.turning_m * std::tan(bend / 2))) {
      ++i;
      continue;
    }
    // The first of the two places with too little room between them.
    const std::size_t first = before_m < after_m ? i - 1 : i;
    if (bend > sharpest_rad || first == 0) {
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(i));
    } else if (first + 2 == way.size()) {
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(first));
    } else {
      const auto meeting = meeting_place(way[first - 1], way[first], way[first + 1], way[first + 2]);
      way[first] = meeting.value_or((way[first] + way[first + 1]) * 0.5);
      way.erase(way.begin() + static_cast<std::ptrdiff_t>(first) + 1);
    }
    // The place before has another successor now.
    i = i > 2 ? i - 2 : 0;
    if (i == 0) way[0] = how.from;
  }
  way.erase(way.begin());
  return way;
}

}  // namespace tickreel::npc
