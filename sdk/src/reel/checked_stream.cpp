#include "checked_stream.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace tickreel::reel {

checked_stream::checked_stream(reader& reel, const frame_check& accepts, const stream_options& options)
    : walk_(reel, options), accepts_(accepts) {
  if (accepts_) rising_ = rising_chunks(reel.contents().records);
}

// Of all sequences of chunks with rising ticks, the one with the most frames; the first of several. Empty if it has all
// chunks. So a wrong tick costs only its own frames, not those of every later chunk.
std::vector<checked_stream::beginning> checked_stream::rising_chunks(
    const std::vector<record_info>& records) {
  std::vector<const record_info*> chunks;
  bool all_rise = true;
  for (const record_info& each : records) {
    if (each.kind != record_kind::chunk || each.damaged || each.first_tick > each.last_tick) continue;
    all_rise = all_rise && (chunks.empty() || each.first_tick > chunks.back()->last_tick);
    chunks.push_back(&each);
  }
  if (all_rise) return {};
  constexpr auto none = static_cast<std::size_t>(-1);
  struct sequence {
    std::uint64_t frames = 0;
    std::size_t last = none;
  };
  std::map<std::uint64_t, sequence> best;  // by last tick; more frames need a later one
  std::vector<std::size_t> before(chunks.size(), none);
  for (std::size_t at = 0; at < chunks.size(); ++at) {
    const record_info& chunk = *chunks[at];
    // A head may state any number; a frame has at least three bytes.
    sequence longer{std::min<std::uint64_t>(chunk.frames, chunk.raw_bytes / 3), at};
    if (const auto next = best.lower_bound(chunk.first_tick); next != best.begin()) {
      longer.frames += std::prev(next)->second.frames;
      before[at] = std::prev(next)->second.last;
    }
    auto next = best.upper_bound(chunk.last_tick);
    if (next != best.begin() && std::prev(next)->second.frames >= longer.frames) continue;
    while (next != best.end() && next->second.frames < longer.frames) next = best.erase(next);
    best.insert_or_assign(chunk.last_tick, longer);
  }
  std::vector<beginning> out;
  for (std::size_t at = best.empty() ? none : best.rbegin()->second.last; at != none; at = before[at]) {
    out.push_back({chunks[at]->sequence, chunks[at]->first_tick});
  }
  return out;
}

bool checked_stream::rises(std::uint64_t tick) const noexcept {
  return (!last_tick_ || tick > *last_tick_) && (rising_.empty() || tick < rising_.back().tick);
}

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
  while (!rising_.empty() && rising_.back().sequence <= chunk.info.sequence) rising_.pop_back();
  frame_cursor frames(chunk);
  frame one;
  while (verdicts_.size() < walk_.sound_frames()) {
    (void)frames.next(one);
    if (verdicts_.empty()) is_sound_ = one.stamp.tick == chunk.info.first_tick;
    verdicts_.push_back(baseline_.cause_of_loss(one, [&] { return rises(one.stamp.tick) && accepts_(one); }));
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
