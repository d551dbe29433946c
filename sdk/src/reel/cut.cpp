#include "tickreel/reel/cut.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "appended.hpp"
#include "checked_stream.hpp"
#include "gathered_frames.hpp"
#include "tickreel/reel/frame_stream.hpp"
#include "tickreel/reel/published_sink.hpp"
#include "tickreel/reel/writer.hpp"
#include "wire.hpp"

namespace tickreel::reel {

namespace {

// The record to start from to reach `tick`; the first record if there is none.
std::size_t entrance_of(const reader& from, std::uint64_t tick) {
  return from.chunk_for_tick(tick).value_or(0);
}

// The start of the output: a keyframe, and the first requested tick.
struct beginning {
  std::size_t record = 0;
  frame_stamp keyframe;
  frame_stamp wanted;
};

result<beginning> find_beginning(reader& from, const cut_options& options, const frame_check& accepts) {
  beginning found;
  found.record = entrance_of(from, options.first_tick);
  checked_stream walk(from, accepts, {.first_record = found.record});
  std::optional<std::uint64_t> before;
  // Requested ticks that are lost.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> lost;
  const auto note_lost = [&](std::uint64_t first, std::uint64_t last) {
    if (last < options.first_tick || first > options.last_tick) return;
    lost = {lost ? std::min(lost->first, first) : first, lost ? std::max(lost->second, last) : last};
  };
  item next;
  for (;;) {
    const auto more = walk.next(next);
    if (!more) return fail(more.error());
    if (!*more) {
      if (!before) return fail(error_code::out_of_range, error::no_offset, "it holds no tick");
      return fail(error_code::out_of_range, error::no_offset, "the recording ends before that, with tick {}",
                  static_cast<std::int64_t>(*before));
    }
    if (next.kind == item_kind::loss) note_lost(next.lost.first.tick, next.lost.last.tick);
    if (next.kind == item_kind::gap) note_lost(next.in->info.first_tick, next.in->info.last_tick);
    if (next.kind != item_kind::frame) continue;
    const frame& one = next.frame;
    if (one.kind == frame_kind::keyframe) found.keyframe = one.stamp;
    if (one.stamp.tick < options.first_tick) {
      before = one.stamp.tick;
      continue;
    }
    found.wanted = one.stamp;
    if (one.stamp.tick <= options.last_tick) return found;
    if (lost) {
      return fail(error_code::out_of_range, error::no_offset, "no tick is there: ticks {} to {} are lost",
                  static_cast<std::int64_t>(lost->first), static_cast<std::int64_t>(lost->second));
    }
    if (!before && found.record != 0) {
      return fail(error_code::out_of_range, error::no_offset, "no tick is there: the next is tick {}",
                  static_cast<std::int64_t>(one.stamp.tick));
    }
    if (!before) {
      return fail(error_code::out_of_range, error::no_offset, "no tick is there: the first is tick {}",
                  static_cast<std::int64_t>(one.stamp.tick));
    }
    return fail(error_code::out_of_range, error::no_offset,
                "no tick is there: the one before is tick {}, the next is tick {}",
                static_cast<std::int64_t>(*before), static_cast<std::int64_t>(one.stamp.tick));
  }
}

class cutter {
 public:
  cutter(reader& from, writer& to, const cut_options& options, const frame_check& accepts,
         const beginning& begin)
      : from_(from), to_(to), options_(options), accepts_(accepts), begin_(begin) {
    first_ = options.rewriter == nullptr ? begin.keyframe.tick : begin.wanted.tick;
    report_.first_wanted = begin.wanted;
  }

  result<cut_report> run() {
    if (auto taken = take_along(); !taken) return fail(taken.error());
    checked_stream walk(from_, accepts_, {.first_record = begin_.record});
    item next;
    for (;;) {
      const auto more = walk.next(next);
      if (!more) return fail(more.error());
      report_.reached_end = !*more;
      if (!*more) break;
      // Events of the last tick may follow the chunk that contains it, and the chunk after that: a chunk that is full is
      // sealed with its last tick, before that tick's events arrive.
      const bool is_after_range = next.kind == item_kind::frame && next.frame.stamp.tick > options_.last_tick;
      if (is_after_range && (ends_in_ != next.in->info.sequence)) {
        const bool holds_last_tick = last_chunk_ && *last_chunk_ == next.in->info.sequence;
        if (report_.ticks == 0 || (passed_chunk_ && !holds_last_tick)) break;
        passed_chunk_ = passed_chunk_ || !holds_last_tick;
        ends_in_ = next.in->info.sequence;
      }
      if (is_after_range) continue;
      if (auto taken = take(walk, next); !taken) return fail(taken.error());
    }
    if (auto written = flush(); !written) return fail(written.error());
    if (options_.marks_missing_end && report_.reached_end && from_.contents().end != reel_end::closed) {
      const gap unknown{0, gap_reason::damaged};
      if (auto marked = gap_record(unknown, report_.last, report_.last); !marked) return fail(marked.error());
    }
    return report_;
  }

 private:
  // An unreadable event is a loss if other records depend on it.
  result<void> take_along() {
    if (!options_.takes_along) return {};
    const frame_stamp start = options_.rewriter == nullptr ? begin_.keyframe : begin_.wanted;
    const auto& records = from_.contents().records;
    record found;
    for (std::size_t number = 0; number < records.size(); ++number) {
      const record_info& info = records[number];
      const bool reaches_out = info.first_tick < first_ || info.last_tick > options_.last_tick;
      // A repetition of an event inside may follow the part.
      if (!holds_events(info.kind) || !(reaches_out || info.repeats())) continue;
      if (const auto got = from_.read(number, found); !got) {
        // A failure to read is not damage: the events may be intact.
        if (!is_damage(got.error().code)) return fail(got.error());
        continue;
      }
      if (info.repeats()) {
        const auto takes = repeats_.takes(from_, number);
        if (!takes) return fail(takes.error());
        if (!*takes) continue;
      }
      event one;
      frame_stamp stamp;
      event_cursor events(found);
      for (auto more = events.next(one, stamp); more && *more; more = events.next(one, stamp)) {
        const bool inside = stamp.tick >= first_ && stamp.tick <= options_.last_tick;
        if (inside ? !info.repeats() : !options_.takes_along(stamp.tick, one)) continue;
        if (auto added = add_event(inside ? stamp : start, one, true); !added) return added;
      }
    }
    return {};
  }

  result<void> add_event(frame_stamp stamp, const event& one, bool needed_later) {
    if (!options_.change_event)
      return appended_to(to_, to_.append_event(stamp, one.type, one.bytes, needed_later));
    event_bytes_.assign(one.bytes.begin(), one.bytes.end());
    options_.change_event(one.type, event_bytes_);
    return appended_to(to_, to_.append_event(stamp, one.type, event_bytes_, needed_later));
  }

  result<void> take(const checked_stream& walk, const item& next) {
    switch (next.kind) {
      case item_kind::frame:
        return take_frame(walk, next);
      case item_kind::loss:
        if (is_outside(next.lost.first.tick, next.lost.last.tick)) return {};
        report_missing(next);
        if (next.lost.ticks == 0 && next.lost.exact) return {};
        return gap_record({next.lost.ticks, reason_of(next.lost.cause)}, next.lost.first, next.lost.last);
      case item_kind::gap: {
        const record_info& info = next.in->info;
        // Only requested ticks, also if the gap reaches up to the first tick.
        if (info.last_tick < std::min(first_, options_.first_tick) || info.first_tick > options_.last_tick)
          return {};
        report_missing(next);
        return gap_record(next.gap, {info.first_tick, info.first_time_us},
                          {info.last_tick, info.last_time_us});
      }
      case item_kind::event: {
        const record_info& info = next.in->info;
        if (info.first_tick < first_ || info.first_tick > options_.last_tick) return {};
        if (options_.takes_along && is_repetition(info.sequence)) return {};
        if (auto written = flush(); !written) return written;
        return add_event({info.first_tick, info.first_time_us}, next.event, info.lasts());
      }
      case item_kind::header_update:  // the last one is already written
      case item_kind::other:
        return {};
    }
    return {};
  }

  // Whether take_along() has read it.
  [[nodiscard]] bool is_repetition(std::uint32_t sequence) const noexcept {
    return record_of(sequence)->repeats();
  }
  [[nodiscard]] std::vector<record_info>::const_iterator record_of(std::uint32_t sequence) const noexcept {
    const auto& records = from_.contents().records;
    return std::lower_bound(
        records.begin(), records.end(), sequence,
        [](const record_info& each, std::uint32_t wanted) { return each.sequence < wanted; });
  }

  [[nodiscard]] bool is_outside(std::uint64_t first, std::uint64_t last) const noexcept {
    return last < options_.first_tick || first > options_.last_tick;
  }

  void report_missing(const item& next) {
    if (options_.missing) options_.missing(next);
  }

  result<void> gap_record(const gap& lost, frame_stamp first, frame_stamp last) {
    if (auto written = flush(); !written) return written;
    return appended_to(to_, to_.append_gap(lost, first, last));
  }

  result<void> take_frame(const checked_stream& walk, const item& next) {
    const frame& one = next.frame;
    const record_info& info = next.in->info;
    if (one.stamp.tick < first_) {
      return options_.rewriter == nullptr ? result<void>{} : options_.rewriter->pass_over(one);
    }
    if (report_.ticks == 0) report_.first = one.stamp;
    if (one.stamp.tick < options_.first_tick) ++report_.ahead;
    report_.last = one.stamp;
    const bool follows_copy = copied_ && last_chunk_ == copied_;
    last_chunk_ = info.sequence;
    constexpr std::uint64_t report_every = 1024;
    if (report_.ticks++ % report_every == 0 && options_.progress &&
        !options_.progress(one.stamp.tick - first_, options_.last_tick - first_)) {
      return fail(error_code::interrupted);
    }
    if (copied_ == info.sequence) return {};
    // A chunk that continues a rewritten one joins its block.
    const bool joins = options_.rewriter != nullptr && !info.is_entrance();
    if (chunk_ && *chunk_ != info.sequence && !joins) {
      if (auto written = flush(); !written) return written;
    }
    const bool stands = options_.rewriter == nullptr || info.is_entrance() || follows_copy;
    const bool all = stands && info.first_tick >= first_ && info.last_tick <= options_.last_tick &&
                     walk.is_sound_chunk() && !chunk_;
    if (all) {
      copied_ = info.sequence;
      // A later chunk that is rewritten may continue this one.
      if (options_.rewriter != nullptr) {
        if (auto passed = options_.rewriter->pass_over(one); !passed) return passed;
      }
      return copy(info);
    }
    chunk_ = info.sequence;
    if (options_.rewriter != nullptr) return rewrite(one);
    frames_.add(one);
    return {};
  }

  result<void> rewrite(const frame& one) {
    // Not flush(): the rest of the chunk is still being collected, and precedes the next chunk.
    if (gathered_ != 0 && options_.rewriter->is_due(one)) {
      gathered_ = 0;
      if (auto written = options_.rewriter->write(to_); !written) return written;
    }
    ++gathered_;
    return options_.rewriter->add(one);
  }

  result<void> copy(const record_info& info) {
    const auto number = static_cast<std::size_t>(record_of(info.sequence) - from_.contents().records.begin());
    const auto read = from_.read_stored(number, bytes_);
    if (!read) return read;
    const std::size_t head_bytes = bytes_.size() - wire::hash_bytes - info.stored_bytes;
    return appended_to(to_,
                       to_.append_stored(info, byte_span(bytes_).subspan(head_bytes, info.stored_bytes)));
  }

  result<void> flush() {
    chunk_.reset();
    if (!frames_.empty()) return frames_.write(to_);
    if (std::exchange(gathered_, 0) == 0) return {};
    return options_.rewriter->write(to_);
  }

  reader& from_;
  writer& to_;
  const cut_options& options_;
  const frame_check& accepts_;
  const beginning& begin_;
  std::uint64_t first_ = 0;
  cut_report report_;
  std::optional<std::uint32_t> copied_;      // the last chunk that was copied whole
  std::optional<std::uint32_t> chunk_;       // whose frames are being collected
  std::optional<std::uint32_t> last_chunk_;  // of the last frame
  std::optional<std::uint32_t> ends_in_;     // the last one with frames after the last tick
  bool passed_chunk_ = false;                // one that has only such frames
  gathered_frames frames_;                   // without a rewriter
  byte_vector bytes_;
  byte_vector event_bytes_;
  std::uint64_t gathered_ = 0;  // by the rewriter
  repeat_filter repeats_;
};

}  // namespace

result<std::uint64_t> first_tick_from(reader& from, std::int64_t time_us, edge at) {
  const std::size_t entrance = from.chunk_for_time(time_us).value_or(0);
  frame_stream walk(from, {.first_record = entrance});
  frame one;
  std::optional<frame_stamp> last;
  for (;;) {
    const auto more = walk.next(one);
    if (!more) return fail(more.error());
    if (!*more && !last) return fail(error_code::out_of_range, error::no_offset, "it holds no tick");
    if (!*more) {
      return fail(error_code::out_of_range, error::no_offset,
                  "it ends with tick {}, {} ms after its beginning", static_cast<std::int64_t>(last->tick),
                  last->time_us / 1000);
    }
    if (one.stamp.time_us >= time_us) {
      if (at == edge::readable) return one.stamp.tick;
      if (last) return last->tick + 1;
      // The first frames of the entrance may be lost.
      return entrance == 0 ? 0 : std::min(one.stamp.tick, from.contents().records[entrance].first_tick);
    }
    last = one.stamp;
  }
}

result<cut_report> cut_into(reader& from, const file_path& output, const cut_options& options) {
  const frame_check accepts = check_for(options.accepts, options.rewriter);
  const auto begin = find_beginning(from, options, accepts);
  if (!begin) return fail(begin.error());
  auto to = published_file::create(output, options.overwrite);
  if (!to) return fail(to.error());
  header head = from.head();
  for (const metadata_entry& each : options.metadata) {
    std::erase_if(head.metadata, [&](const metadata_entry& one) { return one.key == each.key; });
    head.metadata.push_back(each);
  }
  auto out = writer::create_without_file(std::move(head), codec_of_copy(from.head()));
  if (!out) return fail(out.error());
  out->add_sink(std::make_unique<published_sink>(*to));
  const auto update = from.last_header_update();
  if (!update) return fail(update.error());
  if (!update->empty()) {
    record_info about;
    about.kind = record_kind::header_update;
    about.first_tick = about.last_tick = begin->keyframe.tick;
    about.first_time_us = about.last_time_us = begin->keyframe.time_us;
    if (const auto appended = out->append(about, *update); !appended) return fail(appended.error());
  }
  auto report = cutter(from, *out, options, accepts, *begin).run();
  if (!report) return report;
  if (const auto done = out->finish(); !done) return fail(done.error());
  if (out->sink_failure()) return fail(*out->sink_failure());
  report->bytes = to->size();
  if (const auto done = to->commit(); !done) return fail(done.error());
  return report;
}

}  // namespace tickreel::reel
