// The clocks of recorders and sinks, for tests that simulate time.
#pragma once

#include <cstdint>

namespace tickreel::detail {

struct clock_functions {
  std::int64_t (*steady_us)() noexcept;  // monotonic, from any origin
  std::int64_t (*wall_us)() noexcept;    // since 1970 UTC
};

// Replace them before other threads exist.
[[nodiscard]] clock_functions& clocks() noexcept;

}  // namespace tickreel::detail
