#include "icrep_clock.hpp"

#include <algorithm>

namespace tickreel::files {

// A clock means the time since the start.
result<std::uint64_t> icrep_clock::tick_of(const moment& where) const noexcept {
  if (where.unit == moment::by::tick) return where.tick;
  // Times are whole milliseconds, so half of one is rounding.
  const double ticks = std::ceil((where.seconds - 0.0005) / tick_seconds);
  if (ticks > 1e15) return fail(error_code::out_of_range, error::no_offset, "no recording is that long");
  return static_cast<std::uint64_t>(std::max(ticks, 0.0));
}

}  // namespace tickreel::files
