#include "latency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <thread>

namespace tickreel::bench {
namespace {

double to_ns(const cycle_clock& clock, std::uint64_t cycles) noexcept {
  return clock.nanoseconds(cycles - std::min(cycles, clock.overhead_cycles()));
}

// The smallest sample that at least this share of all samples does not exceed.
double at_share(std::span<const std::uint64_t> sorted, double share, const cycle_clock& clock) noexcept {
  const double rank = share * static_cast<double>(sorted.size());
  return to_ns(clock, sorted[std::min(static_cast<std::size_t>(rank), sorted.size() - 1)]);
}

void widen(spread& range, double value, bool first) noexcept {
  range.least = first ? value : std::min(range.least, value);
  range.most = first ? value : std::max(range.most, value);
}

// Four buckets double the time.
double upper_of(int bucket) noexcept {
  return std::exp2(bucket / 4.0);
}

}  // namespace

percentiles latency_samples::summarise(const cycle_clock& clock) {
  percentiles out;
  out.samples = cycles_.size();
  if (cycles_.empty()) return out;
  constexpr std::size_t parts = 5;
  if (cycles_.size() >= parts) {
    for (std::size_t part = 0; part < parts; ++part) {
      const std::size_t from = cycles_.size() * part / parts;
      std::vector<std::uint64_t> some(
          cycles_.begin() + static_cast<std::ptrdiff_t>(from),
          cycles_.begin() + static_cast<std::ptrdiff_t>(cycles_.size() * (part + 1) / parts));
      std::sort(some.begin(), some.end());
      widen(out.p50_spread, at_share(some, 0.5, clock), part == 0);
      widen(out.p99_spread, at_share(some, 0.99, clock), part == 0);
      widen(out.p999_spread, at_share(some, 0.999, clock), part == 0);
    }
  }
  std::sort(cycles_.begin(), cycles_.end());
  out.p50 = at_share(cycles_, 0.5, clock);
  out.p90 = at_share(cycles_, 0.9, clock);
  out.p99 = at_share(cycles_, 0.99, clock);
  out.p999 = at_share(cycles_, 0.999, clock);
  out.max = at_share(cycles_, 1, clock);
  return out;
}

std::vector<histogram_bucket> latency_samples::histogram(const cycle_clock& clock) const {
  std::vector<histogram_bucket> out;
  if (cycles_.empty()) return out;
  int bucket = 0;
  while (upper_of(bucket) < to_ns(clock, cycles_.front())) ++bucket;
  out.push_back({upper_of(bucket), 0});
  for (const std::uint64_t cycles : cycles_) {
    while (out.back().upper_ns < to_ns(clock, cycles)) out.push_back({upper_of(++bucket), 0});
    ++out.back().samples;
  }
  return out;
}

boost::json::object to_json(const percentiles& from) {
  const auto range = [](const spread& of) { return boost::json::array{of.least, of.most}; };
  return {{"p50_ns", from.p50},
          {"p90_ns", from.p90},
          {"p99_ns", from.p99},
          {"p999_ns", from.p999},
          {"max_ns", from.max},
          {"samples", from.samples},
          {"spread",
           {{"p50_ns", range(from.p50_spread)},
            {"p99_ns", range(from.p99_spread)},
            {"p999_ns", range(from.p999_spread)}}}};
}

boost::json::array to_json(const std::vector<histogram_bucket>& from) {
  boost::json::array out;
  for (const histogram_bucket& each : from) {
    out.push_back(boost::json::array{each.upper_ns, each.samples});
  }
  return out;
}

void print(std::string_view title, const std::vector<histogram_bucket>& of) {
  fmt::print("{}\n", title);
  for (const histogram_bucket& each : of) {
    if (each.samples == 0) continue;
    const auto length = static_cast<std::size_t>(1 + 4 * std::log2(static_cast<double>(each.samples)));
    fmt::print("  up to {:>9.0f} ns {:>8}  {}\n", each.upper_ns, each.samples, std::string(length, '#'));
  }
  fmt::print("\n");
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
  // Sleeping has the scheduler's delay, so the last millisecond is spun.
  const auto left_ns = static_cast<std::int64_t>(clock_->nanoseconds(next_ - now));
  if (left_ns > 1'500'000) std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns - 1'000'000));
  while (cycle_clock::now() < next_) {}
}

}  // namespace tickreel::bench
