#include "checked_stream.hpp"

#include <utility>

namespace tickreel::reel {

result<bool> checked_stream::next(item& out) {
  if (held_) {
    out = *std::exchange(held_, std::nullopt);
    return true;
  }
  for (;;) {
    const auto more = walk_.next(out);
    if (!more) return more;
    const auto cause = *more ? cause_of_rejection(out) : std::nullopt;
    if (!cause) {
      if (!rejected_) return more;
      if (*more) held_ = out;
      report(out);
      return true;
    }
    const frame_stamp stamp = out.frame.stamp;
    const std::uint64_t offset = out.in->info.offset;
    if (rejected_ && rejected_->cause == *cause) {
      ++rejected_->ticks;
      rejected_->last = stamp;
      if (next_verdict_ == 1) ++rejected_->records;
      continue;
    }
    const bool has_finished = rejected_.has_value();
    if (has_finished) report(out);
    rejected_ = loss{.cause = *cause,
                     .ticks = 1,
                     .first = stamp,
                     .last = stamp,
                     .records = 1,
                     .kind = record_kind::chunk,
                     .offset = offset};
    if (has_finished) return true;
  }
}

loss_totals checked_stream::totals() const noexcept {
  loss_totals all = walk_.totals();
  all.losses += rejected_totals_.losses;
  all.ticks += rejected_totals_.ticks;
  return all;
}

std::optional<loss_cause> checked_stream::cause_of_rejection(const item& next) {
  if (!accepts_ || next.kind != item_kind::frame) return std::nullopt;
  if (judged_ != next.in->info.sequence) judge(*next.in);
  return verdicts_[next_verdict_++];
}

void checked_stream::judge(const record& chunk) {
  judged_ = chunk.info.sequence;
  verdicts_.clear();
  next_verdict_ = 0;
  is_sound_ = true;
  frame_cursor frames(chunk);
  frame one;
  while (verdicts_.size() < walk_.sound_frames()) {
    (void)frames.next(one);
    if (verdicts_.empty()) is_sound_ = one.stamp.tick == chunk.info.first_tick;
    verdicts_.push_back(baseline_.cause_of_loss(
        one, [&] { return (!last_tick_ || one.stamp.tick > *last_tick_) && accepts_(one); }));
    if (verdicts_.back()) {
      is_sound_ = false;
    } else {
      last_tick_ = one.stamp.tick;
    }
  }
  is_sound_ = is_sound_ && one.stamp.tick == chunk.info.last_tick;
}

// Returns the rejected frames to date as one loss.
void checked_stream::report(item& out) {
  ++rejected_totals_.losses;
  rejected_totals_.ticks += rejected_->ticks;
  out = {};
  out.kind = item_kind::loss;
  out.lost = *std::exchange(rejected_, std::nullopt);
}

}  // namespace tickreel::reel
