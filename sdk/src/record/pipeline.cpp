#include "tickreel/record/pipeline.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include "pipeline_state.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/record/clock.hpp"

namespace tickreel::detail {

namespace {

constexpr std::size_t max_event_bytes = 64u << 10;
constexpr std::size_t max_waiting_event_bytes = 1u << 20;
constexpr std::size_t max_waiting_events = 4096;
// Limits events that the disk does not accept. Readers accept a record of any of them.
constexpr std::size_t max_unwritten_event_bytes = 8u << 20;

}  // namespace

std::int64_t steady_time_us() noexcept {
  return clocks().steady_us();
}

void wait_for_room(std::uint32_t attempt) noexcept {
  rest_for(std::chrono::microseconds(attempt < 64 ? 0 : 100));
}

pipeline::state::state(const tick_source& ticks, const recorder_options& settings, reel::writer&& reel)
    : source(ticks),
      options(settings),
      out(std::move(reel)),
      cadence(settings.cadence),
      buffer(ticks.write_block == nullptr ? settings.seal_bytes + frame_head_bytes + ticks.max_frame_bytes
                                          : 0),
      block_room(ticks.write_block == nullptr
                     ? 0
                     : reel::block_chunk_bytes(ticks.max_block_bytes, ticks.max_block_rows)),
      header_room(ticks.max_header_bytes),
      observed(settings.observer) {
  rows.reserve(ticks.max_block_rows);
}

pipeline::pipeline(std::unique_ptr<state> owned) noexcept : state_(std::move(owned)) {}

pipeline::~pipeline() {
  state_->thread.stop();
}

result<std::unique_ptr<pipeline>> pipeline::create(const file_path& path, const tick_source& source,
                                                   const recorder_options& options,
                                                   std::vector<std::unique_ptr<reel::sink>> sinks,
                                                   system_calls* calls) {
  // An incompressible chunk must still be within the limits of readers.
  const reel::limits limits;
  if (source.write_block != nullptr &&
      reel::block_chunk_bytes(source.max_block_bytes, source.max_block_rows) > limits.max_stored_bytes) {
    return fail(error_code::invalid_argument, error::no_offset,
                "a block of {} bytes with its ticks is larger than a chunk, which holds {}",
                static_cast<std::int64_t>(source.max_block_bytes), limits.max_stored_bytes);
  }
  if (source.max_frame_bytes > limits.max_stored_bytes || options.seal_bytes > limits.max_stored_bytes ||
      options.seal_bytes + frame_head_bytes + source.max_frame_bytes > limits.max_stored_bytes) {
    return fail(error_code::invalid_argument, error::no_offset,
                "seal_bytes and the encoder's largest frame are {} bytes together; a chunk holds {}",
                static_cast<std::int64_t>(source.max_frame_bytes) + options.seal_bytes,
                limits.max_stored_bytes);
  }
  if (path.empty() && sinks.empty()) {
    return fail(error_code::invalid_argument, error::no_offset, "neither a path nor a sink");
  }
  reel::header head;
  head.encoder_name = source.encoder_name;
  head.encoder_version = source.encoder_version;
  head.ticks_per_second = options.ticks_per_second;
  head.start_time_us = options.start_time_us != 0 ? options.start_time_us : clocks().wall_us();
  head.schema = options.schema;
  head.metadata = options.metadata;
  auto out = path.empty() ? reel::writer::create_without_file(std::move(head), options.codec)
                          : reel::writer::create(path, std::move(head), options.codec,
                                                 calls != nullptr ? *calls : system_calls::real());
  if (!out) return fail(out.error());
  for (auto& sink : sinks) out->add_sink(std::move(sink));
  if (path.empty() && out->failed_sinks() == sinks.size()) return fail(*out->sink_failure());
  auto made = std::make_unique<state>(source, options, std::move(*out));
  made->counters.stored_bytes.set(made->out.bytes());
  return std::unique_ptr<pipeline>(new pipeline(std::move(made)));
}

result<void> pipeline::start() {
  if (state_->options.mode == threading::pumped) return {};
  auto started =
      state_->thread.start([](void* self) noexcept { static_cast<state*>(self)->run(); }, state_.get());
  if (!started) state_->out.discard();
  return started;
}

result<close_report> pipeline::close(const tick_loss& unwritten, const closing& last) {
  state& self = *state_;
  self.thread.stop();
  while (self.pass(static_cast<std::size_t>(-1)) != 0) {}
  self.gaps.of(reel::gap_reason::ring_full).add(unwritten.count, unwritten.first, unwritten.last);
  if (last.last_frames != nullptr) last.last_frames(last.self);
  // A sink that joins now must not receive a chunk that depends on one before it.
  const bool depends = self.chunk.frames != 0 && (self.chunk.flags & reel::starts_with_keyframe) == 0;
  if (depends && self.has_new_sinks.load(std::memory_order_relaxed)) self.seal();
  self.join_sinks();
  self.take_notes();
  const std::uint64_t last_tick = self.last_tick;
  const std::int64_t last_time_us = self.last_time_us;
  self.seal();
  // What the seal could not write is a gap now; the end record must not be written without it.
  result<void> ended = self.write_unsealed();
  if (ended) ended = self.repeat_header();
  if (ended && last.last_header != nullptr) {
    byte_vector header;
    last.last_header(last.self, header);
    reel::record_info about;
    about.kind = reel::record_kind::header_update;
    about.first_tick = about.last_tick = last_tick;
    about.first_time_us = about.last_time_us = last_time_us;
    if (const auto done = self.out.append(about, header); !done) ended = fail(done.error());
  }
  const std::size_t failed_before = self.out.failed_sinks();
  if (ended) ended = self.out.finish();
  for (const waiting_event& event : self.events) self.lose_event(event.type);
  self.events.clear();
  self.counters.stored_bytes.set(self.out.bytes());
  self.counters.failed_sinks.set(self.out.failed_sinks());
  if (!ended) {
    self.report(ended);
    self.out.abandon();
    error what = ended.error();
    what.detail = "the reel has no end record; {} tick{s} in it, {} lost";
    what.values[0] = static_cast<std::int64_t>(self.counters.written.get());
    what.values[1] = static_cast<std::int64_t>(self.counters.lost.get());
    return fail(what);
  }
  self.observed.file_works();
  // A sink that has not delivered everything reports that when it is closed.
  if (self.out.failed_sinks() > failed_before) {
    self.last_failure = self.out.sink_failure();
    self.observed.sink_failed(*self.last_failure);
  }
  close_report report;
  report.earlier_failure = self.last_failure;
  return report;
}

void pipeline::add_counters(recorder_counters& to) const noexcept {
  const auto& from = state_->counters;
  to.written = from.written.get();
  to.lost = from.lost.get();
  to.noted = from.noted.get();
  to.keyframes = from.keyframes.get();
  to.chunks = from.chunks.get();
  to.events = from.events.get();
  to.events_lost = from.events_lost.get();
  to.raw_bytes = from.raw_bytes.get();
  to.stored_bytes = from.stored_bytes.get();
  to.failed_writes = from.failed_writes.get();
  to.failed_syncs = from.failed_syncs.get();
  to.failed_sinks = from.failed_sinks.get();
}

std::optional<error> pipeline::failure() const {
  const std::lock_guard guard(state_->lock);
  return state_->current_failure;
}

std::size_t pipeline::pump(std::size_t max_ticks) noexcept {
  return is_pumped() ? state_->pass(max_ticks) : 0;
}

bool pipeline::is_pumped() const noexcept {
  return state_->options.mode == threading::pumped;
}

void pipeline::force_keyframe() noexcept {
  state_->keyframe_wanted.store(true, std::memory_order_relaxed);
}

bool pipeline::event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later) {
  {
    const std::lock_guard guard(state_->lock);
    if (bytes.size() <= max_event_bytes && state_->noted_events.size() < max_waiting_events &&
        state_->noted_event_bytes + bytes.size() <= max_waiting_event_bytes) {
      state_->noted_events.push_back({stamp, type, byte_vector(bytes.begin(), bytes.end()), needed_later});
      state_->noted_event_bytes += bytes.size();
      state_->has_notes.store(true, std::memory_order_release);
      return true;
    }
  }
  state_->counters.events_lost.add(1);
  return false;
}

void pipeline::note_gap(const tick_loss& loss, reel::gap_reason reason) {
  if (loss.empty()) return;
  const std::lock_guard guard(state_->lock);
  state_->noted_gaps.of(reason).add(loss);
  state_->counters.noted.add(loss.count);
  state_->has_notes.store(true, std::memory_order_release);
}

void pipeline::add_sink(std::unique_ptr<reel::sink> sink) {
  const std::lock_guard guard(state_->lock);
  state_->new_sinks.push_back(std::move(sink));
  state_->has_new_sinks.store(true, std::memory_order_release);
}

void pipeline::note_dropped(const tick_loss& loss) noexcept {
  state_->gaps.of(reel::gap_reason::ring_full).add(loss.count, loss.first, loss.last);
  state_->start_clock();
}

frame_kind pipeline::begin_row(frame_stamp stamp, bool continues) noexcept {
  state& self = *state_;
  const bool joining = self.has_new_sinks.load(std::memory_order_relaxed);
  const bool wanted = self.take_keyframe_request();
  const bool restarts = wanted || joining || self.must_restart;
  // Only the first row of a block can be a keyframe.
  if (self.chunk.frames != 0 && restarts) self.seal();
  if (joining) self.join_sinks();
  if (self.chunk.frames != 0) {
    self.cadence.count();
    return frame_kind::delta;
  }
  // The seal may have failed.
  if (restarts || self.must_restart || !continues) self.cadence.force();
  self.must_restart = false;
  return self.cadence.next(stamp);
}

void pipeline::end_row(frame_stamp stamp, frame_kind kind, bool taken, bool full) noexcept {
  if (!taken) {
    // The block would have continued the last one; the next block cannot.
    if (state_->chunk.frames == 0) state_->source.clear_rows(state_->source.self);
    return state_->lose(stamp, reel::gap_reason::encoder_failed);
  }
  state_->end(stamp, kind, 0);
  if (full && state_->chunk.frames != 0) state_->seal();
}

frame_kind pipeline::begin_frame(frame_stamp stamp, bool needs_keyframe) noexcept {
  state& self = *state_;
  const bool joining = self.has_new_sinks.load(std::memory_order_relaxed);
  const bool wanted = self.take_keyframe_request();
  if (needs_keyframe || wanted || joining || self.must_restart) self.cadence.force();
  const frame_kind kind = self.cadence.next(stamp);
  self.begin(kind);
  return kind;
}

void pipeline::state::begin(frame_kind kind) noexcept {
  if (kind != frame_kind::keyframe) return;
  const bool joining = has_new_sinks.load(std::memory_order_relaxed);
  if (chunk.frames != 0 && (joining || last_kind == frame_kind::delta)) seal();
  if (joining) join_sinks();
  must_restart = false;
}

mutable_byte_span pipeline::room() noexcept {
  return mutable_byte_span(state_->buffer)
      .subspan(state_->filled + frame_head_bytes, state_->source.max_frame_bytes);
}

void pipeline::end_frame(frame_stamp stamp, frame_kind kind, const byte_writer& frame) noexcept {
  if (!frame.ok()) return state_->lose(stamp, reel::gap_reason::encoder_failed);
  state_->end(stamp, kind, frame.size());
}

bool pipeline::frame(frame_stamp stamp, frame_kind kind, std::span<const byte_span> parts) noexcept {
  state& self = *state_;
  std::size_t bytes = 0;
  for (const byte_span part : parts) bytes += part.size();
  // An incompressible chunk must still be within the limits of readers.
  const std::size_t limit = reel::limits{}.max_stored_bytes;
  if (bytes > limit - frame_head_bytes) {
    self.lose(stamp, reel::gap_reason::encoder_failed);
    return false;
  }
  if (kind == frame_kind::keyframe) self.keyframe_wanted.store(false, std::memory_order_relaxed);
  self.begin(kind);
  if (self.filled + frame_head_bytes + bytes > limit) {
    const bool had_to_restart = std::exchange(self.must_restart, false);
    self.seal();
    const bool baseline_lost = std::exchange(self.must_restart, self.must_restart || had_to_restart);
    if (baseline_lost && kind == frame_kind::delta) {
      self.lose(stamp, reel::gap_reason::sink_failed);
      return false;
    }
  }
  const std::size_t needed = self.filled + frame_head_bytes + bytes;
  if (self.buffer.size() < needed) {
    self.buffer.resize(std::max(needed, std::min(limit, self.buffer.size() * 2)));
  }
  std::byte* to = self.buffer.data() + self.filled + frame_head_bytes;
  for (const byte_span part : parts) {
    if (!part.empty()) std::memcpy(to, part.data(), part.size());
    to += part.size();
  }
  self.end(stamp, kind, bytes);
  return true;
}

bool pipeline::wants_keyframe() const noexcept {
  return state_->keyframe_wanted.load(std::memory_order_relaxed) ||
         state_->has_new_sinks.load(std::memory_order_relaxed);
}

void pipeline::add_event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later) {
  state_->add_event({stamp, type, byte_vector(bytes.begin(), bytes.end()), needed_later});
}

void pipeline::add_gap(const tick_loss& loss, reel::gap_reason reason) noexcept {
  if (loss.count == 0) return;
  state_->gaps.of(reason).add(loss.count, loss.first, loss.last);
  state_->counters.noted.add(loss.count);
  state_->start_clock();
}

void pipeline::lose(frame_stamp stamp, reel::gap_reason reason) noexcept {
  state_->lose(stamp, reason);
}

void pipeline::lose_event(std::uint32_t type) noexcept {
  state_->lose_event(type);
}

std::uint64_t pipeline::bytes() const noexcept {
  return state_->out.bytes() + state_->filled + state_->event_bytes;
}

void pipeline::state::lose(frame_stamp stamp, reel::gap_reason reason) noexcept {
  start_clock();
  gaps.of(reason).add(1, stamp, stamp);
  counters.lost.add(1);
  must_restart = true;
}

void pipeline::state::end(frame_stamp stamp, frame_kind kind, std::size_t bytes) noexcept {
  start_clock();
  if (chunk.frames == 0) {
    chunk.first_tick = chunk.last_tick = stamp.tick;
    chunk.first_time_us = chunk.last_time_us = stamp.time_us;
    chunk.flags = kind == frame_kind::keyframe ? reel::starts_with_keyframe : 0;
  }
  if (source.write_block != nullptr) {
    rows.push_back(stamp);
  } else {
    byte_writer head(mutable_byte_span(buffer).subspan(filled, frame_head_bytes));
    reel::write_frame_head(head, {chunk.last_tick, chunk.last_time_us}, stamp, kind, bytes);
    std::memmove(buffer.data() + filled + head.size(), buffer.data() + filled + frame_head_bytes, bytes);
    filled += head.size() + bytes;
  }
  chunk.last_tick = last_tick = stamp.tick;
  chunk.last_time_us = last_time_us = stamp.time_us;
  ++chunk.frames;
  if (kind == frame_kind::keyframe) ++keyframes_in_chunk;
  last_kind = kind;
  if (filled >= options.seal_bytes || (options.seal_frames != 0 && chunk.frames >= options.seal_frames)) {
    seal();
  }
}

// A failing disk must not fill the memory.
void pipeline::state::add_event(waiting_event&& event) {
  const std::size_t bytes = event.bytes.size() + sizeof(waiting_event);
  if (event_bytes + bytes > max_unwritten_event_bytes && !failing) seal();
  if (event_bytes + bytes > max_unwritten_event_bytes) return lose_event(event.type);
  event_bytes += bytes;
  events.push_back(std::move(event));
  start_clock();
}

void pipeline::state::lose_event(std::uint32_t type) noexcept {
  counters.events_lost.add(1);
  if (source.event_lost != nullptr) source.event_lost(source.self, type);
}

}  // namespace tickreel::detail
