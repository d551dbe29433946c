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
  explicit latency_samples(std::size_t expected) { cycles_.reserve(expected); }

  // Beyond the expected number samples are left out, so that adding never allocates.
  void add(std::uint64_t cycles) noexcept {
    if (cycles_.size() < cycles_.capacity()) cycles_.push_back(cycles);
  }
  [[nodiscard]] percentiles summarise(const cycle_clock& clock);

 private:
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

  // Waits for the next instant: asleep while it is far, then spinning.
  void wait() noexcept;

  // What is measured once per tick. A call that overruns the next instant holds up its successor; that delay
  // is charged to the successor, so that one long stall counts for every tick it hit and not once.
  class lane {
   public:
    explicit lane(const tick_schedule& schedule) noexcept : schedule_(&schedule) {}
    template <class Call>
    std::uint64_t measure(Call&& call) noexcept {
      const std::uint64_t now = cycle_clock::now();
      const bool held_up = schedule_->period_ != 0 && last_end_ > schedule_->next_;
      call();
      last_end_ = cycle_clock::now();
      return last_end_ - (held_up ? schedule_->next_ : now);
    }

   private:
    const tick_schedule* schedule_;
    std::uint64_t last_end_ = 0;
  };

 private:
  const cycle_clock* clock_;
  std::uint64_t period_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace tickreel::bench
