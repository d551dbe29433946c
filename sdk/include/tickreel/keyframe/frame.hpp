// What the frames of a recording have in common, whoever makes, stores or reads them.
#pragma once

#include <cstdint>

namespace tickreel {

enum class frame_kind : std::uint8_t {
  delta = 0,     // the difference from the frame before
  keyframe = 1,  // whole; stands alone
};

// Which tick a frame is.
struct frame_stamp {
  std::uint64_t tick = 0;    // counted by the source; rises, may skip
  std::int64_t time_us = 0;  // microseconds since the recording began; may not be negative
};

}  // namespace tickreel
