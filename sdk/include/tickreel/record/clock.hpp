// The clocks of recorders, sinks, followers and archivers, and their waits; tests replace them to simulate time.
#pragma once

#include <chrono>
#include <cstdint>

namespace tickreel::detail {

struct clock_functions {
  std::int64_t (*steady_us)() noexcept;              // monotonic, from any origin
  std::int64_t (*wall_us)() noexcept;                // since 1970 UTC
  void (*wait_us)(std::int64_t) noexcept = nullptr;  // lets simulated time pass; null: threads sleep
};

// Replace them before other threads exist.
[[nodiscard]] clock_functions& clocks() noexcept;

// The same for std::chrono.
struct steady_clock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<steady_clock>;
  static constexpr bool is_steady = true;
  [[nodiscard]] static time_point now() noexcept { return time_point(duration(clocks().steady_us())); }
};

// The calling thread sleeps.
void sleep_for(std::chrono::microseconds time) noexcept;

}  // namespace tickreel::detail
