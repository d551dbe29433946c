// The iterator of copies: also reports frames that a decoder of the copy would reject.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/recover.hpp"

namespace tickreel::reel {

// The check of a copy with these options. A rewriter requires ticks that rise.
[[nodiscard]] inline frame_check check_for(const frame_check& accepts, const chunk_rewriter* rewriter) {
  if (accepts || rewriter == nullptr) return accepts;
  return [](const frame&) { return true; };
}

// Frames whose tick does not rise or that `accepts` rejects, and deltas that depend on them, become losses. An empty
// function accepts all. It receives the frames of a chunk before the first of them is returned. If the ticks of two chunks
// contradict each other, the frames that are lost are those of the smaller part of the reel.
class checked_stream {
 public:
  checked_stream(reader& reel, const frame_check& accepts, const stream_options& options = {});

  // As frame_stream::next().
  result<bool> next(item& out);

  // Whether all frames of the current frame's chunk are returned, and its head has their ticks.
  [[nodiscard]] bool is_sound_chunk() const noexcept {
    return walk_.is_sound_chunk() && (!accepts_ || is_sound_);
  }
  [[nodiscard]] loss_totals totals() const noexcept;

 private:
  // Of a chunk whose ticks rise together with those of most others.
  struct beginning {
    std::uint32_t sequence = 0;
    std::uint64_t tick = 0;
  };
  static std::vector<beginning> rising_chunks(const std::vector<record_info>& records);
  // Whether a frame of the current chunk has such a tick.
  [[nodiscard]] bool rises(std::uint64_t tick) const noexcept;
  [[nodiscard]] std::optional<loss_cause> cause_of_rejection(const item& next);
  void judge(const record& chunk);
  void report(item& out);

  frame_stream walk_;
  const frame_check& accepts_;
  baseline_check baseline_;
  std::vector<beginning> rising_;           // in reverse, from the current chunk on; empty if all ticks rise
  std::optional<std::uint64_t> last_tick_;  // accepted
  std::optional<std::uint32_t> judged_;     // the sequence of the current chunk
  // For each of its readable frames; empty: accepted.
  std::vector<std::optional<loss_cause>> verdicts_;
  std::size_t next_verdict_ = 0;
  bool is_sound_ = false;         // all are, and fit the chunk's head
  std::optional<loss> rejected_;  // rejected frames that are not returned yet
  std::optional<item> held_;      // the item after them
  loss_totals rejected_totals_;
};

}  // namespace tickreel::reel
