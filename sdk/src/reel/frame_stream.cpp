#include "tickreel/reel/frame_stream.hpp"

#include <algorithm>

namespace tickreel::reel {

namespace {

frame_stamp first_of(const record_info& info) noexcept {
  return {info.first_tick, info.first_time_us};
}
frame_stamp last_of(const record_info& info) noexcept {
  return {info.last_tick, info.last_time_us};
}

// Whether ticks are consecutive in the whole visible reel.
bool numbers_every_tick(const std::vector<record_info>& records) noexcept {
  return std::all_of(records.begin(), records.end(), [](const record_info& info) {
    return info.kind != record_kind::chunk || info.last_tick - info.first_tick + 1 == info.frames;
  });
}

}  // namespace

void frame_stream::restart(std::size_t first) noexcept {
  // Gaps precede the chunk that contains their place.
  const auto is_gap = [this](std::size_t number) {
    const auto& all = reel_->contents().records;
    return number < all.size() && all[number].kind == record_kind::gap;
  };
  while (first != 0 && is_gap(first - 1)) --first;
  next_record_ = first;
  hole_reported_ = first != 0;
  tail_reported_ = false;
  frames_.reset();
  events_.reset();
  has_baseline_ = false;
  last_stamp_.reset();
  const auto& records = reel_->contents().records;
  for (std::size_t number = std::min(first, records.size()); number-- > 0 && !last_stamp_;) {
    if (records[number].counts_ticks()) pass(records[number]);
  }
  totals_ = {};
  skipped_losses_.clear();
  repeats_.clear();
}

result<bool> frame_stream::next(frame& out) {
  item any;
  for (;;) {
    const auto more = next(any);
    if (!more || !*more) return more;
    if (any.kind == item_kind::frame) {
      out = any.frame;
      return true;
    }
    if (any.kind == item_kind::loss && skipped_losses_.size() < max_kept) skipped_losses_.push_back(any.lost);
  }
}

result<bool> frame_stream::next(item& out) {
  for (;;) {
    if (frames_) {
      if (frames_given_ < sound_frames_) {
        (void)frames_->next(out.frame);
        last_given_ = out.frame.stamp;
        ++frames_given_;
        out.kind = item_kind::frame;
        out.in = &record_;
        return true;
      }
      frames_.reset();
      if (!is_sound_chunk()) {
        has_baseline_ = false;
        loss rest = lost(record_.info, loss_cause::damaged_frames, error_code::malformed);
        rest.ticks -= sound_frames_;
        // The chunk has more frames than its head states.
        rest.exact = rest.ticks != 0;
        if (sound_frames_ != 0) rest.first = {last_given_.tick + 1, last_given_.time_us};
        rest.last.tick = std::max(rest.last.tick, rest.first.tick);
        (void)report_loss(rest, out);
        return true;
      }
    }
    if (events_) {
      if (next_event(out)) return true;
      continue;
    }
    const auto done = next_record(out);
    if (!done) return fail(done.error());
    if (*done == step::given) return true;
    if (*done == step::end) return false;
  }
}

// Returns one record, or the loss before it.
result<frame_stream::step> frame_stream::next_record(item& out) {
  const auto& records = reel_->contents().records;
  if (next_record_ >= records.size()) return report_tail(out);
  const record_info& info = records[next_record_];
  const std::uint64_t expected =
      next_record_ == 0 ? 0 : std::uint64_t{records[next_record_ - 1].sequence} + 1;
  // The gap at a late beginning accounts for the omitted records.
  const bool left_out = info.sequence <= reel_->contents().begins_at;
  const bool lacks_records = info.sequence > expected && !left_out;
  if (!hole_reported_ && (lacks_records || lacks_ticks_before(info))) {
    hole_reported_ = true;
    const loss hole = hole_before(info);
    // Without ticks there is no baseline either.
    if (!hole.exact || hole.ticks != 0) has_baseline_ = false;
    return report_loss(hole, out);
  }
  ++next_record_;
  hole_reported_ = false;
  switch (info.kind) {
    case record_kind::chunk:
      return open_chunk(info, out);
    case record_kind::event:
    case record_kind::events:
    case record_kind::header_update:
    case record_kind::gap:
      return open_small(info, out);
    case record_kind::index:
    case record_kind::end:
      return step::again;
    default:
      return open_small(info, out);
  }
}

result<frame_stream::step> frame_stream::open_chunk(const record_info& info, item& out) {
  pass(info);
  if (!options_.chunks) return step::again;
  if (auto found = find_lost_header(); !found) return fail(found.error());
  if (!is_decodable(next_record_ - 1)) {
    const auto cause =
        next_record_ > headerless_from_ ? loss_cause::missing_header : loss_cause::missing_baseline;
    loss what = lost(info, info.damaged ? loss_cause::damaged_record : cause, error_code::missing_keyframe);
    has_baseline_ = false;
    // Following chunks that depend on it belong to the same loss.
    const auto& records = reel_->contents().records;
    for (; !info.damaged && next_record_ < records.size(); ++next_record_) {
      const record_info& next = records[next_record_];
      const bool same = next.kind == record_kind::chunk && !next.damaged && !is_decodable(next_record_) &&
                        next.sequence == records[next_record_ - 1].sequence + 1;
      if (!same) break;
      pass(next);
      what.ticks += next.frames;
      ++what.records;
      what.last = last_of(next);
    }
    return report_loss(what, out);
  }
  const auto done = reel_->read(next_record_ - 1, record_);
  if (!done) {
    if (!is_damage(done.error().code)) return fail(done.error());
    has_baseline_ = false;
    return report_loss(lost(info, loss_cause::damaged_record, done.error().code), out);
  }
  count_readable_frames();
  frames_.emplace(record_);
  frames_given_ = 0;
  has_baseline_ = has_baseline_ || sound_frames_ != 0;
  return step::again;
}

// Counts the readable frames: those before the first unreadable one.
void frame_stream::count_readable_frames() noexcept {
  sound_frames_ = 0;
  sound_bytes_ = 0;
  frame_cursor looking(record_);
  frame one;
  for (;;) {
    const auto more = looking.next(one);
    if (!more || !*more || sound_frames_ >= record_.info.frames) return;
    if (sound_frames_ == 0 && !has_baseline_ && one.kind != frame_kind::keyframe) return;
    ++sound_frames_;
    sound_bytes_ = looking.position();
  }
}

result<frame_stream::step> frame_stream::open_small(const record_info& info, item& out) {
  if (info.kind == record_kind::gap) pass(info);
  error_code reason = error_code::malformed;
  const auto done = reel_->read(next_record_ - 1, record_);
  if (done && info.repeats()) {
    const auto takes = repeats_.takes(*reel_, next_record_ - 1);
    if (!takes) return fail(takes.error());
    if (!*takes) return step::again;
    record_.info.flags = needed_later;
    record_.info.frames = 0;
  }
  if (done) {
    out.in = &record_;
    if (info.kind == record_kind::header_update) {
      out.kind = item_kind::header_update;
      return step::given;
    }
    if (holds_events(info.kind)) {
      events_.emplace(record_);
      return step::again;
    }
    if (info.kind != record_kind::gap) {
      out.kind = item_kind::other;
      return step::given;
    } else if (const auto stored_gap = read_gap(record_.payload)) {
      out.kind = item_kind::gap;
      out.gap = *stored_gap;
      ++totals_.gaps;
      totals_.gap_ticks += stored_gap->ticks;
      return step::given;
    }
  } else {
    reason = done.error().code;
    if (!is_damage(reason)) return fail(done.error());
  }
  return report_loss(lost(info, loss_cause::damaged_record, reason), out);
}

// The next event of a record, or a loss if the rest is unreadable. False after the last.
bool frame_stream::next_event(item& out) {
  frame_stamp stamp;
  const auto more = events_->next(out.event, stamp);
  if (more && *more) {
    record_.info.first_tick = record_.info.last_tick = stamp.tick;
    record_.info.first_time_us = record_.info.last_time_us = stamp.time_us;
    out.kind = item_kind::event;
    out.in = &record_;
    return true;
  }
  events_.reset();
  if (more) return false;
  const record_info& whole = reel_->contents().records[next_record_ - 1];
  (void)report_loss(lost(whole, loss_cause::damaged_record, more.error().code), out);
  return true;
}

loss frame_stream::lost(const record_info& info, loss_cause cause, error_code reason) const {
  loss what;
  what.cause = cause;
  what.kind = info.kind;
  what.reason = reason;
  what.records = 1;
  what.offset = info.offset;
  what.first = first_of(info);
  what.last = last_of(info);
  if (info.counts_ticks()) what.ticks = info.frames;
  // A gap with an unknown number.
  what.exact = info.kind != record_kind::gap || info.frames != 0;
  return what;
}

// Whether the records before `info` have fewer ticks than it states, although none is missing: a failed write may have
// left an older version of one, which a power cut brings back.
bool frame_stream::lacks_ticks_before(const record_info& info) const noexcept {
  if (next_record_ == 0 || !info.ticks_before) return false;
  const record_info& before = reel_->contents().records[next_record_ - 1];
  if (!before.ticks_before || info.sequence != before.sequence + 1) return false;
  return *info.ticks_before > *before.ticks_before + (before.counts_ticks() ? before.frames : 0);
}

// The loss between the record before and `info`, whose sequence or number of ticks shows that there is one.
loss frame_stream::hole_before(const record_info& info) const {
  const auto& records = reel_->contents().records;
  const record_info* const before = next_record_ == 0 ? nullptr : &records[next_record_ - 1];
  loss hole;
  hole.reason = error_code::truncated;
  hole.records = info.sequence - (before == nullptr ? 0 : std::uint64_t{before->sequence} + 1);
  hole.offset = before == nullptr ? reel_->header_bytes().size() : before->offset + before->bytes;
  // Before the first tick, and without bytes that could have been records: the reel of a sink that joined
  // late has this form, with the last header update before it.
  const bool at_beginning = !last_stamp_ && info.kind != record_kind::end && info.offset == hole.offset;
  hole.cause = at_beginning ? loss_cause::missing_beginning : loss_cause::missing_records;
  // The missing ticks are between the last known and the next known ones.
  const record_info* next = &info;
  if (!info.counts_ticks()) {
    const auto found =
        std::find_if(records.begin() + static_cast<std::ptrdiff_t>(next_record_), records.end(),
                     [](const record_info& each) { return each.counts_ticks(); });
    next = found != records.end() ? &*found : nullptr;
  }
  if (last_stamp_) hole.first = {last_stamp_->tick + 1, last_stamp_->time_us};
  hole.last = hole.first;
  if (next != nullptr && next->first_tick > hole.first.tick) {
    hole.last = {next->first_tick - 1, std::max(next->first_time_us, hole.first.time_us)};
  }
  if (info.ticks_before) {
    std::uint64_t known = 0;
    if (before != nullptr) {
      known = before->ticks_before.value_or(0) + (before->counts_ticks() ? before->frames : 0);
    }
    hole.ticks = *info.ticks_before - std::min(known, *info.ticks_before);
  }
  // Between the last recorded data and the end there is only the index.
  if (info.kind == record_kind::end && hole.records == 1) {
    if (!info.ticks_before) hole.kind = record_kind::index;
    return hole;
  }
  if (info.ticks_before) {
    // The last record of a recovered reel may be a gap of an unknown number of ticks.
    const bool is_tail = info.kind == record_kind::end || info.kind == record_kind::index;
    hole.exact = !is_tail || hole.ticks != 0;
    return hole;
  }
  hole.exact = false;
  if (last_stamp_ && next != nullptr && next->first_tick > hole.first.tick && numbers_every_tick(records)) {
    hole.ticks = next->first_tick - hole.first.tick;
  }
  return hole;
}

// The loss of an incomplete last record, from the end of the reel.
frame_stream::step frame_stream::report_tail(item& out) {
  const table_of_contents& contents = reel_->contents();
  if (tail_reported_ || options_.live || contents.end != reel_end::torn) return step::end;
  const auto& torn = contents.torn_record;
  const std::uint64_t expected =
      contents.records.empty() ? 0 : std::uint64_t{contents.records.back().sequence} + 1;
  if (torn && torn->sequence > expected && !hole_reported_) {
    hole_reported_ = true;
    return report_loss(hole_before(*torn), out);
  }
  tail_reported_ = true;
  loss tail;
  if (torn) {
    tail = lost(*torn, loss_cause::torn_record, error_code::truncated);
  } else {
    tail.cause = loss_cause::torn_record;
    tail.reason = error_code::truncated;
    tail.offset = contents.valid_bytes;
    tail.records = 1;
    // An index is followed only by the end.
    tail.exact = !contents.records.empty() && contents.records.back().kind == record_kind::index;
    if (tail.exact) tail.kind = record_kind::end;
  }
  // An index and an end have no ticks of their own.
  const bool has_ticks = torn && torn->kind != record_kind::index && torn->kind != record_kind::end;
  if (!has_ticks && last_stamp_) tail.first = tail.last = *last_stamp_;
  return report_loss(tail, out);
}

frame_stream::step frame_stream::report_loss(loss what, item& out) {
  ++totals_.losses;
  totals_.ticks += what.ticks;
  if (!what.exact) ++totals_.unknown;
  out.kind = item_kind::loss;
  out.lost = what;
  out.in = nullptr;
  return step::given;
}

// Finds the first record whose chunks depend on a lost header update: no later update or repetition with the
// same content is readable.
result<void> frame_stream::find_lost_header() {
  const auto& records = reel_->contents().records;
  if (searched_records_ == records.size()) return {};
  // Only the new records of a reel that grew.
  const std::size_t from = searched_records_ < records.size() ? searched_records_ : 0;
  const bool none_lost = from == 0 || headerless_from_ == from;
  std::uint32_t updates = 0;
  if (from != 0) {
    const record_info& last = records[from - 1];
    const bool is_one = last.kind == record_kind::header_update && last.changes_header();
    updates = last.updates_before + (is_one ? 1u : 0u);
  }
  searched_records_ = records.size();
  if (none_lost) headerless_from_ = records.size();
  record update;
  for (std::size_t number = from; number < records.size(); ++number) {
    const record_info& info = records[number];
    if (info.ticks_before && info.updates_before > updates)
      headerless_from_ = std::min(headerless_from_, number);
    updates = info.updates_before;
    if (info.kind != record_kind::header_update) continue;
    if (info.changes_header()) ++updates;
    const auto done = reel_->read(number, update);
    if (done) {
      headerless_from_ = records.size();
    } else if (!is_damage(done.error().code)) {
      searched_records_ = static_cast<std::size_t>(-1);
      return done;
    } else if (info.changes_header()) {
      headerless_from_ = std::min(headerless_from_, number);
    }
  }
  return {};
}

bool frame_stream::is_decodable(std::size_t chunk) const noexcept {
  const bool enters = (reel_->contents().records[chunk].flags & starts_with_keyframe) != 0;
  return chunk < headerless_from_ && (has_baseline_ || enters);
}

void frame_stream::pass(const record_info& info) noexcept {
  if (!last_stamp_ || info.last_tick >= last_stamp_->tick) last_stamp_ = last_of(info);
}

}  // namespace tickreel::reel
