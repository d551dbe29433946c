#include "latency.hpp"

#include <algorithm>
#include <thread>

namespace tickreel::bench {

percentiles latency_samples::summarise(const cycle_clock& clock) {
  percentiles out;
  out.samples = cycles_.size();
  if (cycles_.empty()) return out;
  std::sort(cycles_.begin(), cycles_.end());
  // The smallest sample that at least this share of all samples does not exceed.
  const auto at = [&](double share) {
    const double rank = share * static_cast<double>(cycles_.size());
    const auto index = std::min(static_cast<std::size_t>(rank), cycles_.size() - 1);
    const std::uint64_t cycles = cycles_[index];
    return clock.nanoseconds(cycles - std::min(cycles, clock.overhead_cycles()));
  };
  out.p50 = at(0.5);
  out.p90 = at(0.9);
  out.p99 = at(0.99);
  out.p999 = at(0.999);
  out.max = at(1);
  return out;
}

boost::json::object to_json(const percentiles& from) {
  return {{"p50_ns", from.p50},   {"p90_ns", from.p90}, {"p99_ns", from.p99},
          {"p999_ns", from.p999}, {"max_ns", from.max}, {"samples", from.samples}};
}

percentiles ratio(const percentiles& value, const percentiles& bound) {
  const auto divide = [](double a, double b) { return b > 0 ? a / b : 0; };
  return {divide(value.p50, bound.p50),   divide(value.p90, bound.p90), divide(value.p99, bound.p99),
          divide(value.p999, bound.p999), divide(value.max, bound.max), value.samples};
}

boost::json::object ratio_to_json(const percentiles& ratio) {
  return {
      {"p50", ratio.p50}, {"p90", ratio.p90}, {"p99", ratio.p99}, {"p999", ratio.p999}, {"max", ratio.max}};
}

tick_schedule::tick_schedule(const cycle_clock& clock, std::uint32_t rate_hz) noexcept : clock_(&clock) {
  if (rate_hz != 0) period_ = clock.cycles(std::chrono::nanoseconds(1'000'000'000 / rate_hz));
  next_ = cycle_clock::now();
}

void tick_schedule::wait() noexcept {
  if (period_ == 0) return;
  const std::uint64_t now = cycle_clock::now();
  next_ = std::max(next_ + period_, now);
  // Sleeping is late by the scheduler's measure, so the last millisecond is spun.
  const auto left_ns = static_cast<std::int64_t>(clock_->nanoseconds(next_ - now));
  if (left_ns > 1'500'000) std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns - 1'000'000));
  while (cycle_clock::now() < next_) {}
}

}  // namespace tickreel::bench
