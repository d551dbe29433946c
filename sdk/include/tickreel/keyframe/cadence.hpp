// When to write a keyframe.
#pragma once

#include <cstdint>

#include "tickreel/keyframe/frame.hpp"

namespace tickreel {

// The same two names wherever callers choose the interval of keyframes; a tick is a frame here.
struct cadence_options {
  // A keyframe at least every this many ticks; 0: no such rule.
  std::uint32_t keyframe_interval_ticks = 300;
  // A keyframe at least every this many milliseconds of recording time, in either direction; 0: no such rule.
  std::uint32_t keyframe_interval_ms = 0;
};

// Decides frame by frame; the first is always a keyframe. Allocates nothing, not thread-safe.
class keyframe_cadence {
 public:
  explicit keyframe_cadence(cadence_options options = {}) noexcept : options_(options) {}

  // The next frame will be a keyframe, regardless of the intervals.
  void force() noexcept { forced_ = true; }

  // Returns the kind of the frame stamped `stamp`, and counts it.
  [[nodiscard]] frame_kind next(frame_stamp stamp) noexcept {
    const bool by_count =
        options_.keyframe_interval_ticks != 0 && frames_ >= options_.keyframe_interval_ticks;
    const bool by_time =
        options_.keyframe_interval_ms != 0 &&
        distance(stamp.time_us, keyframe_time_us_) >= std::uint64_t{options_.keyframe_interval_ms} * 1000;
    if (forced_ || by_count || by_time) {
      forced_ = false;
      frames_ = 1;
      keyframe_time_us_ = stamp.time_us;
      return frame_kind::keyframe;
    }
    ++frames_;
    return frame_kind::delta;
  }

  // Counts a frame whose kind the intervals do not decide.
  void count() noexcept { ++frames_; }

 private:
  // In both directions: after a clock is set back, the next keyframe must not wait for the old time.
  [[nodiscard]] static std::uint64_t distance(std::int64_t a, std::int64_t b) noexcept {
    const auto up = static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b);
    return a < b ? 0 - up : up;
  }

  cadence_options options_;
  std::uint64_t frames_ = 0;
  std::int64_t keyframe_time_us_ = 0;
  bool forced_ = true;
};

}  // namespace tickreel
