// The frames of a reel across its chunks, passing over what cannot be read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/reel/reader.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

class reel_frames {
 public:
  // `source` must outlive it.
  explicit reel_frames(reel::reader& source) : source_(&source) {}

  // The next frame; its bytes are valid until the next call. False at the end. Frames before the first
  // keyframe, and after damage up to the next one, are left out. Damage is an error unless tolerant.
  result<bool> next(reel::frame& out);

  // Goes on with record `number` of the table of contents, which must start with a keyframe.
  void restart(std::size_t number = 0);

  void set_tolerant(bool tolerant) noexcept { tolerant_ = tolerant; }
  // Damage that was passed over.
  [[nodiscard]] const std::vector<error>& faults() const noexcept { return faults_; }
  // The chunk that the last frame came from.
  [[nodiscard]] const reel::record_info& chunk() const noexcept { return chunk_.info; }

 private:
  result<bool> next_chunk();
  result<void> pass_over(const error& what);

  reel::reader* source_;
  reel::record chunk_;
  std::optional<reel::frame_cursor> cursor_;
  std::size_t next_record_ = 0;
  std::vector<error> faults_;
  bool tolerant_ = false;
  bool wait_for_keyframe_ = true;
};

// Groups of butter frames out of a reel: a keyframe and everything up to the next.
struct frame_group {
  byte_vector bytes;  // laid end to end
  std::vector<frame_stamp> stamps;
  std::uint64_t offset = 0;  // of the chunk in which the group begins
  bool keyframe = false;     // begins with one
  void clear() {
    bytes.clear();
    stamps.clear();
  }
};

class reel_groups {
 public:
  explicit reel_groups(reel::reader& source) : frames_(source) {}

  // False at the end. A group that would grow beyond `most_bytes` is given in parts; only the first then
  // begins with a keyframe.
  result<bool> next(frame_group& out, std::size_t most_bytes);
  void restart(std::size_t number = 0) {
    frames_.restart(number);
    held_ = false;
  }
  [[nodiscard]] reel_frames& frames() noexcept { return frames_; }
  [[nodiscard]] const reel_frames& frames() const noexcept { return frames_; }

 private:
  reel_frames frames_;
  reel::frame pending_;  // belongs to the next group
  bool held_ = false;
};

}  // namespace tickreel::recording
