// Speed along a path: as high as its limits allow, with limited acceleration and braking.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace tickreel::npc {

// A stretch of a path with one speed limit.
struct stretch {
  double length_m = 0;
  double limit_mps = 0;
  double accelerate_mps2 = 0;
  double brake_mps2 = 0;
};

// From stop to stop, or with given speeds at the ends. Within a stretch the actor accelerates, keeps its
// speed and brakes; solved exactly, without time steps.
class speed_profile {
 public:
  // The speeds at the ends are reduced where the limits require it. All lengths, limits and accelerations are
  // above 0. The span must outlive this object.
  void solve(std::span<const stretch> stretches, double start_mps, double end_mps);

  [[nodiscard]] double start_mps() const noexcept { return speeds_.empty() ? 0 : speeds_.front(); }
  [[nodiscard]] double end_mps() const noexcept { return speeds_.empty() ? 0 : speeds_.back(); }
  [[nodiscard]] double duration_s() const noexcept { return duration_s_; }
  [[nodiscard]] double top_mps() const noexcept { return top_mps_; }

  // The speed at which a loop over these stretches can be entered and left repeatedly.
  [[nodiscard]] static double loop_speed(std::span<const stretch> stretches);
  // The highest speed at the start from which `end_mps` can be reached.
  [[nodiscard]] static double entry_limit(std::span<const stretch> stretches, double end_mps);

  [[nodiscard]] double length_m() const noexcept { return begins_m_.empty() ? 0 : begins_m_.back(); }
  // The distance after a time within the duration, and its integral from the start. `hint` is the result of
  // the last look-up, so that neighbouring times are found immediately.
  [[nodiscard]] double distance_at(double t_s, std::size_t& hint) const noexcept;
  [[nodiscard]] double area_at(double t_s, std::size_t& hint) const noexcept;

  // Three phases of one stretch.
  struct phases {
    double start_mps = 0;
    double peak_mps = 0;
    double accelerate_mps2 = 0;
    double brake_mps2 = 0;
    double accelerate_s = 0;
    double cruise_s = 0;
    double brake_s = 0;
    double length_m = 0;

    [[nodiscard]] double duration_s() const noexcept { return accelerate_s + cruise_s + brake_s; }
    [[nodiscard]] double distance_at(double t_s) const noexcept;
    // The integral of distance_at() from 0 to `t_s`.
    [[nodiscard]] double area_at(double t_s) const noexcept;
    // The time at which `s_m` is reached.
    [[nodiscard]] double time_at(double s_m) const noexcept;
  };
  [[nodiscard]] phases of(std::size_t index) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return stretches_.size(); }

 private:
  [[nodiscard]] std::size_t stretch_at(double t_s, std::size_t& hint) const noexcept;

  std::span<const stretch> stretches_;
  std::vector<double> speeds_;  // one more than stretches, as are the next three
  std::vector<double> begins_s_;
  std::vector<double> begins_m_;
  std::vector<double> begins_area_;
  double duration_s_ = 0;
  double top_mps_ = 0;
};

}  // namespace tickreel::npc
