// Ranges of ticks in sentences for users.
#pragma once

#include <cstdint>
#include <string>

namespace tickreel::reel {

// "tick 7", "ticks 50 to 59".
[[nodiscard]] inline std::string tick_range_text(std::uint64_t first, std::uint64_t last) {
  if (first == last) return "tick " + std::to_string(first);
  return "ticks " + std::to_string(first) + " to " + std::to_string(last);
}

// How many ticks of the range are meant: "10" for all of them, "40 of them" for fewer.
[[nodiscard]] inline std::string tick_count_text(std::uint64_t first, std::uint64_t last,
                                                 std::uint64_t ticks) {
  const bool are_all = last < first || ticks > last - first;
  return std::to_string(ticks) + (are_all ? "" : " of them");
}

}  // namespace tickreel::reel
