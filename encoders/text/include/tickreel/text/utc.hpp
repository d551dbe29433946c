// Points in time as people and JSON have them.
#pragma once

#include <cstdint>
#include <string>

namespace tickreel::text {

// Seconds since 1970 as RFC 3339 in UTC, "2020-07-28T21:53:36Z"; empty before the year 0 and after 9999, for
// which that has no digits.
[[nodiscard]] std::string utc_text(std::int64_t unix_seconds);

}  // namespace tickreel::text
