// Converts legs to a path that the body can follow: rounded corners, turns after a stop.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan_bends.hpp"
#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

namespace {

// Points closer than this are merged.
constexpr double coincident_m = 1e-4;

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

// Converts one movement from legs to runs.
class plan::movement {
 public:
  movement(plan& part, const std::vector<leg>& legs, const std::vector<pending_mark>& marks)
      : part_(part),
        legs_(legs),
        marks_(marks),
        spot_(part.traits().spot_turn_dps > 0),
        reverse_(legs.front().reverse) {
    way_.start_at(part.stop_position_);
  }

  outcome make() {
    for (std::size_t i = 0; i < legs_.size();) {
      const leg& first = legs_[i];
      std::size_t taken = 1;
      outcome drawn;
      switch (first.kind) {
        case leg::shape::straight:
          taken = straight_from(i);
          drawn = add_straight(i, taken);
          break;
        case leg::shape::curve:
          drawn = add_curve(first);
          break;
        case leg::shape::bezier:
        case leg::shape::arc:
          drawn = add_drawn(first);
          break;
      }
      if (!drawn) return drawn;
      i += taken;
      own_pieces(first);
      note_marks(i, way_.length());
    }
    if (auto stopped = stop_here(); !stopped) return stopped;
    for (const run_mark& each : passed_) {
      // Legs without a length: no motion.
      std::visit(
          [&](const auto& what) {
            part_.directions_.push_back(what);
            part_.lines_.push_back(part_.line);
          },
          each.what);
    }
    return {};
  }

 private:
  // Ends the current run: the actor stops after its last piece.
  outcome stop_here() {
    if (way_.empty()) return {};
    auto grounded = part_.follow_ground(way_, leg_of_piece_);
    if (!grounded) return tl::unexpected<problem>(grounded.error());
    if (const auto heading = grounded->first_heading_deg()) {
      const double body = reverse_ ? wrap_degrees(*heading + 180) : *heading;
      if (auto turned = part_.turn_towards(body); !turned) return turned;
    }
    // Paths that the ground makes longer shift later marks.
    const double stretched = grounded->length() / way_.length();
    for (run_mark& each : passed_) each.distance_m *= stretched;
    const vec3 end = way_.end();
    auto along = std::make_shared<const path>(std::move(*grounded));
    const run whole{.along = along, .end_m = along->length(), .reverse = reverse_};
    if (auto added = part_.add_run(along, whole, std::exchange(passed_, {})); !added) return added;
    way_ = path();
    way_.start_at(end);
    leg_of_piece_.clear();
    return {};
  }

  // The body's heading at the start of the next leg, if it matters.
  [[nodiscard]] std::optional<double> heading_here() const {
    if (!way_.empty()) return way_.last_heading_deg();
    if (spot_ || !part_.heading_) return std::nullopt;
    return reverse_ ? wrap_degrees(*part_.heading_ + 180) : *part_.heading_;
  }

  // Trains stay on their track: they cannot drive to places behind or beside them.
  outcome stay_on_track(const leg& of, vec3 to, std::optional<double> heading) const {
    if (part_.options_.kind != body::train || !heading || is_vertical(to)) return {};
    constexpr double max_deg = 60;
    if (std::abs(wrap_degrees(heading_of(to) - *heading)) <= max_deg) return {};
    return refuse_at(of.line,
                     fmt::format("{} goes {} with heading {:.0f}, and this is at {:.0f}: a train stays "
                                 "on its track; {} goes the other way",
                                 part_.options_.name, reverse_ ? "backwards" : "ahead",
                                 *heading < 0 ? *heading + 360 : *heading,
                                 heading_of(to) < 0 ? heading_of(to) + 360 : heading_of(to),
                                 reverse_ ? "drive_to()" : "reverse_to()"));
  }

  void note_marks(std::size_t legs_done, double at_m) {
    for (; next_mark_ < marks_.size() && marks_[next_mark_].legs_before <= legs_done; ++next_mark_) {
      passed_.push_back({at_m, marks_[next_mark_].what});
    }
  }

  void own_pieces(const leg& of) { leg_of_piece_.resize(way_.pieces().size(), &of); }

  // The number of straight legs that are joined from this one, as far as their corners can be rounded.
  [[nodiscard]] std::size_t straight_from(std::size_t i) const {
    const leg& first = legs_[i];
    std::size_t last = i;
    while (last < legs_.size() && legs_[last].kind == leg::shape::straight &&
           legs_[last].corner_m == first.corner_m &&
           legs_[last].on_ground.has_value() == first.on_ground.has_value()) {
      ++last;
    }
    return last - i;
  }

  outcome add_straight(std::size_t i, std::size_t taken) {
    const leg& first = legs_[i];
    std::vector<vec3> points;
    std::vector<motion_limits> point_limits;  // up to each
    std::vector<std::size_t> leg_ends;
    for (std::size_t each = i; each < i + taken; ++each) {
      points.insert(points.end(), legs_[each].points.begin(), legs_[each].points.end());
      point_limits.resize(points.size(), legs_[each].limits);
      leg_ends.push_back(points.size());
    }
    const double rounded_m = spot_ ? first.corner_m : std::max(first.corner_m, tightest_corner_m);
    const auto stops = [&](double bend) {
      return bend > about_turn_deg || (rounded_m <= 0 && bend > unnoticed_deg);
    };
    std::vector<double> reached;
    for (std::size_t begin = 0; begin < points.size();) {
      if (distance(way_.end(), points[begin]) < coincident_m) {
        reached.push_back(way_.length());
        ++begin;
        continue;
      }
      const vec3 to = points[begin] - way_.end();
      const auto heading = heading_here();
      if (auto stays = stay_on_track(first, to, heading); !stays) return stays;
      if (heading && !is_vertical(to)) {
        const double bend = std::abs(wrap_degrees(heading_of(to) - *heading));
        if (spot_ && !way_.empty() && stops(bend)) {
          if (auto stopped = stop_here(); !stopped) return stopped;
        } else if (bend > unnoticed_deg) {
          way_.set_limits(point_limits[begin]);
          steer_into(rounded_m, points[begin], *heading);
          own_pieces(first);
        }
      }
      std::size_t end = begin + 1;
      for (vec3 before = way_.end(); end < points.size(); ++end) {
        if (stops(bend_between(before, points[end - 1], points[end]))) break;
        if (distance(points[end - 1], points[end]) > coincident_m) before = points[end - 1];
      }
      way_.add_legs(std::span(points).subspan(begin, end - begin), rounded_m,
                    std::span(point_limits).subspan(begin, end - begin), &reached);
      own_pieces(first);
      begin = end;
      // The legs that end here, or in a following stop.
      for (std::size_t done = 0; done < leg_ends.size() && leg_ends[done] <= begin; ++done) {
        note_marks(i + done + 1, reached[std::max<std::size_t>(leg_ends[done], 1) - 1]);
      }
    }
    return {};
  }

  // Turns from `heading_deg` on an arc towards `target`, so that a straight line can follow.
  void steer_into(double wanted_m, vec3 target, double heading_deg) {
    const vec3 to = target - way_.end();
    const vec3 ahead = direction_of(heading_deg);
    const vec3 left = {-ahead.y, ahead.x, 0};
    const double forward_m = dot(to, ahead);
    const double side_m = dot(to, left);
    const double sign = side_m >= 0 ? 1 : -1;
    const double radius_m = std::min(std::max(wanted_m, 0.5), widest_turn_m(forward_m, side_m));
    if (radius_m < 0.05) return;
    const double sweep = sweep_to_line(radius_m, forward_m, side_m);
    const double to_centre_m = std::hypot(forward_m, radius_m - std::abs(side_m));
    const double total_m =
        radius_m * sweep + std::sqrt(std::max(0.0, to_centre_m * to_centre_m - radius_m * radius_m));
    const double climb_m = total_m > 0 ? to.z * radius_m * sweep / total_m : 0;
    way_.add_arc(way_.end() + left * (sign * radius_m), sign * sweep * degrees_per_radian, climb_m);
  }

  outcome add_curve(const leg& of) {
    const auto heading = heading_here();
    const vec3 to = of.points.front() - way_.end();
    if (auto stays = stay_on_track(of, to, heading_here()); !stays) return stays;
    if (spot_ && heading && !is_vertical(to) &&
        std::abs(wrap_degrees(heading_of(to) - *heading)) > about_turn_deg) {
      if (auto stopped = stop_here(); !stopped) return stopped;
    }
    vec3 leave;
    if (!way_.empty()) {
      leave = way_.end_tangent();
    } else if (const auto kept = heading_here()) {
      leave = direction_of(*kept);
    }
    way_.set_limits(of.limits);
    const vec3 arrive = direction_of(of.arrive_deg.value_or(0));
    way_.add_through(of.points, leave == vec3{} ? nullptr : &leave, of.arrive_deg ? &arrive : nullptr);
    return {};
  }

  // Movements with their own initial heading: Bezier curves and arcs.
  outcome add_drawn(const leg& of) {
    const auto draw = [&](path& on) {
      if (of.kind == leg::shape::bezier) {
        on.add(cubic::bezier(on.end(), of.points[0], of.points[1], of.points[2]));
      } else {
        on.add_arc(of.centre, of.sweep_deg, of.climb_m);
      }
    };
    path alone;
    alone.start_at(way_.end());
    draw(alone);
    const auto heading = heading_here();
    const auto leaves = alone.first_heading_deg();
    if (heading && leaves && std::abs(wrap_degrees(*leaves - *heading)) > unnoticed_deg) {
      if (!spot_) {
        return refuse_at(of.line,
                         fmt::format("{} arrives with heading {:.0f}, but the curve leaves with {:.0f}; a {} "
                                     "cannot turn on the spot",
                                     part_.options_.name, *heading, *leaves, name(part_.options_.kind)));
      }
      if (auto stopped = stop_here(); !stopped) return stopped;
    }
    way_.set_limits(of.limits);
    draw(way_);
    return {};
  }

  plan& part_;
  const std::vector<leg>& legs_;
  const std::vector<pending_mark>& marks_;
  const bool spot_;     // it can turn on the spot
  const bool reverse_;  // the body faces the other way
  path way_;            // since the last stop
  std::vector<const leg*> leg_of_piece_;
  std::vector<run_mark> passed_;
  std::size_t next_mark_ = 0;
};

outcome plan::close() {
  if (open_.empty()) return {};
  // Removed first: after a refusal the plan continues without the movement.
  const std::vector<leg> all = std::exchange(open_, {});
  const std::vector<pending_mark> marks = std::exchange(open_marks_, {});
  return movement(*this, all, marks).make();
}

}  // namespace tickreel::npc
