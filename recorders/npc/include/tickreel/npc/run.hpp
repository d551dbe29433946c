// A movement along a path from stop to stop, alone or in a convoy, once or in laps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/npc/path.hpp"
#include "tickreel/npc/speed_profile.hpp"

namespace tickreel::npc {

class solved_run;

// How a body takes bends and changes its speed.
struct run_manners {
  // Speeds are means over this time of what the limits allow, which bounds the jerk: acceleration and braking
  // change gradually over it. 0: immediately.
  double smooth_s = 0.6;
  // Speeds at slow places hold for this time before and after, which avoids short accelerations between two
  // of them.
  double calm_s = 0.8;
  // The curvature that limits the speed is that between front and rear.
  double wheelbase_m = 3;
};

struct run {
  std::shared_ptr<const path> along;
  // The start and end of a convoy's leader (or a single actor).
  double begin_m = 0;
  double end_m = 0;
  // In laps; the path must be closed then, and begin and end must be its ends.
  std::uint32_t laps = 1;
  // Starts and ends at the speed of the loop instead of standing, so that the recording can be repeated.
  bool rolling = false;
  // The speed at the start and the end of a run that does not roll; reduced where bends require it.
  double start_mps = 0;
  double end_mps = 0;
  // Moves backwards along the path.
  bool reverse = false;
  // Convoy: distance of this member from the leader, which slows down for the bends of all `members`.
  double lag_m = 0;
  double spacing_m = 0;
  std::uint32_t members = 1;
  // Rolling: the duration becomes a multiple of it, so that the last step is as long as the others.
  double step_s = 0.05;
  run_manners manners = {};
  // Shared by all members of a convoy, computed by the first cursor. Null: every cursor computes the run
  // itself. One thread only.
  std::shared_ptr<std::shared_ptr<const solved_run>> shared = {};

  [[nodiscard]] double lap_m() const noexcept { return end_m - begin_m; }
  [[nodiscard]] double length_m() const noexcept { return lap_m() * laps; }
};

// The stretches of a run with their speed limits, as input of the solver. Time is proportional to the path,
// whatever the number of members.
[[nodiscard]] std::vector<stretch> stretches_of(const run& what);

// The leader's position over time. Immutable. Memory is proportional to one lap's path, whatever the number
// of laps.
class solved_run {
 public:
  explicit solved_run(const run& what);
  solved_run(const solved_run&) = delete;
  solved_run& operator=(const solved_run&) = delete;

  [[nodiscard]] double duration_s() const noexcept { return duration_s_; }
  [[nodiscard]] double top_mps() const noexcept { return top_mps_; }
  [[nodiscard]] double end_mps() const noexcept { return end_mps_; }

  struct place {
    double distance_m = 0;  // since the start, all laps together
    double speed_mps = 0;
  };
  // Positions of the last look-ups, so that neighbouring times are found immediately.
  struct hints {
    std::size_t begin = 0, end = 0;
  };
  [[nodiscard]] place at(double t_s, hints& nearby) const noexcept;
  [[nodiscard]] double time_at(double distance_m) const noexcept;

 private:
  // A group of laps with the same speeds.
  struct lap_group {
    double begin_s = 0;
    double first = 0;  // number of the first lap
    double count = 0;
    std::size_t profile = 0;
  };
  void add_laps(std::uint32_t first, std::uint32_t count, double entry_mps, double exit_mps);
  [[nodiscard]] const lap_group& group_at(double u_s) const noexcept;
  // Before smoothing, on the profile's clock: the distance at a time, and its integral between two times.
  [[nodiscard]] double raw_at(double u_s, std::size_t& hint) const noexcept;
  [[nodiscard]] double area_between(double from_s, double to_s, hints& nearby) const noexcept;

  std::vector<stretch> stretches_;
  std::vector<speed_profile> profiles_;
  std::vector<lap_group> groups_;
  bool rolling_ = false;
  double lap_m_ = 0;
  double total_m_ = 0;
  double start_mps_ = 0;
  double end_mps_ = 0;
  double profile_s_ = 0;  // of all laps
  double window_s_ = 0;
  double begins_s_ = 0;  // on the profile's clock
  double duration_s_ = 0;
  double top_mps_ = 0;
  double pace_ = 1;  // profile seconds in a second
};

// The state of the run at increasing times.
class run_cursor {
 public:
  explicit run_cursor(const run& what);

  [[nodiscard]] double duration_s() const noexcept { return solved_->duration_s(); }
  [[nodiscard]] double top_mps() const noexcept { return solved_->top_mps(); }
  // When the leader has travelled `distance_m` since the start.
  [[nodiscard]] double time_at(double distance_m) const noexcept { return solved_->time_at(distance_m); }

  struct place {
    path_point point;
    double distance_m = 0;  // travelled by the leader since the start
    double speed_mps = 0;
    double turn_rate_dps = 0;  // the limit here
  };
  // `t_s` since the start; fast for times near the last one.
  [[nodiscard]] place at(double t_s) noexcept;

 private:
  run run_;
  std::shared_ptr<const solved_run> solved_;
  solved_run::hints near_;
  path_cursor places_;
};

}  // namespace tickreel::npc
