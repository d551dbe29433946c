// Tails: every sample is kept, percentiles are exact.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <vector>

#include "cycle_clock.hpp"

namespace tickreel::bench {

// Nanoseconds.
struct percentiles {
  double p50 = 0;
  double p90 = 0;
  double p99 = 0;
  double p999 = 0;
  double max = 0;
  std::size_t samples = 0;
};

class latency_samples {
 public:
  // Twice the room that is expected, so that adding never allocates; beyond it samples are left out.
  explicit latency_samples(std::size_t expected) { cycles_.reserve(2 * expected); }

  // A call that takes longer than the `period` between two calls holds up its successors, which on a schedule
  // would have waited for what was left of it: they are added too, so that one long stall counts for every
  // tick it hit and not once. `period` 0: no schedule.
  void add(std::uint64_t cycles, std::uint64_t period) noexcept {
    add(cycles);
    while (period != 0 && cycles > period) add(cycles -= period);
  }
  [[nodiscard]] percentiles summarise(const cycle_clock& clock);

 private:
  void add(std::uint64_t cycles) noexcept {
    if (cycles_.size() < cycles_.capacity()) cycles_.push_back(cycles);
  }

  std::vector<std::uint64_t> cycles_;
};

// p50_ns p90_ns p99_ns p999_ns max_ns samples
[[nodiscard]] boost::json::object to_json(const percentiles& from);
// p50 p90 p99 p999 max, each of `value` divided by its like of `bound`.
[[nodiscard]] percentiles ratio(const percentiles& value, const percentiles& bound);
[[nodiscard]] boost::json::object ratio_to_json(const percentiles& ratio);

// Fixed instants, one per tick.
class tick_schedule {
 public:
  // `rate_hz` 0: back to back, no schedule.
  tick_schedule(const cycle_clock& clock, std::uint32_t rate_hz) noexcept;

  // Waits for the next instant: asleep while it is far, then spinning. An instant that has passed already is
  // given up.
  void wait() noexcept;
  // Cycles between two instants; 0 without a schedule.
  [[nodiscard]] std::uint64_t period() const noexcept { return period_; }

 private:
  const cycle_clock* clock_;
  std::uint64_t period_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tickreel::bench
