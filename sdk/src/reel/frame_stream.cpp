#include "tickreel/reel/frame_stream.hpp"

namespace tickreel::reel {

namespace {

// The bytes are wrong, as opposed to: the bytes cannot be had.
bool is_damage(error_code code) noexcept {
  return code < error_code::invalid_argument;
}

}  // namespace

void frame_stream::restart(std::size_t first) noexcept {
  next_record_ = first;
  frames_.reset();
  has_baseline_ = false;
}

void frame_stream::skip(const record_info& chunk, std::uint64_t frames, const error& reason) noexcept {
  has_baseline_ = false;
  skipped_frames_ += frames;
  skip_reason_ = reason;
  if (skip_reason_->offset == error::no_offset) skip_reason_->offset = chunk.offset;
}

// Opens the next chunk that can be decoded. False when there is none yet.
result<bool> frame_stream::open_next_chunk() {
  const auto& records = reel_->contents().records;
  for (; next_record_ < records.size(); ++next_record_) {
    const record_info& info = records[next_record_];
    if (info.kind != record_kind::chunk) continue;
    const bool enters = (info.flags & starts_with_keyframe) != 0;
    if (!enters && (!has_baseline_ || !reel_->is_joined(next_record_))) {
      skip(info, info.frames,
           error{error_code::missing_keyframe, info.offset, "the chunk before is missing"});
      continue;
    }
    const auto done = reel_->read(next_record_, chunk_);
    if (done) {
      has_baseline_ = true;
      frames_given_ = 0;
      frames_.emplace(chunk_);
      ++next_record_;
      return true;
    }
    if (!is_damage(done.error().code)) return fail(done.error());
    skip(info, info.frames, done.error());
  }
  return false;
}

result<bool> frame_stream::next(frame& out) {
  for (;;) {
    if (frames_) {
      const auto more = frames_->next(out);
      if (more && *more) {
        ++frames_given_;
        return true;
      }
      frames_.reset();
      if (!more) {
        const std::uint64_t all = chunk_.info.frames;
        skip(chunk_.info, all > frames_given_ ? all - frames_given_ : 0,
             error{more.error().code, chunk_.info.offset, "a frame inside this chunk"});
      }
    }
    const auto opened = open_next_chunk();
    if (!opened || !*opened) return opened;
  }
}

}  // namespace tickreel::reel
