// Converts between a match's ticks and times.
#pragma once

#include <cmath>
#include <cstdint>

#include "tickreel/files/recording.hpp"

namespace tickreel::files {

struct icrep_clock {
  double tick_seconds = 0;

  [[nodiscard]] std::int64_t time_ms_of(std::uint64_t tick) const noexcept {
    return std::llround(static_cast<double>(tick) * tick_seconds * 1000);
  }
  // The first tick at or after that time.
  [[nodiscard]] result<std::uint64_t> tick_of(const moment& where) const noexcept;
};

}  // namespace tickreel::files
