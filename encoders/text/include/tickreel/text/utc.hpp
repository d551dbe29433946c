// Points in time as text for users and JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tickreel::text {

// Seconds since 1970 as RFC 3339 in UTC, "2020-07-28T21:53:36Z"; empty before the year 0 and after 9999,
// which RFC 3339 cannot express.
[[nodiscard]] std::string utc_text(std::int64_t unix_seconds);

// The inverse: RFC 3339, with any offset; without one the time is UTC. Fractions of a second are dropped.
// Empty if it is not such a text, or an invalid day.
[[nodiscard]] std::optional<std::int64_t> utc_seconds(std::string_view text) noexcept;

}  // namespace tickreel::text
