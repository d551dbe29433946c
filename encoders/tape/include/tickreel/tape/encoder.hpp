// States of Echo VR as records of .tape and .nevrcap captures.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tickreel/tape/capture.hpp"

namespace tickreel::tape {

// A frame at which reading can begin: the first of a block.
struct keyframe {
  std::uint64_t frame = 0;
  std::uint64_t offset = 0;  // in the file
};

// A .tape identifies players by their slots (playerid), which some old texts lack. Whether two players have one slot.
[[nodiscard]] bool has_slot_twice(const echo::state& in) noexcept;
// Gives each player whose slot is taken the lowest free one.
void number_slots(echo::state& in) noexcept;

// The records of one .tape: a header, frames, a footer. Readers reject a frame with a slot twice: number_slots() first. The
// caller writes another file for another session or map, because the header has only one. One thread at a time. Allocates.
class tape_encoder {
 public:
  void append_header(const echo::state& first, byte_vector& out);
  void append_frame(const echo::state& from, bool is_keyframe, byte_vector& out);
  void append_footer(std::uint64_t offset, std::span<const keyframe> keyframes, byte_vector& out) const;

  // For callers that copy records instead of those of append_header() and append_frame(): the header that times of
  // frames count from, and the events of the last frame, for the footer.
  void replace_header(const capture_facts& copied) noexcept { start_ms_ = copied.created_at_ms.value_or(0); }
  void replace_frame(std::span<const event_type> events);

  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  // Readers might reject a file with one more tick.
  [[nodiscard]] bool is_full() const noexcept {
    return ticks_ == max_ticks || slots_.size() + echo::max_players > max_slots;
  }

 private:
  friend class event_writer;

  std::int64_t start_ms_ = 0;
  std::uint64_t ticks_ = 0;
  std::uint32_t last_offset_ms_ = 0;
  std::int32_t round_number_ = 0;
  // Of the last frame, as a reader has it after that frame's events.
  std::vector<slot_memory> slots_;
  std::vector<std::uint8_t> emotes_;  // of slots_, 1 while one plays
  echo::session last_;
  std::int32_t holder_ = -1;
  std::array<std::vector<std::uint32_t>, 64> frames_of_events_;
};

// The records of one .nevrcap: a header and frames.
class nevrcap_encoder {
 public:
  void append_header(const echo::state& first, byte_vector& out);
  void append_frame(const echo::state& from, byte_vector& out);
  [[nodiscard]] std::uint64_t ticks() const noexcept { return ticks_; }
  [[nodiscard]] bool is_full() const noexcept { return ticks_ == max_ticks; }

 private:
  std::uint64_t ticks_ = 0;
};

}  // namespace tickreel::tape
