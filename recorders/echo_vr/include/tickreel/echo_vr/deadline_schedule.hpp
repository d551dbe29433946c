// The times of polls, without drift and without bunching.
#pragma once

#include <chrono>
#include <cstdint>

namespace tickreel::echo_vr {

// Deadlines are at start + n / rate, computed from n each time, so that rounding errors do not accumulate.
// Pure arithmetic: the caller passes the time.
class deadline_schedule {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  struct slot {
    time_point when;            // may be up to half a period ago: then poll immediately
    std::uint64_t number = 0;   // number of the deadline, from 0 at `start`
    std::uint64_t skipped = 0;  // skipped deadlines between the previous one and this one: polls lost
  };

  // `rate_millihertz` in millihertz (60 Hz is 60000), 1 to 1'000'000.
  deadline_schedule(time_point start, std::uint32_t rate_millihertz) noexcept;

  [[nodiscard]] std::uint32_t rate_millihertz() const noexcept { return rate_millihertz_; }
  [[nodiscard]] time_point deadline(std::uint64_t number) const noexcept;

  // The first deadline after the previous one that is less than half a period before `earliest`. A poll that
  // is a little late is still made; two polls are never closer than half a period.
  [[nodiscard]] slot next(time_point earliest) noexcept;

 private:
  time_point start_;
  std::uint32_t rate_millihertz_;
  std::uint64_t next_ = 0;
};

}  // namespace tickreel::echo_vr
