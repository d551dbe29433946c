// Latency tails: every sample is stored, percentiles are exact.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cycle_clock.hpp"

namespace tickreel::bench {

// The smallest and largest result of five consecutive parts of a run: an estimate of its reliability.
struct spread {
  double least = 0;
  double most = 0;
};

// Nanoseconds.
struct percentiles {
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
  std::size_t samples = 0;
  spread p50_spread = {}, p99_spread = {}, p999_spread = {};
};

// The number of samples of at most `upper_ns` and more than the previous bucket; four buckets double the time.
struct histogram_bucket {
  double upper_ns = 0;
  std::size_t samples = 0;
};

class latency_samples {
 public:
  // Twice the expected capacity, so that adding never allocates; further samples are dropped.
  explicit latency_samples(std::size_t expected) { cycles_.reserve(2 * expected); }

  // A call that takes longer than the `period` between two calls delays its successors, which on a schedule would have waited for
  // the rest of it: they are added too, so that one long stall counts for every affected tick. `period` 0: no schedule.
  void add(std::uint64_t cycles, std::uint64_t period) noexcept {
    add(cycles);
    while (period != 0 && cycles > period) add(cycles -= period);
  }
  // Sorts: adding ends here.
  [[nodiscard]] percentiles summarise(const cycle_clock& clock);
  // From the first bucket that has samples to the last. After summarise().
  [[nodiscard]] std::vector<histogram_bucket> histogram(const cycle_clock& clock) const;

 private:
  void add(std::uint64_t cycles) noexcept {
    if (cycles_.size() < cycles_.capacity()) cycles_.push_back(cycles);
  }

  std::vector<std::uint64_t> cycles_;
};

// p50_ns p90_ns p99_ns p999_ns max_ns samples, and `spread` with [least, most] of three of them
[[nodiscard]] boost::json::object to_json(const percentiles& from);
// p50 p90 p99 p999 max, each the ratio of `value` to `bound`.
[[nodiscard]] percentiles ratio(const percentiles& value, const percentiles& bound);
[[nodiscard]] boost::json::object ratio_to_json(const percentiles& ratio);
// [[upper_ns, samples], ...]
[[nodiscard]] boost::json::array to_json(const std::vector<histogram_bucket>& from);
// A line for each bucket, bars on a logarithmic scale, so that a single stall is visible.
void print(std::string_view title, const std::vector<histogram_bucket>& of);

// Fixed instants, one per tick.
class tick_schedule {
 public:
  // `rate_hz` 0: back to back, no schedule.
  tick_schedule(const cycle_clock& clock, std::uint32_t rate_hz) noexcept;

  // Waits for the next instant: asleep until shortly before, then spinning. An instant in the past is skipped.
  void wait() noexcept;
  // Cycles between two instants; 0 without a schedule.
  [[nodiscard]] std::uint64_t period() const noexcept { return period_; }

 private:
  const cycle_clock* clock_;
  std::uint64_t period_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tickreel::bench
