// The output of `record echo --json` about the games, beside that about files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/echo_vr/live_feed.hpp"

namespace tickreel::cli {

// Converts a feed to lines of JSON. One thread.
class live_lines {
 public:
  explicit live_lines(const echo_vr::live_feed& feed) : feed_(&feed) {}

  // New information since the last call, one line each: every event, the number of missed events, and the
  // score of each target when its displayed second or anything but the clock has changed.
  [[nodiscard]] std::vector<std::string> take();

 private:
  const echo_vr::live_feed* feed_;
  std::uint64_t next_ = 0;
  std::uint64_t changes_ = 0;
  std::vector<echo_vr::live_event> events_;
  std::vector<echo_vr::live_score> printed_;
};

}  // namespace tickreel::cli
