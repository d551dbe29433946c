// What just happened: the last seconds of a recording of described structs, while it is recorded.
#pragma once

#include <cstdint>

#include "tickreel/io/path.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

struct saved_part {
  frame_stamp first;
  frame_stamp last;  // of what was sealed: see recorder_options::seal_interval_ms
  std::uint64_t ticks = 0;
  std::uint64_t lost_ticks =
      0;  // between them, as far as they can be counted; they stand as gaps in the part
  std::uint64_t bytes = 0;
};

namespace tracks {

// The ticks of the last `time_us` before the newest that is in the reel, with their events, as a reel of its
// own: it appears whole or not at all, and nothing is overwritten. Ticks and times keep their numbers. Reads
// the file, and asks the recorder for nothing: any thread, while others push. out_of_range when no tick is in
// the reel yet; already_exists; else what reading and writing files says.
result<saved_part> save_last(const file_path& reel, std::int64_t time_us, const file_path& output);

}  // namespace tracks
}  // namespace tickreel
