// From legs to a path that the body can follow: corners rounded, turns after a stop, the ground under it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

namespace {

// A change of direction that nobody notices.
constexpr double unnoticed_deg = 2;
// Beyond it people stop and turn round, and vehicles need a turn of their own instead of a rounded corner.
constexpr double about_turn_deg = 150;
// The tightest corner of what cannot turn on the spot.
constexpr double tightest_corner_m = 2;

double bend_between(vec3 from, vec3 at, vec3 to) noexcept {
  const vec3 before = at - from;
  const vec3 after = to - at;
  const double size = length(before) * length(after);
  if (size <= 0) return 0;
  return std::acos(std::clamp(dot(before, after) / size, -1.0, 1.0)) * degrees_per_radian;
}

bool is_vertical(vec3 way) noexcept {
  return horizontal_length(way) <= 0.05 * length(way);
}

}  // namespace

outcome plan::close() {
  if (open_.empty()) return {};
  // Taken out first: after a refusal the plan goes on without the movement.
  std::vector<leg> all = std::exchange(open_, {});
  std::vector<pending_mark> marks = std::exchange(open_marks_, {});
  return close_legs(std::move(all), std::move(marks));
}

// Turns from `heading_deg` on an arc towards `target`, so that a straight line leads on.
void plan::steer_into(path& way, const leg& next, vec3 target, double heading_deg) const {
  const vec3 to = target - way.end();
  const vec3 ahead = direction_of(heading_deg);
  const vec3 left = {-ahead.y, ahead.x, 0};
  const double forward_m = dot(to, ahead);
  const double side_m = dot(to, left);
  const double sign = side_m >= 0 ? 1 : -1;
  const double aside_m = std::max(std::abs(side_m), 1e-9);
  // A target inside the circle could not be reached.
  const double largest_m = 0.8 * (forward_m * forward_m + aside_m * aside_m) / (2 * aside_m);
  const double radius_m = std::min(std::max(next.corner_m, 0.5), largest_m);
  if (radius_m < 0.05) return;
  // The tangent point: the angle to the target seen from the centre, less that of the right triangle.
  const double across_m = radius_m - aside_m;
  const double to_centre_m = std::hypot(forward_m, across_m);
  double sweep = std::atan2(forward_m, across_m) - std::acos(std::clamp(radius_m / to_centre_m, 0.0, 1.0));
  if (sweep < 0) sweep += 2 * std::numbers::pi;
  way.set_limits(next.limits);
  const double total_m =
      radius_m * sweep + std::sqrt(std::max(0.0, to_centre_m * to_centre_m - radius_m * radius_m));
  const double climb_m = total_m > 0 ? to.z * radius_m * sweep / total_m : 0;
  way.add_arc(way.end() + left * (sign * radius_m), sign * sweep * degrees_per_radian, climb_m);
}

outcome plan::close_legs(std::vector<leg> all, std::vector<pending_mark> marks) {
  const bool spot = traits().spot_turn_dps > 0;
  path way;
  way.start_at(stop_position_);
  std::vector<const leg*> leg_of_piece;
  std::vector<run_mark> passed;
  std::size_t next_mark = 0;

  const auto stop_here = [&]() -> outcome {
    if (way.empty()) return {};
    auto grounded = follow_ground(way, leg_of_piece);
    if (!grounded) return tl::unexpected<problem>(grounded.error());
    if (const auto heading = grounded->first_heading_deg()) {
      if (auto turned = turn_towards(*heading); !turned) return turned;
    }
    // What the ground made longer moves the marks on.
    const double stretched = grounded->length() / way.length();
    for (run_mark& each : passed) each.distance_m *= stretched;
    const vec3 end = way.end();
    auto along = std::make_shared<const path>(std::move(*grounded));
    if (auto added = add_run(along, {.along = along, .end_m = along->length()}, std::exchange(passed, {}));
        !added)
      return added;
    way = path();
    way.start_at(end);
    leg_of_piece.clear();
    return {};
  };
  // The heading that the body has where the next leg begins, where that matters.
  const auto heading_here = [&]() -> std::optional<double> {
    if (!way.empty()) return way.last_heading_deg();
    return spot ? std::nullopt : heading_;
  };
  const auto note_marks = [&](std::size_t legs_done, double at_m) {
    for (; next_mark < marks.size() && marks[next_mark].legs_before <= legs_done; ++next_mark) {
      passed.push_back({at_m, marks[next_mark].what});
    }
  };
  const auto own_pieces = [&](const leg& of) { leg_of_piece.resize(way.pieces().size(), &of); };

  for (std::size_t i = 0; i < all.size(); ++i) {
    const leg& first = all[i];
    switch (first.kind) {
      case leg::shape::straight: {
        // Straight legs that follow one another are taken together, as far as their corners can be rounded.
        std::vector<vec3> points;
        std::vector<motion_limits> point_limits;
        std::vector<std::size_t> leg_ends;
        const double rounded_m = spot ? first.corner_m : std::max(first.corner_m, tightest_corner_m);
        std::size_t last = i;
        for (; last < all.size() && all[last].kind == leg::shape::straight &&
               all[last].corner_m == first.corner_m &&
               all[last].on_ground.has_value() == first.on_ground.has_value();
             ++last) {
          for (const vec3& each : all[last].points) {
            points.push_back(each);
            point_limits.push_back(all[last].limits);
          }
          leg_ends.push_back(points.size());
        }
        std::vector<double> reached;
        for (std::size_t begin = 0; begin < points.size();) {
          const vec3 here = way.end();
          if (distance(here, points[begin]) < 1e-4) {
            reached.push_back(way.length());
            ++begin;
            continue;
          }
          const vec3 to = points[begin] - here;
          const auto heading = heading_here();
          if (heading && !is_vertical(to)) {
            const double bend = std::abs(wrap_degrees(heading_of(to) - *heading));
            if (spot && !way.empty() && (bend > about_turn_deg || (rounded_m <= 0 && bend > unnoticed_deg))) {
              if (auto stopped = stop_here(); !stopped) return stopped;
            } else if (bend > unnoticed_deg) {
              leg turn = first;
              turn.corner_m = rounded_m;
              turn.limits = point_limits[begin];
              steer_into(way, turn, points[begin], *heading);
              own_pieces(first);
            }
          }
          std::size_t end = begin + 1;
          for (vec3 before = way.end(); end < points.size(); ++end) {
            const double bend = bend_between(before, points[end - 1], points[end]);
            if (bend > about_turn_deg || (rounded_m <= 0 && bend > unnoticed_deg)) break;
            if (distance(points[end - 1], points[end]) > 1e-4) before = points[end - 1];
          }
          way.add_legs(std::span(points).subspan(begin, end - begin), rounded_m,
                       std::span(point_limits).subspan(begin, end - begin), &reached);
          own_pieces(first);
          begin = end;
          // The legs that end here, or in a stop that follows.
          for (std::size_t done = 0; done < leg_ends.size() && leg_ends[done] <= begin; ++done) {
            note_marks(i + done + 1, reached[std::max<std::size_t>(leg_ends[done], 1) - 1]);
          }
        }
        i = last - 1;
        break;
      }
      case leg::shape::curve: {
        vec3 leave;
        const auto heading = heading_here();
        const vec3 to = first.points.front() - way.end();
        if (spot && heading && !is_vertical(to) &&
            std::abs(wrap_degrees(heading_of(to) - *heading)) > about_turn_deg) {
          if (auto stopped = stop_here(); !stopped) return stopped;
        }
        if (const auto kept = heading_here()) leave = way.empty() ? direction_of(*kept) : way.end_tangent();
        way.set_limits(first.limits);
        const vec3 arrive = direction_of(first.arrive_deg.value_or(0));
        way.add_through(first.points, leave == vec3{} ? nullptr : &leave,
                        first.arrive_deg ? &arrive : nullptr);
        break;
      }
      case leg::shape::bezier:
      case leg::shape::arc: {
        path alone;
        alone.start_at(way.end());
        const auto draw = [&](path& on) {
          if (first.kind == leg::shape::bezier) {
            on.add(cubic::bezier(on.end(), first.points[0], first.points[1], first.points[2]));
          } else {
            on.add_arc(first.centre, first.sweep_deg, first.climb_m);
          }
        };
        draw(alone);
        const auto heading = heading_here();
        const auto leaves = alone.first_heading_deg();
        if (heading && leaves && std::abs(wrap_degrees(*leaves - *heading)) > unnoticed_deg) {
          if (!spot) {
            return refuse_at(
                first.line,
                fmt::format("{} arrives with heading {:.0f}, but the curve leaves with {:.0f}; a {} cannot "
                            "turn on the spot",
                            options_.name, *heading, *leaves, name(options_.kind)));
          }
          if (auto stopped = stop_here(); !stopped) return stopped;
        }
        way.set_limits(first.limits);
        draw(way);
        break;
      }
    }
    own_pieces(first);
    note_marks(i + 1, way.length());
  }
  if (auto stopped = stop_here(); !stopped) return stopped;
  for (const run_mark& each : passed) {
    // Legs without a length: nothing moved.
    std::visit([&](const auto& what) { directions_.push_back(what); }, each.what);
  }
  return {};
}

outcome plan::add_run(std::shared_ptr<const path> along, const run& way, std::vector<run_mark> marks) {
  if (along->length() > options_.limits.path_m) {
    return refuse(fmt::format("a path of {:.0f} km is too long; at most {:.0f} km go without a stop",
                              along->length() / 1000, options_.limits.path_m / 1000));
  }
  run next = way;
  next.step_s = traits().step_s;
  if (auto added = add(travel{next, std::move(marks)}); !added) return added;
  const path_point end = path_cursor(*along).at(next.end_m - next.behind_m);
  position_ = end.position;
  if (end.has_heading()) {
    heading_ = heading_of(end.tangent);
  } else if (const auto heading = along->last_heading_deg()) {
    heading_ = heading;
  }
  if (!start_heading_) start_heading_ = heading_;
  return {};
}

tl::expected<path, problem> plan::follow_ground(const path& flat,
                                                const std::vector<const leg*>& leg_of_piece) {
  const bool any = std::any_of(leg_of_piece.begin(), leg_of_piece.end(), [](const leg* each) {
    return each != nullptr && each->on_ground.has_value();
  });
  if (!any) return flat;
  // Heights are looked up often enough to follow a kerb, and joined smoothly.
  constexpr double look_m = 2;
  struct place {
    const path::interval* from = nullptr;
    double u = 0;
    double s_m = 0;
    double z = 0;
  };
  std::vector<std::vector<place>> places(flat.pieces().size());
  std::size_t count = 0;
  for (const path::interval& each : flat.intervals()) {
    auto& list = places[each.piece];
    const int parts = std::max(1, static_cast<int>(std::ceil(each.length_m / look_m)));
    count += static_cast<std::size_t>(parts);
    if (count > options_.limits.points * 10) {
      return refuse_at(leg_of_piece[each.piece]->line,
                       "a path over the ground that is too long to look its heights up");
    }
    for (int part = 0; part < parts; ++part) {
      const double share = static_cast<double>(part) / parts;
      list.push_back({&each, each.u_begin + share * (each.u_end - each.u_begin),
                      each.begin_m + share * each.length_m, 0});
    }
  }
  path result;
  for (std::size_t piece = 0; piece < places.size(); ++piece) {
    const cubic& curve = flat.pieces()[piece];
    const leg& of = *leg_of_piece[piece];
    auto& list = places[piece];
    result.set_limits(flat.limits_of(*list.front().from));
    if (!of.on_ground) {
      if (result.empty()) result.start_at(curve.start());
      result.add(curve);
      continue;
    }
    list.push_back({list.back().from, 1, list.back().from->begin_m + list.back().from->length_m, 0});
    for (place& each : list) {
      const vec3 at = curve.at(each.u);
      auto height = of.on_ground->height(at.x, at.y);
      if (!height) return refuse_at(of.line, height.error());
      each.z = *height + of.on_ground->offset_m;
      if (!std::isfinite(each.z) || std::abs(each.z) > options_.limits.coordinate_m) {
        return refuse_at(of.line, fmt::format("the ground at ({:.1f}, {:.1f}) is at no height", at.x, at.y));
      }
    }
    const auto slope = [&](std::size_t i) {
      const place& a = list[i > 0 ? i - 1 : i];
      const place& b = list[i + 1 < list.size() ? i + 1 : i];
      return (b.z - a.z) / std::max(b.s_m - a.s_m, 1e-9);
    };
    for (std::size_t i = 0; i + 1 < list.size(); ++i) {
      const place& a = list[i];
      const place& b = list[i + 1];
      const double du = b.u - a.u;
      vec3 from = curve.at(a.u);
      vec3 to = curve.at(b.u);
      vec3 leave = curve.first(a.u) * du;
      vec3 arrive = curve.first(b.u) * du;
      from.z = a.z;
      to.z = b.z;
      leave.z = slope(i) * (b.s_m - a.s_m);
      arrive.z = slope(i + 1) * (b.s_m - a.s_m);
      if (result.empty()) result.start_at(from);
      result.add(cubic::hermite(result.empty() ? from : result.end(), leave, to, arrive));
    }
  }
  return result;
}

outcome plan::stand_on(std::optional<ground> what) {
  if (auto closed = close(); !closed) return closed;
  if (what && position_) {
    const auto height = what->height(position_->x, position_->y);
    if (!height) return refuse(height.error());
    const double z = *height + what->offset_m;
    if (directions_.empty() && std::isfinite(z)) {
      begin_at({position_->x, position_->y, z});
    } else if (!(std::abs(z - position_->z) < 0.5)) {
      return refuse(
          fmt::format("the ground is at {:.2f} m here, {} is at {:.2f} m", z, options_.name, position_->z));
    }
  }
  on_ground_ = std::move(what);
  return {};
}

outcome plan::loop(std::vector<vec3> points, const loop_options& how) {
  if (auto checked = check_points(points); !checked) return checked;
  if (auto closed = close(); !closed) return closed;
  if (!position_ && !points.empty()) {
    begin_at(points.front());
    points.erase(points.begin());
  }
  path way;
  way.start_at(*position_);
  way.set_limits(limits);
  how.straight ? way.add_closed_legs(points, spot_or_tight_corner()) : way.add_loop_through(points);
  if (way.empty()) return refuse("a loop needs at least two different points");
  leg of;
  of.on_ground = on_ground_;
  of.line = line;
  auto grounded = follow_ground(way, std::vector<const leg*>(way.pieces().size(), &of));
  if (!grounded) return tl::unexpected<problem>(grounded.error());
  return laps(std::make_shared<const path>(std::move(*grounded)), how);
}

double plan::spot_or_tight_corner() const noexcept {
  return traits().spot_turn_dps > 0 ? corner_m : std::max(corner_m, tightest_corner_m);
}

outcome plan::laps(std::shared_ptr<const path> closed, const loop_options& how) {
  if (auto ended = close(); !ended) return ended;
  if (how.laps < 1 || how.laps > 100'000) return refuse("a loop has 1 to 100000 laps");
  if (!closed->closed()) return refuse("a loop has to end where and as it starts");
  if (how.rolling && !directions_.empty()) {
    return refuse("a rolling loop is a whole recording: nothing can come before it");
  }
  const vec3 start = closed->start();
  if (!position_ || (directions_.empty() && distance(*position_, start) > 0)) begin_at(start);
  if (distance(*position_, start) > 0.01) {
    if (auto there = legs({start}); !there) return there;
    if (auto ended = close(); !ended) return ended;
  }
  const auto heading = closed->first_heading_deg();
  if (heading && how.rolling) {
    start_heading_ = heading_ = heading;
  } else if (heading) {
    const double bend = heading_ ? std::abs(wrap_degrees(*heading - *heading_)) : 0;
    if (traits().spot_turn_dps <= 0 && bend > unnoticed_deg) {
      return refuse(
          fmt::format("{} faces {:.0f}, but the loop leaves with {:.0f}; a {} cannot turn on the spot",
                      options_.name, *heading_, *heading, name(options_.kind)));
    }
    if (auto turned = turn_towards(*heading); !turned) return turned;
  }
  run way{.along = closed, .end_m = closed->length(), .laps = how.laps, .rolling = how.rolling};
  if (auto added = add_run(closed, way, {}); !added) return added;
  rolling_ = how.rolling;
  return {};
}

outcome plan::convoy(const run& way) {
  if (auto closed = close(); !closed) return closed;
  double place = way.begin_m - way.behind_m;
  if (place < 0 && way.along->closed()) place += way.along->length();
  const path_point start = path_cursor(*way.along).at(place);
  if (!position_) begin_at(start.position);
  if (const double off = distance(*position_, start.position); off > 0.5) {
    return refuse(fmt::format("{} is {:.1f} m from its place in the convoy", options_.name, off));
  }
  if (way.rolling && !directions_.empty()) {
    return refuse("a rolling loop is a whole recording: nothing can come before it");
  }
  if (start.has_heading()) {
    const double heading = heading_of(start.tangent);
    if (!heading_ || way.rolling) start_heading_ = heading_ = heading;
    if (traits().spot_turn_dps > 0) {
      if (auto turned = turn_towards(heading); !turned) return turned;
    }
  }
  if (auto added = add_run(way.along, way, {}); !added) return added;
  rolling_ = way.rolling;
  return {};
}

}  // namespace tickreel::npc
