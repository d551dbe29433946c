#include "match_reel.hpp"

#include <algorithm>
#include <cmath>

#include "keyframe_notes.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::game {

namespace {

// A day: a tick that lasts longer is none.
constexpr double longest_tick_us = 86'400e6;

double tick_us_of(const icrep::metadata& facts) {
  const double us = icrep::tick_seconds(facts).value_or(0) * 1e6;
  return us >= 1 && us <= longest_tick_us ? us : 0;
}

}  // namespace

bool is_reel(byte_span file) noexcept {
  constexpr std::string_view magic = "TICKREEL";
  return as_text(file).starts_with(magic);
}

reel::header match_reel_header(const icrep::metadata& facts) {
  reel::header head;
  head.encoder_name = match_reel_encoder;
  head.encoder_version = match_reel_version;
  if (const double us = tick_us_of(facts); us != 0) {
    head.tick_rate_mhz = static_cast<std::uint32_t>(std::llround(1e9 / us));
  }
  const std::string json = icrep::to_json(facts);
  const byte_span schema = as_bytes(json);
  head.schema.assign(schema.begin(), schema.end());
  return head;
}

match_reel_writer::match_reel_writer(reel::writer out, const icrep::metadata& facts)
    : out_(std::move(out)), tick_us_(tick_us_of(facts)) {}

frame_stamp match_reel_writer::stamp_of(std::uint64_t tick) const noexcept {
  const double us = static_cast<double>(tick) * tick_us_;
  // Beyond that, 285 years, doubles have no microseconds any more.
  constexpr double last_us = 9.0e15;
  return {tick, static_cast<std::int64_t>(std::min(us, last_us))};
}

result<void> match_reel_writer::keyframe(std::uint64_t tick, bool full, byte_span raw) {
  if (auto done = release_held(nullptr); !done) return done;
  if (tick < next_tick_) {
    return fail(error_code::invalid_argument, error::no_offset, "a keyframe of tick {} behind tick {}",
                static_cast<std::int64_t>(tick), static_cast<std::int64_t>(next_tick_) - 1);
  }
  held_tick_ = tick;
  held_is_full_ = full;
  held_bytes_.assign(raw.begin(), raw.end());
  return {};
}

result<void> match_reel_writer::frame(const icrep::tick_frame& frame) {
  if (held_tick_ && *held_tick_ != frame.tick) {
    if (auto done = release_held(nullptr); !done) return done;
  }
  if (frame.tick < next_tick_) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} behind tick {}",
                static_cast<std::int64_t>(frame.tick), static_cast<std::int64_t>(next_tick_) - 1);
  }
  if (held_tick_) return release_held(&frame);
  frame_bytes_.assign(1, std::byte{orders_part});
  icrep::append_bc1(frame_bytes_, frame);
  return add(frame.tick, false);
}

// The keyframe that waits, with its tick's frame if that came.
result<void> match_reel_writer::release_held(const icrep::tick_frame* with) {
  if (!held_tick_) return {};
  const std::uint64_t tick = *held_tick_;
  held_tick_.reset();
  unsigned parts = held_is_full_ ? full_part : delta_part;
  if (with != nullptr) parts |= orders_part;
  frame_bytes_.assign(1, static_cast<std::byte>(parts));
  append_numbers(frame_bytes_, static_cast<std::uint32_t>(held_bytes_.size()));
  append_bytes(frame_bytes_, held_bytes_);
  if (with != nullptr) icrep::append_bc1(frame_bytes_, *with);
  held_bytes_.clear();
  return add(tick, held_is_full_);
}

// frame_bytes_ as a frame of the chunk.
result<void> match_reel_writer::add(std::uint64_t tick, bool keyframe) {
  // Readers enter a reel at chunks that begin with a keyframe. When it can't be written now the chunk goes
  // on: readers that come from before it lose nothing.
  if (keyframe && chunk_.frames != 0) (void)seal();
  const frame_stamp stamp = stamp_of(tick);
  if (tick > next_tick_) {
    lost_.push_back({tick - next_tick_, stamp_of(next_tick_), stamp_of(tick - 1)});
  }
  if (chunk_.frames == 0) {
    chunk_.flags = keyframe ? reel::starts_with_keyframe : 0;
    chunk_.first_tick = chunk_.last_tick = stamp.tick;
    chunk_.first_time_us = chunk_.last_time_us = stamp.time_us;
  }
  std::byte room[3 * leb128_max_size];
  byte_writer head(room);
  write_leb128(head, stamp.tick - chunk_.last_tick);
  write_leb128(head, zigzag_encode(stamp.time_us - chunk_.last_time_us));
  write_leb128(head, std::uint64_t{frame_bytes_.size()} * 2 + (keyframe ? 1 : 0));
  append_bytes(chunk_bytes_, head.written());
  append_bytes(chunk_bytes_, frame_bytes_);
  chunk_.last_tick = stamp.tick;
  chunk_.last_time_us = stamp.time_us;
  ++chunk_.frames;
  next_tick_ = tick + 1;
  return {};
}

void match_reel_writer::event(const analysis::event& happened) {
  record& one = records_.emplace_back();
  one.stamp = stamp_of(analysis::tick_of(happened));
  one.type = static_cast<std::uint32_t>(happened.what.index());
  icrep::append_event(one.bytes, happened);
  record_bytes_ += one.bytes.size();
}

void match_reel_writer::voice(std::uint64_t tick, const icrep::voice::record& said) {
  record& one = records_.emplace_back();
  one.stamp = stamp_of(tick);
  one.type = voice_event_type;
  icrep::append_voice(one.bytes, said);
  record_bytes_ += one.bytes.size();
}

result<void> match_reel_writer::seal() {
  while (!lost_.empty()) {
    const lost_ticks& one = lost_.front();
    const auto done = out_.append_gap({one.count, reel::gap_reason::ring_full}, one.first, one.last);
    if (!done) return fail(done.error());
    lost_.erase(lost_.begin());
  }
  if (chunk_.frames != 0) {
    chunk_.kind = reel::record_kind::chunk;
    if (const auto done = out_.append(chunk_, chunk_bytes_); !done) return fail(done.error());
    chunk_ = {};
    chunk_bytes_.clear();
  }
  std::size_t written = 0;
  result<void> outcome;
  for (; written < records_.size() && outcome; ++written) {
    const record& one = records_[written];
    const auto done = out_.append_event(one.stamp, one.type, one.bytes);
    if (!done) {
      outcome = fail(done.error());
      break;
    }
    record_bytes_ -= one.bytes.size();
  }
  records_.erase(records_.begin(), records_.begin() + static_cast<std::ptrdiff_t>(written));
  return outcome;
}

void match_reel_writer::drop_waiting() {
  if (chunk_.frames != 0) {
    lost_.push_back(
        {chunk_.frames, {chunk_.first_tick, chunk_.first_time_us}, {chunk_.last_tick, chunk_.last_time_us}});
  }
  chunk_ = {};
  chunk_bytes_.clear();
  records_.clear();
  record_bytes_ = 0;
}

result<void> match_reel_writer::finish(const match_end& end) {
  if (auto done = release_held(nullptr); !done) return done;
  if (auto done = seal(); !done) return done;
  byte_vector payload;
  icrep::append_bc1(payload, end);
  reel::record_info about;
  about.kind = reel::record_kind::header_update;
  const frame_stamp last = stamp_of(next_tick_ == 0 ? 0 : next_tick_ - 1);
  about.first_tick = about.last_tick = last.tick;
  about.first_time_us = about.last_time_us = last.time_us;
  if (const auto done = out_.append(about, payload); !done) return fail(done.error());
  return out_.finish();
}

}  // namespace tickreel::game
