// A part of a recording: from one place to another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// From the first tick that is not before `from` to the last that is not behind `to`. What is empty does not
// restrict. By the game clock, which counts down, from the first tick at which it has fallen to `from` up to
// the one before it falls below `to`.
struct tick_range {
  std::optional<moment> from = std::nullopt;
  std::optional<moment> to = std::nullopt;

  [[nodiscard]] bool is_all() const noexcept { return !from && !to; }
  [[nodiscard]] bool uses(moment::by unit) const noexcept {
    return (from && from->unit == unit) || (to && to->unit == unit);
  }
};

// Whether a tick lies behind `end`, or before `begin`. `clock` is its game clock, where there is one; without
// one a clock is the time since the first tick.
[[nodiscard]] bool lies_behind(const moment& end, std::uint64_t tick, std::int64_t time_ms,
                               const std::optional<double>& clock) noexcept;
[[nodiscard]] bool lies_before(const moment& begin, std::uint64_t tick, std::int64_t time_ms,
                               const std::optional<double>& clock) noexcept;

// The same for times of ticks in microseconds, of which people see whole milliseconds: the first one that is
// not before `begin`, and the first one behind `end`. For times alone.
[[nodiscard]] std::int64_t first_us_from(const moment& begin) noexcept;
[[nodiscard]] std::int64_t first_us_behind(const moment& end) noexcept;

// Reads what people write on a command line into `out`; either text may be empty. Returns a sentence about
// what is wrong, empty when nothing is:
//
//   tick:1200, 1200                    the tick of that number
//   90s, 1m30s, 2h5m, 00:01:30         time in the file, since its first tick
//   clock:08:30, clock:510.5           the game's own clock, which counts down
//   08:30 to 08:00                     both in minutes and seconds, and falling: the game's clock
//   01:00 to 01:30                     both in minutes and seconds, and rising: time in the file
//
// Refused: minutes and seconds on one side only, or the same on both, since either could be meant; and what
// lies the wrong way round.
[[nodiscard]] std::string read_range(std::string_view from, std::string_view to, tick_range& out);

// What was taken from where, of which a clip says that it was cut.
struct cut_place {
  // Numbers in the source; unknown where it was entered in the middle of a format without any.
  std::optional<std::uint64_t> first_tick = std::nullopt;
  std::optional<std::uint64_t> last_tick = std::nullopt;
  std::int64_t first_ms = 0;  // since the source's first tick
  std::int64_t last_ms = 0;
  // Ticks that stand before the first one asked for, because the frames are kept as they are and begin with a
  // keyframe.
  std::uint64_t ticks_ahead = 0;
  std::int64_t ahead_ms = 0;

  // "cut from match.butter, ticks 1200 to 3000, 0:20 to 0:50"
  [[nodiscard]] std::string sentence(std::string_view file) const;
  // Empty when none stands ahead: "it begins 2.3 s before that, at the keyframe".
  [[nodiscard]] std::string sentence_of_start() const;
};

// In the metadata of a clip, where the format has any: what sentence() says.
inline constexpr const char* cut_key = "cut_from";

}  // namespace tickreel::files
