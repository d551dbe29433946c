#include "record_copier.hpp"

#include <algorithm>
#include <utility>

#include "appended.hpp"
#include "wire.hpp"

namespace tickreel::reel {

namespace {

// Events that wait for their chunk; more are written before it.
constexpr std::size_t max_event_bytes = 8u << 20;

}  // namespace

result<void> record_copier::take(const checked_stream& walk, const item& next) {
  if (options_.rewriter != nullptr) return rewrite(walk, next);
  return copy(walk, next);
}

result<void> record_copier::finish() {
  if (auto written = flush(); !written) return written;
  return after_chunk(std::nullopt);
}

// An event may wait for the chunk of its tick; other records may not.
result<void> record_copier::rewrite(const checked_stream& walk, const item& next) {
  if (next.kind == item_kind::frame) {
    // Events follow the chunk of their ticks.
    const bool events_first = gathered_ == 0 && !events_.empty();
    if (events_first || (gathered_ != 0 && options_.rewriter->is_due(next.frame))) {
      if (auto written = flush(); !written) return written;
    }
    if (gathered_++ % 4096 == 0 && !may_continue(options_, next.in->info.offset, from_.contents())) {
      return fail(error_code::interrupted);
    }
    return options_.rewriter->add(next.frame);
  }
  if (next.kind == item_kind::event) {
    if (event_bytes_ >= max_event_bytes) {
      if (auto written = flush(); !written) return written;
    }
    const record_info& info = next.in->info;
    event_bytes_ += next.event.bytes.size() + sizeof(stamped_event);
    events_.push_back({{info.first_tick, info.first_time_us},
                       next.event.type,
                       byte_vector(next.event.bytes.begin(), next.event.bytes.end()),
                       info.lasts()});
    return {};
  }
  if (auto written = flush(); !written) return written;
  return copy(walk, next);
}

result<void> record_copier::flush() {
  if (options_.rewriter == nullptr) return flush_frames();
  if (std::exchange(gathered_, 0) != 0) {
    if (auto written = options_.rewriter->write(to_); !written) return written;
  }
  if (auto written = to_.append_events(events_); !written) return written;
  if (to_.sink_failure()) return fail(*to_.sink_failure());
  events_.clear();
  event_bytes_ = 0;
  return {};
}

result<void> record_copier::copy(const checked_stream& walk, const item& next) {
  if (next.kind == item_kind::frame) return copy_frame(walk, next);
  if (auto written = flush(); !written) return written;
  if (next.kind == item_kind::loss) return take(next.lost);
  const record_info& info = next.in->info;
  if (next.kind == item_kind::event && options_.leaves_out) {
    if (options_.leaves_out(next.event)) return {};
    // Some events of a shared record may be omitted.
    if (info.kind == record_kind::events) {
      return appended_to(
          to_, to_.append_event({info.first_tick, info.first_time_us}, next.event.type, next.event.bytes));
    }
  }
  // Added by content, so that the writer can repeat it.
  if (next.kind == item_kind::event && info.lasts()) {
    return appended_to(to_, to_.append_event({info.first_tick, info.first_time_us}, next.event.type,
                                             next.event.bytes, true));
  }
  if (copied_ == info.sequence) return {};
  copied_ = info.sequence;
  if (!may_continue(options_, info.offset, from_.contents())) return fail(error_code::interrupted);
  return copy(info);
}

// A chunk of which every frame is returned is copied unchanged.
result<void> record_copier::copy_frame(const checked_stream& walk, const item& next) {
  const record_info& info = next.in->info;
  if (copied_ == info.sequence) return {};
  if (frames_of_ != info.sequence) {
    if (auto written = flush(); !written) return written;
    if (!may_continue(options_, info.offset, from_.contents())) return fail(error_code::interrupted);
  }
  frames_of_ = info.sequence;
  if (!walk.is_sound_chunk()) {
    frames_.add(next.frame);
    return {};
  }
  copied_ = info.sequence;
  if (auto copied = copy(info); !copied) return copied;
  return after_chunk(frame_stamp{info.last_tick, info.last_time_us});
}

result<void> record_copier::flush_frames() {
  if (frames_.empty()) return {};
  const frame_stamp last = frames_.last();
  if (auto written = frames_.write(to_); !written) return written;
  return after_chunk(last);
}

result<void> record_copier::after_chunk(const std::optional<frame_stamp>& last) {
  return options_.after_chunk ? options_.after_chunk(last, to_) : result<void>{};
}

// Only ticks become a gap. The gap of the tail is written at the end.
result<void> record_copier::take(const loss& lost) {
  if ((lost.ticks == 0 && lost.exact) || is_torn_tail(lost)) return {};
  return appended_to(to_, to_.append_gap({lost.ticks, reason_of(lost.cause)}, lost.first, lost.last));
}

result<void> record_copier::copy(const record_info& info) {
  const auto& records = from_.contents().records;
  const auto place = std::lower_bound(
      records.begin(), records.end(), info.sequence,
      [](const record_info& each, std::uint32_t sequence) { return each.sequence < sequence; });
  const auto read = from_.read_stored(static_cast<std::size_t>(place - records.begin()), bytes_);
  if (!read) return read;
  const std::size_t head_bytes = bytes_.size() - wire::hash_bytes - info.stored_bytes;
  return appended_to(to_,
                     to_.append_stored(*place, byte_span(bytes_).subspan(head_bytes, info.stored_bytes)));
}

}  // namespace tickreel::reel
