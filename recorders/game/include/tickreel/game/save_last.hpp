// What just happened: the last part of a match that is still recorded.
#pragma once

#include <chrono>
#include <cstdint>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

struct saved_match_part {
  std::uint64_t first_tick = 0;  // of the full keyframe that it begins with
  std::uint64_t last_tick = 0;   // that was sealed: see match_options::seal_interval_ms
  std::uint64_t ticks = 0;       // with orders
  std::uint64_t missing_ticks = 0;
  std::uint64_t bytes = 0;
};

// The last `time` of the match that a recorder was begun with `recording` for, as an .icrep of its own, from
// the full keyframe at or before that on. Appears whole or not at all, and overwrites nothing. Reads the
// recorder's file and asks it for nothing: any thread, while the game goes on. Takes the memory and time of
// laying out all of the match so far, or of its last file where it has several. truncated or missing_keyframe
// when nothing that can be shown was sealed yet.
result<saved_match_part> save_last(const file_path& recording, std::chrono::milliseconds time,
                                   const file_path& output);

}  // namespace tickreel::game
