#include "tickreel/npc/speed_profile.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::npc {

namespace {

// The speed reached over a stretch from `mps` with `rate`.
double reachable(double mps, double rate, double length_m) noexcept {
  return std::sqrt(mps * mps + 2 * rate * length_m);
}

}  // namespace

void speed_profile::solve(std::span<const stretch> stretches, double start_mps, double end_mps) {
  stretches_ = stretches;
  const std::size_t count = stretches.size();
  speeds_.assign(count + 1, 0);
  duration_s_ = 0;
  top_mps_ = 0;
  if (count == 0) return;
  for (std::size_t i = 1; i < count; ++i) {
    speeds_[i] = std::min(stretches[i - 1].limit_mps, stretches[i].limit_mps);
  }
  speeds_[0] = std::min(start_mps, stretches[0].limit_mps);
  speeds_[count] = std::min(end_mps, stretches[count - 1].limit_mps);
  for (std::size_t i = count; i-- > 0;) {
    speeds_[i] =
        std::min(speeds_[i], reachable(speeds_[i + 1], stretches[i].brake_mps2, stretches[i].length_m));
  }
  for (std::size_t i = 0; i < count; ++i) {
    speeds_[i + 1] =
        std::min(speeds_[i + 1], reachable(speeds_[i], stretches[i].accelerate_mps2, stretches[i].length_m));
  }
  begins_s_.assign(1, 0);
  begins_m_.assign(1, 0);
  begins_area_.assign(1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const phases each = of(i);
    const double lasts_s = each.duration_s();
    begins_area_.push_back(begins_area_.back() + begins_m_.back() * lasts_s + each.area_at(lasts_s));
    begins_s_.push_back(begins_s_.back() + lasts_s);
    begins_m_.push_back(begins_m_.back() + stretches[i].length_m);
    top_mps_ = std::max(top_mps_, each.peak_mps);
  }
  duration_s_ = begins_s_.back();
}

std::size_t speed_profile::stretch_at(double t_s, std::size_t& hint) const noexcept {
  hint = std::min(hint, stretches_.size() - 1);
  while (hint + 1 < stretches_.size() && t_s >= begins_s_[hint + 1]) ++hint;
  while (hint > 0 && t_s < begins_s_[hint]) --hint;
  return hint;
}

double speed_profile::distance_at(double t_s, std::size_t& hint) const noexcept {
  const std::size_t i = stretch_at(t_s, hint);
  return begins_m_[i] + of(i).distance_at(t_s - begins_s_[i]);
}

double speed_profile::area_at(double t_s, std::size_t& hint) const noexcept {
  const std::size_t i = stretch_at(t_s, hint);
  const double inside_s = t_s - begins_s_[i];
  return begins_area_[i] + begins_m_[i] * inside_s + of(i).area_at(inside_s);
}

double speed_profile::loop_speed(std::span<const stretch> stretches) {
  if (stretches.empty()) return 0;
  double seam = std::min(stretches.front().limit_mps, stretches.back().limit_mps);
  // Each round lowers the speed at the seam to what both ends allow; the second only corrects rounding.
  for (int round = 0; round < 3; ++round) {
    speed_profile profile;
    profile.solve(stretches, seam, seam);
    seam = std::min(profile.start_mps(), profile.end_mps());
  }
  return seam;
}

double speed_profile::entry_limit(std::span<const stretch> stretches, double end_mps) {
  double limit = end_mps;
  for (std::size_t i = stretches.size(); i-- > 0;) {
    limit = std::min(
        reachable(std::min(limit, stretches[i].limit_mps), stretches[i].brake_mps2, stretches[i].length_m),
        stretches[i].limit_mps);
  }
  return limit;
}

speed_profile::phases speed_profile::of(std::size_t index) const noexcept {
  const stretch& over = stretches_[index];
  const double begin = speeds_[index];
  const double end = speeds_[index + 1];
  const double a = over.accelerate_mps2;
  const double b = over.brake_mps2;
  const double peak_2 = (2 * a * b * over.length_m + b * begin * begin + a * end * end) / (a + b);
  phases result;
  result.start_mps = begin;
  result.peak_mps = std::max({std::min(std::sqrt(peak_2), over.limit_mps), begin, end});
  result.accelerate_mps2 = a;
  result.brake_mps2 = b;
  result.length_m = over.length_m;
  result.accelerate_s = (result.peak_mps - begin) / a;
  result.brake_s = (result.peak_mps - end) / b;
  const double cruise_m = over.length_m - (begin + result.peak_mps) / 2 * result.accelerate_s -
                          (end + result.peak_mps) / 2 * result.brake_s;
  result.cruise_s = std::max(0.0, cruise_m) / std::max(result.peak_mps, 1e-9);
  return result;
}

double speed_profile::phases::distance_at(double t_s) const noexcept {
  if (t_s <= accelerate_s) return (start_mps + accelerate_mps2 * t_s / 2) * t_s;
  const double accelerated_m = (start_mps + peak_mps) / 2 * accelerate_s;
  if (t_s <= accelerate_s + cruise_s) return accelerated_m + peak_mps * (t_s - accelerate_s);
  const double braking_s = std::min(t_s - accelerate_s - cruise_s, brake_s);
  return std::min(length_m,
                  accelerated_m + peak_mps * cruise_s + (peak_mps - brake_mps2 * braking_s / 2) * braking_s);
}

double speed_profile::phases::area_at(double t_s) const noexcept {
  const double first_s = std::min(t_s, accelerate_s);
  double area = (start_mps / 2 + accelerate_mps2 * first_s / 6) * first_s * first_s;
  if (t_s <= accelerate_s) return area;
  const double accelerated_m = (start_mps + peak_mps) / 2 * accelerate_s;
  const double second_s = std::min(t_s - accelerate_s, cruise_s);
  area += (accelerated_m + peak_mps * second_s / 2) * second_s;
  if (t_s <= accelerate_s + cruise_s) return area;
  const double cruised_m = accelerated_m + peak_mps * cruise_s;
  const double third_s = std::min(t_s - accelerate_s - cruise_s, brake_s);
  return area + (cruised_m + (peak_mps / 2 - brake_mps2 * third_s / 6) * third_s) * third_s;
}

double speed_profile::phases::time_at(double s_m) const noexcept {
  const double accelerated_m = (start_mps + peak_mps) / 2 * accelerate_s;
  if (s_m <= accelerated_m) {
    return (std::sqrt(start_mps * start_mps + 2 * accelerate_mps2 * std::max(s_m, 0.0)) - start_mps) /
           accelerate_mps2;
  }
  const double cruised_m = peak_mps * cruise_s;
  if (s_m <= accelerated_m + cruised_m) return accelerate_s + (s_m - accelerated_m) / peak_mps;
  const double left = std::max(0.0, peak_mps * peak_mps - 2 * brake_mps2 * (s_m - accelerated_m - cruised_m));
  return std::min(accelerate_s + cruise_s + (peak_mps - std::sqrt(left)) / brake_mps2, duration_s());
}

}  // namespace tickreel::npc
