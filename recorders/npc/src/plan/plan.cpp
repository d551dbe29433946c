#include "tickreel/npc/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tickreel::npc {

namespace {

// Places within this distance are the same.
constexpr double arrived_m = 1e-3;

}  // namespace

place_and_heading first_place(const recorded& of) noexcept {
  return recorded::visit(of, [](const auto& blocks) -> place_and_heading {
    const auto& at = blocks.front().position_m;
    return {{at.x, at.y, at.z}, samp_rec::heading_degrees(blocks.front().rotation)};
  });
}

place_and_heading last_place(const recorded& of) noexcept {
  return recorded::visit(of, [](const auto& blocks) -> place_and_heading {
    const auto& at = blocks.back().position_m;
    return {{at.x, at.y, at.z}, samp_rec::heading_degrees(blocks.back().rotation)};
  });
}

plan::plan(actor_options options)
    : limits(traits_of(options.kind).limits),
      corner_m(traits_of(options.kind).corner_m),
      options_(std::move(options)) {
  if (options_.at) begin_at(*options_.at);
  if (options_.heading_deg) start_heading_ = heading_ = wrap_degrees(*options_.heading_deg);
}

tl::unexpected<problem> plan::refuse(std::string text) const {
  return refuse_at(line, std::move(text));
}

tl::unexpected<problem> plan::refuse_at(int at_line, std::string text) {
  return tl::unexpected<problem>(problem{std::move(text), at_line});
}

void plan::begin_at(vec3 position) {
  start_ = position_ = position;
  stop_position_ = position;
}

outcome plan::check_points(const std::vector<vec3>& points) {
  for (const vec3& each : points) {
    if (!is_finite(each)) return refuse("a coordinate is not a number");
    if (length(each) > options_.limits.coordinate_m) {
      return refuse(fmt::format("({:.0f}, {:.0f}, {:.0f}) is outside the world, which ends at {:.0f} m",
                                each.x, each.y, each.z, options_.limits.coordinate_m));
    }
  }
  points_ += points.size();
  if (points_ > options_.limits.points) {
    return refuse(fmt::format("{} goes through more than {} points", options_.name, options_.limits.points));
  }
  return {};
}

// Whether another direction may follow `count` existing ones.
outcome plan::check_room(std::size_t count) const {
  if (rolling_) return refuse("nothing can follow a rolling loop: its recording is played over and over");
  if (count >= options_.limits.directions) {
    return refuse(fmt::format("{} has more than {} directions", options_.name, options_.limits.directions));
  }
  return {};
}

outcome plan::check_placed() const {
  if (position_) return {};
  return refuse(fmt::format("{} has no place yet: say at={{x, y, z}}", options_.name));
}

outcome plan::add(direction next) {
  if (auto checked = check_room(directions_.size()); !checked) return checked;
  if (options_.start_mps.value_or(0) > 0 && directions_.empty() &&
      (std::holds_alternative<perform>(next) || std::holds_alternative<spot_turn>(next) ||
       std::holds_alternative<stand>(next) || std::holds_alternative<stand_until>(next) ||
       std::holds_alternative<stand_until_time>(next))) {
    return refuse(
        fmt::format("{} has a start_speed, so a movement has to come first, in the direction that "
                    "it faces",
                    options_.name));
  }
  directions_.push_back(std::move(next));
  lines_.push_back(line);
  return {};
}

outcome plan::add_leg(leg next, vec3 end) {
  if (auto checked = check_room(open_.size()); !checked) return checked;
  if (!open_.empty() && open_.back().reverse != reverse) {
    if (auto closed = close(); !closed) return closed;
  }
  next.limits = limits;
  next.corner_m = corner_m;
  next.reverse = reverse;
  next.on_ground = on_ground_;
  next.line = line;
  if (open_.empty()) stop_position_ = *position_;
  position_ = end;
  open_.push_back(std::move(next));
  return {};
}

outcome plan::add_leg_through(leg next, std::vector<vec3> points) {
  if (auto checked = check_points(points); !checked) return checked;
  if (points.empty()) return refuse("a path needs a point to go to");
  if (!position_) {
    begin_at(points.front());
    points.erase(points.begin());
  }
  const auto leads_on = [&](const vec3& each) { return distance(each, *position_) >= arrived_m; };
  points.erase(points.begin(), std::find_if(points.begin(), points.end(), leads_on));
  if (points.empty()) return {};
  const vec3 end = points.back();
  next.points = std::move(points);
  return add_leg(std::move(next), end);
}

outcome plan::legs(std::vector<vec3> points) {
  leg next;
  next.kind = leg::shape::straight;
  return add_leg_through(std::move(next), std::move(points));
}

outcome plan::curve(std::vector<vec3> points) {
  leg next;
  next.kind = leg::shape::curve;
  return add_leg_through(std::move(next), std::move(points));
}

outcome plan::curve_arriving(std::vector<vec3> points, double heading_deg) {
  leg next;
  next.kind = leg::shape::curve;
  next.arrive_deg = heading_deg;
  return add_leg_through(std::move(next), std::move(points));
}

outcome plan::bezier(vec3 control_1, vec3 control_2, vec3 to) {
  std::vector<vec3> points = {control_1, control_2, to};
  if (auto checked = check_points(points); !checked) return checked;
  if (auto checked = check_placed(); !checked) return checked;
  leg next;
  next.kind = leg::shape::bezier;
  next.points = std::move(points);
  return add_leg(std::move(next), to);
}

outcome plan::arc(vec3 centre, double sweep_deg, double climb_m) {
  if (auto checked = check_points({centre}); !checked) return checked;
  if (auto checked = check_placed(); !checked) return checked;
  if (!std::isfinite(sweep_deg) || std::abs(sweep_deg) > 360.0 * 1000)
    return refuse("an arc turns by at most 1000 rounds");
  if (!std::isfinite(climb_m)) return refuse("the climb of an arc is not a number");
  const double radius = horizontal_length(*position_ - centre);
  if (radius < 0.01) return refuse("an arc needs a centre that is not where it starts");
  points_ += static_cast<std::size_t>(std::abs(sweep_deg) / 30);
  const vec3 end = centre + rotated(*position_ - centre, sweep_deg);
  leg next;
  next.kind = leg::shape::arc;
  next.centre = centre;
  next.sweep_deg = sweep_deg;
  next.climb_m = climb_m;
  const vec3 arrive = {end.x, end.y, position_->z + climb_m};
  if (auto checked = check_points({arrive}); !checked) return checked;
  return add_leg(std::move(next), arrive);
}

outcome plan::wait(double seconds) {
  if (!(seconds >= 0) || seconds > options_.limits.duration_s) {
    return refuse(fmt::format("a wait lasts from 0 to {:.0f} seconds", options_.limits.duration_s));
  }
  if (auto closed = close(); !closed) return closed;
  return add(stand{seconds});
}

outcome plan::wait_until(event what, double delay_s) {
  if (!std::isfinite(delay_s) || std::abs(delay_s) > options_.limits.duration_s)
    return refuse("the delay is out of range");
  if (auto closed = close(); !closed) return closed;
  return add(stand_until{what, delay_s});
}

outcome plan::wait_until_time(double at_s) {
  if (!(at_s >= 0) || at_s > options_.limits.duration_s) {
    return refuse(fmt::format("the clock goes from 0 to {:.0f} seconds", options_.limits.duration_s));
  }
  if (auto closed = close(); !closed) return closed;
  return add(stand_until_time{at_s});
}

outcome plan::turn_towards(double heading_deg) {
  if (!heading_) {
    start_heading_ = heading_ = heading_deg;
    return {};
  }
  const double by = wrap_degrees(heading_deg - *heading_);
  const double rate = traits().spot_turn_dps;
  if (std::abs(by) > 0.01 && rate > 0) {
    if (auto added = add(spot_turn{*heading_, by, std::min(rate, limits.turn_rate_dps)}); !added)
      return added;
  }
  heading_ = heading_deg;
  return {};
}

outcome plan::face(double heading_deg) {
  if (!std::isfinite(heading_deg)) return refuse("the heading is not a number");
  if (auto closed = close(); !closed) return closed;
  if (traits().spot_turn_dps <= 0 && heading_ && std::abs(wrap_degrees(heading_deg - *heading_)) > 0.5) {
    return refuse(
        fmt::format("a {} cannot turn on the spot; give it a heading at the start, or a curve to drive",
                    name(options_.kind)));
  }
  return turn_towards(wrap_degrees(heading_deg));
}

outcome plan::play(std::shared_ptr<const recorded> what) {
  if (what == nullptr || what->empty()) return refuse("the recording is empty");
  const bool on_foot = what->kind == samp_rec::recording_kind::on_foot;
  if (on_foot != (options_.kind == body::on_foot)) {
    return refuse(fmt::format("{} is {}, the recording is {}", options_.name,
                              options_.kind == body::on_foot ? "on foot" : "in a vehicle",
                              on_foot ? "on foot" : "of a vehicle"));
  }
  if (auto closed = close(); !closed) return closed;
  const place_and_heading first = first_place(*what);
  if (!position_) begin_at(first.position);
  if (const double gap = distance(*position_, first.position); gap > 1) {
    return refuse(
        fmt::format("the recording starts {:.1f} m from where {} is; go there first, or play it 'here'", gap,
                    options_.name));
  }
  if (!heading_) start_heading_ = first.heading_deg;
  const place_and_heading last = last_place(*what);
  if (auto added = add(perform{std::move(what)}); !added) return added;
  position_ = last.position;
  heading_ = wrap_degrees(last.heading_deg);
  return {};
}

outcome plan::set(field what, double value) {
  if (!open_.empty()) {
    if (open_marks_.size() >= options_.limits.directions) return refuse("too many changes on one way");
    open_marks_.push_back({open_.size(), change{what, value}});
    return {};
  }
  if (directions_.empty()) {
    start_looks_[static_cast<std::size_t>(what)] = value;
    return {};
  }
  return add(change{what, value});
}

tl::expected<std::uint32_t, problem> plan::mark() {
  const std::uint32_t number = marks_;
  if (!open_.empty()) {
    if (open_marks_.size() >= options_.limits.directions) return refuse("too many moments on one way");
    open_marks_.push_back({open_.size(), emit{number}});
  } else if (auto added = add(emit{number}); !added) {
    return tl::unexpected<problem>(added.error());
  }
  ++marks_;
  return number;
}

std::optional<double> plan::arriving_heading_deg() const {
  if (open_.empty()) return heading_;
  const leg& last = open_.back();
  if (last.kind == leg::shape::arc) {
    const vec3 across = *position_ - last.centre;
    const vec3 ahead = last.sweep_deg > 0 ? vec3{-across.y, across.x, 0} : vec3{across.y, -across.x, 0};
    return wrap_degrees(heading_of(ahead) + (last.reverse ? 180 : 0));
  }
  // With the drawn height.
  actor_options plain = options_;
  plain.start_mps = 0;
  plain.end_mps = 0;
  plan trial(std::move(plain));
  trial.open_ = open_;
  trial.stop_position_ = stop_position_;
  trial.position_ = position_;
  trial.heading_ = heading_;
  return trial.close() ? trial.heading_ : std::nullopt;
}

std::optional<double> plan::heading_deg() {
  // A movement usually ends at another place than its begin.
  if (!open_.empty()) (void)close();
  return heading_;
}

}  // namespace tickreel::npc
