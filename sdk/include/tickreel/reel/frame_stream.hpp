// The frames of a reel one after the other, across chunks, leaving out those that cannot be decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tickreel/reel/reader.hpp"

namespace tickreel::reel {

// Frames in order. After damage it goes on with the next chunk that starts with a keyframe; what it leaves
// out is counted. So a decoder that gets every frame from here always has the right baseline: each run of
// frames starts with a keyframe. The reader must outlive it. One thread at a time.
class frame_stream {
 public:
  // Starts at record `first`, by default the first one; chunk_for_tick() gives a place to start.
  explicit frame_stream(reader& reel, std::size_t first = 0) noexcept : reel_(&reel), next_record_(first) {}

  // The next frame; its bytes are valid until the next call. False at the end: for a reel that is still being
  // written, call again after reader::refresh(). Fails only when the file cannot be read.
  result<bool> next(frame& out);

  // Continues at record `first`.
  void restart(std::size_t first) noexcept;

  // The record that the last frame came from.
  [[nodiscard]] const record_info& chunk() const noexcept { return chunk_.info; }
  // Frames that are in the reel but cannot be decoded, so far.
  [[nodiscard]] std::uint64_t skipped_frames() const noexcept { return skipped_frames_; }
  // Why the last of them was skipped: checksum_mismatch, missing_keyframe and so on, with its offset.
  [[nodiscard]] const std::optional<error>& skip_reason() const noexcept { return skip_reason_; }

 private:
  result<bool> open_next_chunk();
  void skip(const record_info& chunk, std::uint64_t frames, const error& reason) noexcept;

  reader* reel_;
  std::size_t next_record_;
  record chunk_;
  std::optional<frame_cursor> frames_;
  std::uint64_t frames_given_ = 0;  // of this chunk
  bool has_baseline_ = false;
  std::uint64_t skipped_frames_ = 0;
  std::optional<error> skip_reason_;
};

}  // namespace tickreel::reel
