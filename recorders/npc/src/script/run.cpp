#include "tickreel/npc/run.hpp"

#include <algorithm>
#include <cmath>

namespace tickreel::npc {

namespace {

// The lowest limit among what the members of a convoy are on while the leader is from `begin` to `end`.
double convoy_limit(const run& what, const std::vector<double>& limits, double begin, double end,
                    bool closed) {
  const auto intervals = what.along->intervals();
  const double whole = what.along->length();
  double lowest = 1e9;
  for (std::uint32_t member = 0; member < what.members; ++member) {
    double from = begin - member * what.spacing_m;
    double to = end - member * what.spacing_m;
    if (closed) {
      const double shift = std::floor(from / whole) * whole;
      from -= shift;
      to -= shift;
    }
    auto it = std::upper_bound(intervals.begin(), intervals.end(), std::max(from, 0.0),
                               [](double s, const path::interval& each) { return s < each.begin_m; });
    auto index = static_cast<std::size_t>(std::max<std::ptrdiff_t>(it - intervals.begin() - 1, 0));
    for (std::size_t seen = 0; seen < intervals.size(); ++seen) {
      lowest = std::min(lowest, limits[index]);
      const double ends = intervals[index].begin_m + intervals[index].length_m;
      if (ends >= to - 1e-9) break;
      if (++index == intervals.size()) {
        if (!closed) break;
        index = 0;
        to -= whole;
      }
    }
  }
  return lowest;
}

std::vector<stretch> stretches_of(const run& what) {
  const path& along = *what.along;
  const auto intervals = along.intervals();
  std::vector<double> limits;
  limits.reserve(intervals.size());
  for (const path::interval& each : intervals) limits.push_back(along.speed_limit(each));
  const bool closed = along.closed() && what.begin_m == 0;
  std::vector<stretch> result;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    const path::interval& each = intervals[i];
    const double begin = std::max(each.begin_m, what.begin_m);
    const double end = std::min(each.begin_m + each.length_m, what.end_m);
    if (end - begin < 1e-9) continue;
    const motion_limits& of = along.limits_of(each);
    if (what.members <= 1) {
      result.push_back({end - begin, limits[i], of.accelerate_mps2, of.brake_mps2});
      continue;
    }
    // In a convoy a limit ends where the last member is past it: look more often than the path bends.
    constexpr double look_m = 2;
    const int parts = std::clamp(static_cast<int>(std::ceil((end - begin) / look_m)), 1, 4096);
    for (int part = 0; part < parts; ++part) {
      const double a = begin + (end - begin) * part / parts;
      const double b = begin + (end - begin) * (part + 1) / parts;
      result.push_back({b - a, convoy_limit(what, limits, a, b, closed), of.accelerate_mps2, of.brake_mps2});
    }
  }
  return result;
}

}  // namespace

run_cursor::run_cursor(const run& what) : run_(what), stretches_(stretches_of(what)), places_(*run_.along) {
  const bool loops = run_.laps > 1 || run_.rolling;
  loop_mps_ = loops ? speed_profile::loop_speed(stretches_) : 0;
  entry_mps_ = run_.rolling ? loop_mps_ : 0;
  // Braking for the end may begin laps before it.
  double cap = run_.rolling ? loop_mps_ : 0;
  while (exit_caps_.size() < run_.laps) {
    exit_caps_.push_back(cap);
    if (cap >= loop_mps_) break;
    cap = std::min(speed_profile::entry_limit(stretches_, cap), loop_mps_);
  }
  measure();
  rewind();
}

double run_cursor::exit_cap(std::uint32_t number) const noexcept {
  const std::size_t from_end = run_.laps - 1 - number;
  return from_end < exit_caps_.size() ? exit_caps_[from_end] : loop_mps_;
}

void run_cursor::enter_lap(std::uint32_t number) {
  const double entry = number == 0 ? entry_mps_ : profile_.end_mps();
  const double exit = exit_cap(number);
  if (entry != solved_entry_ || exit != solved_exit_) {
    profile_.solve(stretches_, entry, exit);
    solved_entry_ = entry;
    solved_exit_ = exit;
  }
  lap_ = number;
}

void run_cursor::measure() {
  for (std::uint32_t lap = 0; lap < run_.laps; ++lap) {
    enter_lap(lap);
    duration_s_ += profile_.duration_s();
    top_mps_ = std::max(top_mps_, profile_.top_mps());
    if (profile_.start_mps() != profile_.end_mps()) continue;
    // A lap that ends as it began is driven again and again until braking begins.
    const std::uint32_t same_until =
        run_.laps > exit_caps_.size() ? run_.laps - static_cast<std::uint32_t>(exit_caps_.size()) : 0;
    if (lap + 1 < same_until && exit_cap(lap) == loop_mps_) {
      duration_s_ += profile_.duration_s() * (same_until - lap - 1);
      lap = same_until - 1;
    }
  }
  if (run_.rolling && run_.step_s > 0 && duration_s_ > 0) {
    const double whole = std::max(1.0, std::ceil(duration_s_ / run_.step_s - 1e-9)) * run_.step_s;
    pace_ = duration_s_ / whole;
    duration_s_ = whole;
  }
}

void run_cursor::rewind() {
  solved_entry_ = -1;
  enter_lap(0);
  index_ = 0;
  index_begins_s_ = 0;
  index_begins_m_ = 0;
  now_ = profile_.size() == 0 ? speed_profile::phases{} : profile_.of(0);
}

path_point run_cursor::point_at(double leader_m) noexcept {
  double at_m = leader_m - run_.behind_m;
  if (at_m < 0 && run_.along->closed()) at_m += run_.along->length();
  return places_.at(at_m);
}

run_cursor::place run_cursor::at(double t_s) noexcept {
  const double t = std::clamp(t_s, 0.0, duration_s_) * pace_;
  while (t > index_begins_s_ + now_.duration_s()) {
    const bool last = index_ + 1 >= profile_.size();
    if (last && lap_ + 1 >= run_.laps) break;
    index_begins_s_ += now_.duration_s();
    index_begins_m_ += now_.length_m;
    if (last) {
      enter_lap(lap_ + 1);
      index_ = 0;
      index_begins_m_ = 0;
    } else {
      ++index_;
    }
    now_ = profile_.of(index_);
  }
  const double inside_s = std::min(t - index_begins_s_, now_.duration_s());
  const double in_lap_m = index_begins_m_ + now_.distance_at(inside_s);
  place result;
  result.point = point_at(run_.begin_m + in_lap_m);
  result.turn_rate_dps = places_.limits().turn_rate_dps;
  result.distance_m = in_lap_m + run_.lap_m() * lap_;
  result.speed_mps = now_.speed_at(inside_s) * pace_;
  return result;
}

double run_cursor::time_at(double distance_m) {
  rewind();
  double begin_s = 0;
  double left_m = std::clamp(distance_m, 0.0, run_.length_m());
  for (std::uint32_t lap = 0; lap < run_.laps; ++lap) {
    enter_lap(lap);
    if (left_m > run_.lap_m() && lap + 1 < run_.laps) {
      left_m -= run_.lap_m();
      begin_s += profile_.duration_s();
      continue;
    }
    for (std::size_t i = 0; i < profile_.size(); ++i) {
      const speed_profile::phases each = profile_.of(i);
      if (left_m <= each.length_m || i + 1 == profile_.size()) {
        rewind();
        return std::min((begin_s + each.time_at(left_m)) / pace_, duration_s_);
      }
      left_m -= each.length_m;
      begin_s += each.duration_s();
    }
  }
  rewind();
  return duration_s_;
}

}  // namespace tickreel::npc
