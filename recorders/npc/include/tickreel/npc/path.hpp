// The path of an actor: cubic pieces joined end to end, parametrised by arc length. Straight legs, arcs,
// Bezier and Catmull-Rom curves all become cubics, so that measurement and evaluation have one
// implementation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tickreel/npc/vec3.hpp"

namespace tickreel::npc {

// p(u) = c0 + u (c1 + u (c2 + u c3)), u from 0 to 1.
struct cubic {
  vec3 c0;
  vec3 c1;
  vec3 c2;
  vec3 c3;

  [[nodiscard]] constexpr vec3 at(double u) const noexcept { return c0 + u * (c1 + u * (c2 + u * c3)); }
  [[nodiscard]] constexpr vec3 first(double u) const noexcept { return c1 + u * (2 * c2 + (3 * u) * c3); }
  [[nodiscard]] constexpr vec3 second(double u) const noexcept { return 2 * c2 + (6 * u) * c3; }
  [[nodiscard]] constexpr vec3 start() const noexcept { return c0; }
  [[nodiscard]] constexpr vec3 end() const noexcept { return c0 + c1 + c2 + c3; }

  static cubic line(vec3 from, vec3 to) noexcept { return {from, to - from, {}, {}}; }
  static cubic bezier(vec3 from, vec3 control_1, vec3 control_2, vec3 to) noexcept;
  // With these derivatives by u at the begin and the end.
  static cubic hermite(vec3 from, vec3 leave, vec3 to, vec3 arrive) noexcept;
};

// Limits of the motion on a stretch. Metres, seconds, degrees.
struct motion_limits {
  double speed_mps = 10;
  double accelerate_mps2 = 3;
  double brake_mps2 = 4;
  double lateral_mps2 = 5;     // across the direction of travel, in curves
  double turn_rate_dps = 180;  // of the heading
  double pitch_rate_dps = 60;  // of the slope; 0: unlimited
  friend bool operator==(const motion_limits&, const motion_limits&) noexcept = default;
};

// Properties of the path at one place.
struct path_point {
  vec3 position;
  vec3 tangent;  // unit length

  // An almost vertical path has no heading.
  [[nodiscard]] bool has_heading() const noexcept { return horizontal_length(tangent) > 0.05; }
};

// Immutable once measured; readable from several threads, each with its own path_cursor.
class path {
 public:
  // Adds a piece that must join the end; pieces shorter than a micrometre are skipped. `limits` applies to
  // later pieces.
  void set_limits(const motion_limits& limits);
  void add(const cubic& piece);
  void add_line(vec3 to);
  // Around a vertical axis through `centre`, counter-clockwise for a positive angle, with constant climb.
  // Within 1e-6 of the radius of a true arc.
  void add_arc(vec3 centre, double sweep_deg, double climb_m);
  // The start of the first piece; required before add_line and add_arc.
  void start_at(vec3 position) noexcept { end_ = position; }

  // A centripetal Catmull-Rom curve through `points`, from the path's end. Directions at the ends are
  // optional (any length but 0). Repeated points count once.
  void add_through(std::span<const vec3> points, const vec3* leave = nullptr, const vec3* arrive = nullptr);
  // The closed curve through the path's end and `points` and back.
  void add_loop_through(std::span<const vec3> points);
  // Straight legs from the path's end; corners become arcs of at most this radius that take at most half of
  // either leg. `closed`: back to the start, whose corner is rounded too, so that the path starts on the leg.
  // `limits`, if given, has one entry per point, for the leg that ends there. `reached`, if given, gets the
  // arc length at which each point, or the middle of its corner, is passed.
  void add_legs(std::span<const vec3> points, double corner_radius_m,
                std::span<const motion_limits> limits = {}, std::vector<double>* reached = nullptr);
  // `through_start`: passes exactly through the path's end on a wider bend, where a rounded corner would cut
  // it off.
  void add_closed_legs(std::span<const vec3> points, double corner_radius_m, bool through_start = false);

  [[nodiscard]] bool empty() const noexcept { return intervals_.empty(); }
  [[nodiscard]] double length() const noexcept { return length_; }
  [[nodiscard]] vec3 start() const noexcept { return empty() ? end_ : pieces_.front().start(); }
  [[nodiscard]] vec3 end() const noexcept { return end_; }
  [[nodiscard]] vec3 start_tangent() const noexcept;
  [[nodiscard]] vec3 end_tangent() const noexcept;
  // The heading of the first and last stretch that has one; nullopt if the path is vertical.
  [[nodiscard]] std::optional<double> first_heading_deg() const noexcept;
  [[nodiscard]] std::optional<double> last_heading_deg() const noexcept;
  // The end meets the start, in place and direction.
  [[nodiscard]] bool closed() const noexcept;

  [[nodiscard]] std::span<const cubic> pieces() const noexcept { return pieces_; }
  // The change of direction in degrees at the start of piece `index`; 0 for the first.
  [[nodiscard]] double bend_before(std::size_t index) const noexcept;
  // Arc length at which piece `index` starts.
  [[nodiscard]] double start_of(std::size_t index) const noexcept;

  // A stretch inside one piece in which arc length is a smooth function of u.
  struct interval {
    double begin_m = 0;
    double length_m = 0;
    double u_begin = 0;
    double u_end = 0;
    double du_begin = 0;  // du/ds times length_m at either end
    double du_end = 0;
    std::uint32_t piece = 0;
    std::uint32_t limits = 0;
  };
  [[nodiscard]] std::span<const interval> intervals() const noexcept { return intervals_; }
  [[nodiscard]] const motion_limits& limits_of(const interval& stretch) const noexcept {
    return limits_[stretch.limits];
  }
  [[nodiscard]] bool is_straight(const interval& stretch) const noexcept;
  [[nodiscard]] path_point at(const interval& stretch, double into_m) const noexcept;

 private:
  void add_interval(const cubic& piece, double u_begin, double u_end, int depth);

  std::vector<cubic> pieces_;
  std::vector<interval> intervals_;
  std::vector<motion_limits> limits_ = std::vector<motion_limits>(1);
  std::vector<std::uint32_t> first_interval_;
  double length_ = 0;
  vec3 end_;
};

// Finds places that increase or decrease along the path, in constant time for small steps.
class path_cursor {
 public:
  explicit path_cursor(const path& along) noexcept : path_(&along) {}
  // `s_m` is clamped to the path.
  [[nodiscard]] path_point at(double s_m) noexcept;
  // Of the place that at() found last.
  [[nodiscard]] const motion_limits& limits() const noexcept {
    return path_->limits_of(path_->intervals()[interval_]);
  }

 private:
  const path* path_;
  std::size_t interval_ = 0;
};

}  // namespace tickreel::npc
