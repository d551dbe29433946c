// Saves the last seconds of a recording of described structs, while it is recorded.
#pragma once

#include <cstdint>

#include "tickreel/io/path.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

struct saved_part {
  frame_stamp first;
  frame_stamp last;  // the newest sealed tick: see recorder_options::seal_interval_ms
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks = 0;  // between them, as far as they can be counted; they become gaps
  std::uint64_t bytes = 0;
};

namespace tracks {

// Writes the ticks of the last `time_us` before the newest in the reel, with their events, into a new reel.
// It appears whole or not at all, and nothing is overwritten. Ticks and times keep their numbers. Reads the
// file and does not use the recorder: any thread, while others push. out_of_range if no tick is in the reel
// yet; already_exists; otherwise the errors of reading and writing files.
result<saved_part> save_last(const file_path& reel, std::int64_t time_us, const file_path& output);

}  // namespace tracks
}  // namespace tickreel
