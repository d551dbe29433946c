// A place in a recording, and its text form.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tickreel::files {

struct moment {
  enum class by : std::uint8_t { tick, time, clock };
  by unit = by::tick;
  std::uint64_t tick = 0;
  double seconds = 0;  // since the first tick, or of the game clock

  static moment at_tick(std::uint64_t number) { return {by::tick, number, 0}; }
  static moment at_time(double seconds) { return {by::time, 0, seconds}; }
  static moment at_clock(double seconds) { return {by::clock, 0, seconds}; }

  // For a recording without a game clock: its clock is the time since the start.
  [[nodiscard]] moment without_game_clock() const noexcept {
    return unit == by::clock ? at_time(seconds) : *this;
  }
};

// "08:30", "1:02:03", "08:30.5" as seconds. Empty if the text is not a clock.
[[nodiscard]] std::optional<double> parse_clock(std::string_view text) noexcept;

// "120" or "tick:120", "12.5s", "1m30s", "2h" or "1:02:03" (since the first tick), "08:30", "clock:08:30" or
// "clock:510.5" (game clock). Empty for other text. Verbs read their options with read_range(), which rejects
// an ambiguous "08:30".
[[nodiscard]] std::optional<moment> parse_moment(std::string_view text) noexcept;

}  // namespace tickreel::files
