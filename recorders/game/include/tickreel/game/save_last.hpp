// Saves the last part of a match that is still being recorded.
#pragma once

#include <chrono>
#include <cstdint>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

struct saved_match_part {
  std::uint64_t first_tick = 0;  // of the full keyframe that it begins with
  std::uint64_t last_tick = 0;   // sealed before the call: see match_options::seal_interval_ms
  std::uint64_t ticks = 0;       // with orders
  std::uint64_t missing_ticks = 0;
  std::uint64_t bytes = 0;
};

// Writes the last `time` of the match that was begun with `recording` to a separate .icrep, from the full
// keyframe at or before that time. The file appears complete or not at all; an existing file is never
// overwritten. Reads only the recorder's file: may be called from any thread during the match. Takes the
// memory and time of publishing the whole match, or its last file if it has several. truncated or
// missing_keyframe if no readable state was sealed yet.
result<saved_match_part> save_last(const file_path& recording, std::chrono::milliseconds time,
                                   const file_path& output);

}  // namespace tickreel::game
