// Properties shared by all frames of a recording.
#pragma once

#include <cstdint>

namespace tickreel {

enum class frame_kind : std::uint8_t {
  delta = 0,     // the difference from the frame before
  keyframe = 1,  // whole; decodable alone
};

// The tick and time of a frame.
struct frame_stamp {
  std::uint64_t tick = 0;    // counted by the source; rises, may have holes
  std::int64_t time_us = 0;  // microseconds since the start of the recording; not negative
};

}  // namespace tickreel
