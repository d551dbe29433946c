// Follows a reel while it is recorded, frame by frame.
#pragma once

#include <memory>
#include <string>

#include "recorded_world.hpp"
#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::sim {

class reel_follower {
 public:
  // The new ticks since the last call.
  result<read_ticks> read(const std::string& path) {
    if (!reel_) {
      auto opened = reel::reader::open(path);
      if (!opened) return fail(opened.error());
      reel_ = std::make_unique<reel::reader>(std::move(*opened));
      frames_ = std::make_unique<reel::frame_stream>(*reel_, reel::stream_options{.live = true});
    } else if (const auto more = reel_->refresh(); !more) {
      return fail(more.error());
    }
    read_ticks all;
    reel::frame next;
    for (;;) {
      const auto more = frames_->next(next);
      if (!more) return fail(more.error());
      if (!*more) return all;
      all.numbers.push_back(next.stamp.tick);
    }
  }

 private:
  std::unique_ptr<reel::reader> reel_;
  std::unique_ptr<reel::frame_stream> frames_;
};

}  // namespace tickreel::sim
