// Runs whose path is given completely: loops, and convoys along a common path.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan_bends.hpp"
#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

outcome plan::check_start(const run& way) const {
  if (!options_.start_mps && options_.kind == body::plane && !options_.can_hover && !options_.continues &&
      !on_ground_ && !way.rolling) {
    return refuse(
        fmt::format("{} would start in the air without speed: give it its speed with start_speed={:.0f} in "
                    "actor{{...}}, or start_speed=0 where it starts on the ground",
                    options_.name, traits().limits.speed_mps));
  }
  if (way.start_mps <= 0) return {};
  speed_profile fastest;
  const std::vector<stretch> stretches = stretches_of(way);
  fastest.solve(stretches, way.start_mps, way.end_mps);
  if (fastest.start_mps() >= way.start_mps - 0.01) return {};
  return refuse(
      fmt::format("{} cannot start with {:.1f} m/s: the way allows {:.1f} there, by its bends and "
                  "for braking",
                  options_.name, way.start_mps, fastest.start_mps()));
}

// True until the first movement, or the first wait that takes time.
bool plan::is_at_start() const noexcept {
  return std::ranges::all_of(directions_, [](const direction& each) {
    const auto* waits = std::get_if<stand>(&each);
    const auto* waits_until = std::get_if<stand_until_time>(&each);
    return (waits != nullptr && waits->seconds == 0) || (waits_until != nullptr && waits_until->at_s == 0) ||
           std::holds_alternative<change>(each) || std::holds_alternative<emit>(each);
  });
}

outcome plan::finish() {
  if (auto closed = close(); !closed || options_.end_mps <= 0) return closed;
  std::size_t last = directions_.size();
  while (last > 0 && (std::holds_alternative<change>(directions_[last - 1]) ||
                      std::holds_alternative<emit>(directions_[last - 1]))) {
    --last;
  }
  auto* moving = last > 0 ? std::get_if<travel>(&directions_[last - 1]) : nullptr;
  const int at_line = last > 0 ? line_of(last - 1) : line;
  if (moving == nullptr || moving->way.rolling || moving->way.shared != nullptr) {
    return refuse_at(at_line, fmt::format("{} has an end_speed, so a movement of its own has to come last, "
                                          "which does not roll",
                                          options_.name));
  }
  moving->way.end_mps = options_.end_mps;
  if (auto* first = std::get_if<travel>(&directions_.front())) {
    if (auto checked = check_start(first->way); !checked) return checked;
  }
  const solved_run solved(moving->way);
  if (solved.end_mps() >= options_.end_mps - 0.01) return {};
  return refuse_at(at_line, fmt::format("{} cannot end with {:.1f} m/s: the way allows {:.1f} there, by its "
                                        "bends and for accelerating",
                                        options_.name, options_.end_mps, solved.end_mps()));
}

outcome plan::add_run(std::shared_ptr<const path> along, const run& way, std::vector<run_mark> marks) {
  if (along->length() > options_.limits.path_m) {
    return refuse(fmt::format("a path of {:.0f} km is too long; at most {:.0f} km go without a stop",
                              along->length() / 1000, options_.limits.path_m / 1000));
  }
  run next = way;
  next.step_s = traits().step_s;
  // A convoy has the combined limits of all its members.
  if (next.shared == nullptr) next.manners = traits().manners;
  if (directions_.empty()) next.start_mps = options_.start_mps.value_or(0);
  if (is_at_start()) {
    // It may also be the last one.
    run alone = next;
    alone.end_mps = options_.end_mps;
    if (auto checked = check_start(alone); !checked) return checked;
  }
  if (auto added = add(travel{next, std::move(marks)}); !added) return added;
  const path_point end = path_cursor(*along).at(next.end_m - next.lag_m);
  position_ = end.position;
  const double turned = next.reverse ? 180 : 0;
  if (end.has_heading()) {
    heading_ = wrap_degrees(heading_of(end.tangent) + turned);
  } else if (const auto heading = along->last_heading_deg()) {
    heading_ = wrap_degrees(*heading + turned);
  }
  if (!start_heading_) start_heading_ = heading_;
  return {};
}

outcome plan::loop(std::vector<vec3> points, const loop_options& how) {
  if (auto checked = check_points(points); !checked) return checked;
  if (auto closed = close(); !closed) return closed;
  if (!position_ && !points.empty()) {
    begin_at(points.front());
    points.erase(points.begin());
  }
  constexpr const char* too_few = "a loop needs at least two different points";
  const bool placed = options_.at.has_value() || !directions_.empty();
  if (how.straight && placed && !how.rolling && how.laps == 1) {
    // One round from here to here, without a corner where it starts and stops.
    if (points.empty()) return refuse(too_few);
    points.push_back(*position_);
    if (auto round = legs(std::move(points)); !round) return round;
    return close();
  }
  path way;
  way.start_at(*position_);
  way.set_limits(limits);
  if (how.straight) {
    way.add_closed_legs(points, spot_or_tight_corner(), placed && starts_straight_ahead(points, how));
  } else {
    way.add_loop_through(points);
  }
  if (way.empty()) return refuse(too_few);
  leg of;
  of.on_ground = on_ground_;
  of.line = line;
  auto grounded = follow_ground(way, std::vector<const leg*>(way.pieces().size(), &of));
  if (!grounded) return tl::unexpected<problem>(grounded.error());
  return laps(std::make_shared<const path>(std::move(*grounded)), how);
}

// Whether a loop whose first corner is the actor's place may pass through it on a bend: not if the actor
// faces along the first leg and cannot turn.
bool plan::starts_straight_ahead(const std::vector<vec3>& points, const loop_options& how) const {
  return how.rolling || !heading_ || traits().spot_turn_dps > 0 || points.empty();
}

double plan::spot_or_tight_corner() const noexcept {
  return traits().spot_turn_dps > 0 ? corner_m : std::max(corner_m, tightest_corner_m);
}

outcome plan::check_rolls_alone(bool rolls) const {
  if (!rolls || directions_.empty()) return {};
  return refuse("a rolling loop is a whole recording: nothing can come before it");
}

outcome plan::laps(std::shared_ptr<const path> closed, const loop_options& how) {
  if (auto ended = close(); !ended) return ended;
  if (how.laps < 1 || how.laps > 100'000) return refuse("a loop has 1 to 100000 laps");
  if (!closed->closed()) return refuse("a loop has to end where and as it starts");
  if (auto checked = check_rolls_alone(how.rolling); !checked) return checked;
  const vec3 start = closed->start();
  if (!position_ || (directions_.empty() && !options_.at)) begin_at(start);
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
          fmt::format("{} faces {:.0f}, but the loop leaves with {:.0f}; a {} cannot turn on the spot{}",
                      options_.name, *heading_, *heading, name(options_.kind),
                      directions_.empty() ? ": give it that heading at the start, or none" : ""));
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
  double place = way.begin_m - way.lag_m;
  if (place < 0 && way.along->closed()) place += way.along->length();
  const path_point start = path_cursor(*way.along).at(place);
  if (!position_) begin_at(start.position);
  if (const double off = distance(*position_, start.position); off > 0.5) {
    return refuse(fmt::format("{} is {:.1f} m from its place in the convoy", options_.name, off));
  }
  if (auto checked = check_rolls_alone(way.rolling); !checked) return checked;
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
