#include "tickreel/npc/run.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::npc {

solved_run::solved_run(const run& what)
    : stretches_(stretches_of(what)),
      rolling_(what.rolling),
      lap_m_(what.lap_m()),
      total_m_(what.length_m()),
      window_s_(what.manners.smooth_s) {
  const bool loops = what.laps > 1 || rolling_;
  const double loop_mps = loops ? speed_profile::loop_speed(stretches_) : 0;
  const double entry_mps = rolling_ ? loop_mps : what.start_mps;
  // Braking for the end may begin laps before it: the speeds at the ends of the last laps, the very last
  // first.
  std::vector<double> exits = {rolling_ ? loop_mps : what.end_mps};
  while (exits.size() < what.laps && exits.back() < loop_mps) {
    exits.push_back(std::min(speed_profile::entry_limit(stretches_, exits.back()), loop_mps));
  }
  const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(exits.size(), what.laps));
  const std::uint32_t steady = what.laps - last;
  double speed_mps = entry_mps;
  if (steady > 0) {
    // The first lap accelerates to the loop's speed, which the others keep.
    add_laps(0, 1, entry_mps, loop_mps);
    speed_mps = profiles_.back().end_mps();
    if (steady > 1) {
      add_laps(1, steady - 1, speed_mps, loop_mps);
      speed_mps = profiles_.back().end_mps();
    }
  }
  for (std::uint32_t lap = steady; lap < what.laps; ++lap) {
    add_laps(lap, 1, speed_mps, exits[what.laps - 1 - lap]);
    speed_mps = profiles_.back().end_mps();
  }
  start_mps_ = profiles_.front().start_mps();
  end_mps_ = profiles_.back().end_mps();
  if (rolling_) {
    const double whole = std::max(1.0, std::ceil(profile_s_ / what.step_s - 1e-9)) * what.step_s;
    pace_ = profile_s_ / whole;
    duration_s_ = whole;
  } else {
    // From rest, the first speed is reached over the window, half of which is before the profile.
    begins_s_ = start_mps_ > 0 ? 0 : -window_s_ / 2;
    duration_s_ = profile_s_ - begins_s_ + (end_mps_ > 0 ? 0 : window_s_ / 2);
  }
  top_mps_ *= pace_;
}

void solved_run::add_laps(std::uint32_t first, std::uint32_t count, double entry_mps, double exit_mps) {
  if (profiles_.empty() || profiles_.back().start_mps() != entry_mps ||
      profiles_.back().end_mps() != exit_mps) {
    profiles_.emplace_back();
    profiles_.back().solve(stretches_, entry_mps, exit_mps);
  }
  groups_.push_back(
      {profile_s_, static_cast<double>(first), static_cast<double>(count), profiles_.size() - 1});
  profile_s_ += profiles_.back().duration_s() * count;
  top_mps_ = std::max(top_mps_, profiles_.back().top_mps());
}

const solved_run::lap_group& solved_run::group_at(double u_s) const noexcept {
  const auto next_group = std::upper_bound(groups_.begin(), groups_.end(), u_s,
                                           [](double u, const lap_group& each) { return u < each.begin_s; });
  return next_group == groups_.begin() ? groups_.front() : *(next_group - 1);
}

namespace {

// The group's lap at a time; outside of them for a loop that rolls on.
double lap_of(double inside_s, double lap_s, double count, bool rolls_on) noexcept {
  if (!(lap_s > 0)) return 0;
  const double lap = std::floor(inside_s / lap_s + 1e-12);
  return rolls_on ? lap : std::clamp(lap, 0.0, count - 1);
}

}  // namespace

double solved_run::raw_at(double u_s, std::size_t& hint) const noexcept {
  if (!rolling_ && u_s <= 0) return start_mps_ * u_s;
  if (!rolling_ && u_s >= profile_s_) return total_m_ + end_mps_ * (u_s - profile_s_);
  const lap_group& in = group_at(u_s);
  const speed_profile& lap = profiles_[in.profile];
  const double number = lap_of(u_s - in.begin_s, lap.duration_s(), in.count, rolling_);
  const double inside_s = u_s - in.begin_s - number * lap.duration_s();
  return lap.distance_at(inside_s, hint) + (in.first + number) * lap_m_;
}

double solved_run::area_between(double from_s, double to_s, hints& near) const noexcept {
  double area = 0;
  if (!rolling_ && from_s < 0) {
    const double until_s = std::min(to_s, 0.0);
    area += start_mps_ * (until_s * until_s - from_s * from_s) / 2;
    from_s = until_s;
  }
  if (!rolling_ && to_s > profile_s_) {
    const double since_s = std::max(from_s, profile_s_);
    const double a = since_s - profile_s_;
    const double b = to_s - profile_s_;
    area += total_m_ * (b - a) + end_mps_ * (b * b - a * a) / 2;
    to_s = since_s;
  }
  // A window may span several short laps; more than a few means a loop without length.
  for (int laps = 0; from_s < to_s && laps < 1000; ++laps) {
    const lap_group& in = group_at(from_s);
    const speed_profile& lap = profiles_[in.profile];
    const double number = lap_of(from_s - in.begin_s, lap.duration_s(), in.count, rolling_);
    const double begin_s = in.begin_s + number * lap.duration_s();
    double until_s = std::min(to_s, begin_s + lap.duration_s());
    if (until_s <= from_s) until_s = to_s;
    area += lap.area_at(std::min(until_s - begin_s, lap.duration_s()), near.end) -
            lap.area_at(std::max(from_s - begin_s, 0.0), near.begin) +
            (in.first + number) * lap_m_ * (until_s - from_s);
    from_s = until_s;
  }
  return area;
}

solved_run::place solved_run::at(double t_s, hints& near) const noexcept {
  const double u = begins_s_ + std::clamp(t_s, 0.0, duration_s_) * pace_;
  if (!(window_s_ > 0)) {
    constexpr double look_s = 1e-4;
    const double here_m = raw_at(u, near.begin);
    return {here_m, (raw_at(u + look_s, near.end) - here_m) / look_s * pace_};
  }
  const double from_s = u - window_s_ / 2;
  const double to_s = u + window_s_ / 2;
  place result;
  result.distance_m = area_between(from_s, to_s, near) / window_s_;
  result.speed_mps = (raw_at(to_s, near.end) - raw_at(from_s, near.begin)) / window_s_ * pace_;
  return result;
}

double solved_run::time_at(double distance_m) const noexcept {
  double low_s = 0;
  double high_s = duration_s_;
  hints near;
  // Halving 60 times separates any two instants.
  for (int i = 0; i < 60 && high_s - low_s > 1e-6; ++i) {
    const double middle_s = (low_s + high_s) / 2;
    (at(middle_s, near).distance_m < distance_m ? low_s : high_s) = middle_s;
  }
  return high_s;
}

namespace {

std::shared_ptr<const solved_run> solved(const run& what) {
  if (what.shared != nullptr && *what.shared != nullptr) return *what.shared;
  auto made = std::make_shared<const solved_run>(what);
  if (what.shared != nullptr) *what.shared = made;
  return made;
}

}  // namespace

run_cursor::run_cursor(const run& what) : run_(what), solved_(solved(what)), places_(*run_.along) {}

run_cursor::place run_cursor::at(double t_s) noexcept {
  const solved_run::place gone = solved_->at(t_s, near_);
  place result;
  result.distance_m = gone.distance_m;
  result.speed_mps = gone.speed_mps;
  double at_m = run_.begin_m + gone.distance_m - run_.lag_m;
  // Wraps into one lap; an open path is clamped at its end.
  if (run_.along->closed() && (run_.laps > 1 || run_.rolling || at_m < 0)) {
    const double whole = run_.along->length();
    const bool at_end = !run_.rolling && gone.distance_m >= run_.length_m();
    at_m -= std::floor(at_m / whole) * whole;
    if (at_end && run_.lag_m == 0) at_m = whole;
  }
  result.point = places_.at(at_m);
  result.turn_rate_dps = places_.limits().turn_rate_dps;
  return result;
}

}  // namespace tickreel::npc
