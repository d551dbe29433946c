// A movement along a path from stop to stop, alone or in a convoy, once or in laps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "tickreel/npc/path.hpp"
#include "tickreel/npc/speed_profile.hpp"

namespace tickreel::npc {

struct run {
  std::shared_ptr<const path> along;
  // Where the leader of a convoy (or who moves alone) starts and stops.
  double begin_m = 0;
  double end_m = 0;
  // Over and over; the path must be closed then, and begin and end be its ends.
  std::uint32_t laps = 1;
  // Starts and ends at the speed of the loop instead of standing, so that the recording itself can be played
  // over and over.
  bool rolling = false;
  // Convoy: this member is so far behind the leader, who slows down for the bends of `members` in all.
  double behind_m = 0;
  double spacing_m = 0;
  std::uint32_t members = 1;
  // Rolling: the duration becomes a multiple of it, so that the last step is as long as the others.
  double step_s = 0.05;

  [[nodiscard]] double lap_m() const noexcept { return end_m - begin_m; }
  [[nodiscard]] double length_m() const noexcept { return lap_m() * laps; }
};

// Where the run is at times that rise. Memory in proportion to one lap's path, whatever the number of laps.
class run_cursor {
 public:
  explicit run_cursor(const run& what);

  [[nodiscard]] double duration_s() const noexcept { return duration_s_; }
  [[nodiscard]] double top_mps() const noexcept { return top_mps_; }
  // When the leader has gone `distance_m` since the start.
  [[nodiscard]] double time_at(double distance_m);

  struct place {
    path_point point;
    double distance_m = 0;  // gone by the leader since the start
    double speed_mps = 0;
    double turn_rate_dps = 0;  // the limit here
  };
  // `t_s` since the start, not before the last one asked for.
  [[nodiscard]] place at(double t_s) noexcept;
  void rewind();

 private:
  // Solves lap `number` when it differs from the one before.
  void enter_lap(std::uint32_t number);
  [[nodiscard]] double exit_cap(std::uint32_t number) const noexcept;
  [[nodiscard]] path_point point_at(double leader_m) noexcept;
  void measure();

  run run_;
  std::vector<stretch> stretches_;
  speed_profile profile_;
  std::vector<double> exit_caps_;  // of the last laps, the very last one first; then the loop's speed
  double loop_mps_ = 0;
  double entry_mps_ = 0;
  double solved_entry_ = -1;
  double solved_exit_ = -1;

  path_cursor places_;
  std::uint32_t lap_ = 0;
  std::size_t index_ = 0;
  double index_begins_s_ = 0;  // on the profile's clock
  double index_begins_m_ = 0;
  speed_profile::phases now_;
  double duration_s_ = 0;
  double top_mps_ = 0;
  double pace_ = 1;  // profile seconds in a second
};

}  // namespace tickreel::npc
