// Collects the frames of a chunk from which other frames are omitted.
#pragma once

#include <utility>

#include "appended.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::reel {

class gathered_frames {
 public:
  void add(const frame& one) {
    if (about_.frames == 0) {
      about_.flags = one.kind == frame_kind::keyframe ? starts_with_keyframe : 0;
      about_.first_tick = one.stamp.tick;
      about_.first_time_us = one.stamp.time_us;
    }
    std::byte room[frame_head_bytes];
    byte_writer head(room);
    write_frame_head(head, about_.frames == 0 ? one.stamp : last(), one.stamp, one.kind, one.bytes.size());
    payload_.insert(payload_.end(), head.written().begin(), head.written().end());
    payload_.insert(payload_.end(), one.bytes.begin(), one.bytes.end());
    about_.last_tick = one.stamp.tick;
    about_.last_time_us = one.stamp.time_us;
    ++about_.frames;
  }

  [[nodiscard]] bool empty() const noexcept { return about_.frames == 0; }
  [[nodiscard]] frame_stamp last() const noexcept { return {about_.last_tick, about_.last_time_us}; }

  // Appends them as one chunk. Only if there are any.
  result<void> write(writer& to) {
    const record_info about = std::exchange(about_, {});
    const auto done = appended_to(to, to.append(about, payload_));
    payload_.clear();
    return done;
  }

 private:
  record_info about_;  // of a chunk
  byte_vector payload_;
};

}  // namespace tickreel::reel
