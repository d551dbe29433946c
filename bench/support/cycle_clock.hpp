// The clock with the highest resolution: the processor's time stamp counter, otherwise the steady clock.
#pragma once

#include <chrono>
#include <cstdint>

#if defined(__x86_64__) || defined(_M_X64)
#define TICKREEL_BENCH_HAS_TSC 1
#ifdef _MSC_VER
#include <intrin.h>
#else
#include <x86intrin.h>
#endif
#endif

namespace tickreel::bench {

// Readings are in cycles of the clock; nanoseconds() turns a difference of two into time.
class cycle_clock {
 public:
  // The fences keep the measured code between the two readings.
  static std::uint64_t now() noexcept {
#ifdef TICKREEL_BENCH_HAS_TSC
    _mm_lfence();
    const std::uint64_t cycles = __rdtsc();
    _mm_lfence();
    return cycles;
#else
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  }

  // Calibrates against the steady clock for about `calibration`.
  explicit cycle_clock(std::chrono::milliseconds calibration = std::chrono::milliseconds(100));

  [[nodiscard]] double nanoseconds(std::uint64_t cycles) const noexcept {
    return static_cast<double>(cycles) * ns_per_cycle_;
  }
  [[nodiscard]] std::uint64_t cycles(std::chrono::nanoseconds time) const noexcept {
    return static_cast<std::uint64_t>(static_cast<double>(time.count()) / ns_per_cycle_);
  }
  // The difference of two readings with nothing between them: subtracted from every sample.
  [[nodiscard]] std::uint64_t overhead_cycles() const noexcept { return overhead_cycles_; }

 private:
  double ns_per_cycle_ = 1;
  std::uint64_t overhead_cycles_ = 0;
};

}  // namespace tickreel::bench
