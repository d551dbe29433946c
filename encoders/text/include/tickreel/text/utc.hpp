// Points in time as people and JSON have them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tickreel::text {

// Seconds since 1970 as RFC 3339 in UTC, "2020-07-28T21:53:36Z"; empty before the year 0 and after 9999, for
// which that has no digits.
[[nodiscard]] std::string utc_text(std::int64_t unix_seconds);

// The other way: RFC 3339, with any offset; without one the time is UTC's. Fractions of a second are cut off.
// Nothing when it is no such text, or no day that there is.
[[nodiscard]] std::optional<std::int64_t> utc_seconds(std::string_view text) noexcept;

}  // namespace tickreel::text
