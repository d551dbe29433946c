#include "icrep_clock.hpp"

#include <algorithm>

namespace tickreel::files {

result<std::uint64_t> icrep_clock::tick_of(const moment& where) const noexcept {
  switch (where.unit) {
    case moment::by::tick:
      return where.tick;
    case moment::by::time: {
      // Times are whole milliseconds, so half of one is rounding.
      const double ticks = std::ceil((where.seconds - 0.0005) / tick_seconds);
      if (ticks > 1e15)
        return fail(error_code::out_of_range, error::no_offset, "the recording ends before that");
      return static_cast<std::uint64_t>(std::max(ticks, 0.0));
    }
    case moment::by::clock:
      break;
  }
  return fail(error_code::unsupported_operation, error::no_offset,
              "an .icrep has no game clock; give a tick or a time");
}

}  // namespace tickreel::files
