#include "reel_frames.hpp"

#include "echo_input.hpp"

namespace tickreel::recording {

void reel_frames::restart(std::size_t number) {
  next_record_ = number;
  cursor_.reset();
  faults_.clear();
  wait_for_keyframe_ = true;
}

// Keeps the fault and goes on without the frames that stand on what was lost.
result<void> reel_frames::pass_over(const error& what) {
  if (!tolerant_) return fail(what);
  if (faults_.size() < most_faults) faults_.push_back(what);
  cursor_.reset();
  wait_for_keyframe_ = true;
  return {};
}

result<bool> reel_frames::next_chunk() {
  const auto& records = source_->contents().records;
  while (next_record_ < records.size()) {
    const std::size_t number = next_record_++;
    if (records[number].kind != reel::record_kind::chunk) continue;
    if (auto got = source_->read(number, chunk_); !got) {
      if (auto passed = pass_over(got.error()); !passed) return fail(passed.error());
      continue;
    }
    cursor_.emplace(chunk_);
    return true;
  }
  return false;
}

result<bool> reel_frames::next(reel::frame& out) {
  for (;;) {
    if (!cursor_) {
      auto more = next_chunk();
      if (!more || !*more) return more;
    }
    auto got = cursor_->next(out);
    if (!got) {
      error what = got.error();
      what.offset = chunk_.info.offset;  // the cursor counts inside the decompressed chunk
      if (auto passed = pass_over(what); !passed) return fail(passed.error());
      continue;
    }
    if (!*got) {
      cursor_.reset();
      continue;
    }
    if (out.kind == frame_kind::keyframe) wait_for_keyframe_ = false;
    if (!wait_for_keyframe_) return true;
  }
}

result<bool> reel_groups::next(frame_group& out, std::size_t most_bytes) {
  out.clear();
  for (;;) {
    if (!held_) {
      auto more = frames_.next(pending_);
      if (!more) return fail(more.error());
      if (!*more) return !out.stamps.empty();
      held_ = true;
    }
    const bool begins_group = pending_.kind == frame_kind::keyframe;
    const bool too_large = out.bytes.size() + pending_.bytes.size() > most_bytes;
    if (!out.stamps.empty() && (begins_group || too_large)) return true;
    if (out.stamps.empty()) {
      out.offset = frames_.chunk().offset;
      out.keyframe = begins_group;
    }
    out.bytes.insert(out.bytes.end(), pending_.bytes.begin(), pending_.bytes.end());
    out.stamps.push_back(pending_.stamp);
    held_ = false;
  }
}

}  // namespace tickreel::recording
