// Recorded times as text.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tickreel::echo {

// "2022/07/16 20:04:58.159" (23 characters, no zone) from milliseconds since 1970; years 0 to 9999.
[[nodiscard]] std::array<char, 23> format_time(std::int64_t milliseconds) noexcept;
// "2022-07-16 20:04:58", for tables; empty if the time is unknown.
[[nodiscard]] std::string format_to_seconds(const std::optional<std::int64_t>& milliseconds);

// The inverse of format_time. Also accepts '-' or '.' in the date, '.' for ':', 1 to 7 digits or none of
// fraction (cut to milliseconds), 'T' for the space. Empty if it is not a time.
[[nodiscard]] std::optional<std::int64_t> parse_time(std::string_view text) noexcept;

}  // namespace tickreel::echo
