// Compares the velocities of a whole recording with its movement.
#pragma once

#include "check_math.hpp"
#include "tickreel/samp_rec/check.hpp"

namespace tickreel::samp_rec::detail {

struct wrong_scale {
  const char* detail = nullptr;  // null: no finding
  double measured = 0;           // m/s per unit of the recorded velocities
};

class velocity_scale {
 public:
  // A step from block to block without a jump or a gap; the mean of both velocities is in m/s.
  void add(way moved, double distance_m, way mean, double mean_speed, double step_s) noexcept {
    moved_m_ += distance_m;
    carried_m_ += mean_speed * step_s;
    if (distance_m > 0) {
      const way along = mean * (step_s / distance_m);
      carried_along_m_ += moved.x * along.x + moved.y * along.y + moved.z * along.z;
    }
  }

  [[nodiscard]] wrong_scale judge(const spread& displacement, const check_options& options) const noexcept {
    // A distance and a share of it that lateness cannot explain.
    constexpr double enough_m = 20, missing_share = 0.1, reversed_share = -0.5;
    const bool is_missing = carried_m_ < missing_share * moved_m_;
    const bool is_reversed = carried_along_m_ < reversed_share * moved_m_;
    if (moved_m_ > enough_m && (is_missing || is_reversed)) {
      const double share = (is_missing ? carried_m_ : carried_along_m_) / moved_m_;
      return {is_missing ? "the velocities are missing: players see no movement"
                         : "the velocities point backwards",
              share * m_per_s_per_unit};
    }
    const double off = displacement.median / m_per_s_per_unit;
    if (displacement.count < options.speed_scale_steps ||
        (off < 1 + options.speed_scale_tolerance && off > 1 / (1 + options.speed_scale_tolerance))) {
      return {};
    }
    return {off > 1 ? "all velocities are too small" : "all velocities are too large", displacement.median};
  }

 private:
  double moved_m_ = 0;
  double carried_m_ = 0;        // by the velocities
  double carried_along_m_ = 0;  // of it, in the direction of the movement; below 0: opposite to it
};

}  // namespace tickreel::samp_rec::detail
