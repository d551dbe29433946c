// A part of a recording, from one place to another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// From the first tick at or after `from` to the last at or before `to`. Empty members do not restrict. By the
// game clock, which counts down: from the first tick whose clock is at most `from` to the last before it
// falls below `to`.
struct tick_range {
  std::optional<moment> from = std::nullopt;
  std::optional<moment> to = std::nullopt;

  [[nodiscard]] bool is_all() const noexcept { return !from && !to; }
  [[nodiscard]] bool uses(moment::by unit) const noexcept {
    return (from && from->unit == unit) || (to && to->unit == unit);
  }
};

// Whether a tick is after `end`, or before `begin`. `clock` is its game clock, if it has one; without one a
// clock means the time since the first tick.
[[nodiscard]] bool is_after(const moment& end, std::uint64_t tick, std::int64_t time_ms,
                            const std::optional<double>& clock) noexcept;
[[nodiscard]] bool is_before(const moment& begin, std::uint64_t tick, std::int64_t time_ms,
                             const std::optional<double>& clock) noexcept;

// The same for tick times in microseconds, which are shown as whole milliseconds: the first time not before
// `begin`, and the first time after `end`. Only for times.
[[nodiscard]] std::int64_t first_us_from(const moment& begin) noexcept;
[[nodiscard]] std::int64_t first_us_after(const moment& end) noexcept;

// Parses the two places of a command line into `out`; either text may be empty. Returns an error as a
// sentence, empty for a valid range:
//
//   tick:1200, 1200                    the tick of that number
//   90s, 1m30s, 2h5m, 00:01:30         time in the file, since its first tick
//   clock:08:30, clock:510.5           the game's own clock, which counts down
//   08:30 to 08:00                     both in minutes and seconds, and falling: the game's clock
//   01:00 to 01:30                     both in minutes and seconds, and rising: time in the file
//
// Rejected: minutes and seconds on one side only, or equal on both, which are ambiguous; and a range whose
// end is before its beginning.
[[nodiscard]] std::string read_range(std::string_view from, std::string_view to, tick_range& out);

// The part of a source that a clip was cut from.
struct cut_place {
  // Tick numbers in the source; unknown if a format without tick numbers was entered in the middle.
  std::optional<std::uint64_t> first_tick = std::nullopt;
  std::optional<std::uint64_t> last_tick = std::nullopt;
  std::int64_t first_ms = 0;  // since the source's first tick
  std::int64_t last_ms = 0;
  // Ticks before the first requested one: frames are kept and begin with a keyframe.
  std::uint64_t lead_in_ticks = 0;
  std::int64_t lead_in_ms = 0;

  // "cut from match.butter, ticks 1200 to 3000, 0:20 to 0:50"
  [[nodiscard]] std::string sentence(std::string_view file) const;
  // "it begins 2.3 s before that, at the keyframe"; empty if `lead_in_ticks` is 0.
  [[nodiscard]] std::string sentence_of_start() const;
};

// The metadata key of a clip's sentence(), for formats with metadata.
inline constexpr const char* cut_key = "cut_from";

}  // namespace tickreel::files
