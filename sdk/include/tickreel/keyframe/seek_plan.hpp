// What to read to have the state at a tick.
#pragma once

#include <cstdint>

#include "tickreel/keyframe/index.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// Both ends belong to it.
struct tick_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

struct seek_plan {
  std::size_t entry = 0;    // the keyframe's number in the index
  keyframe_entry keyframe;  // the same keyframe
  // Frames from the keyframe, counting it, to the one sought. Ticks that have no frame make it fewer, so
  // decode while the next frame's tick is not past the one sought.
  std::uint64_t max_frames_to_decode = 0;
};

// out_of_range: the recording, `recorded`, has no such tick. missing_keyframe: it has, but no keyframe comes
// at or before it (the start was lost). Both errors carry the tick in their values.
[[nodiscard]] inline result<seek_plan> plan_seek(const keyframe_index& index, tick_range recorded,
                                                 std::uint64_t tick) noexcept {
  if (tick < recorded.first || tick > recorded.last) {
    return fail(error_code::out_of_range, error::no_offset, "tick {}", static_cast<std::int64_t>(tick));
  }
  const std::optional<std::size_t> entry = index.at_or_before_tick(tick);
  if (!entry) {
    return fail(error_code::missing_keyframe, error::no_offset, "tick {}", static_cast<std::int64_t>(tick));
  }
  const keyframe_entry& keyframe = index[*entry];
  return seek_plan{*entry, keyframe, tick - keyframe.tick + 1};
}

}  // namespace tickreel
