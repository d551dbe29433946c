// Sealing: writes waiting data as records into the reel; also the writer thread.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <span>
#include <utility>

#include "pipeline_state.hpp"

namespace tickreel::detail {

namespace {

// The sleep between two polls of the ring. The producer wakes no thread, because that would be a system call;
// so the thread polls often under load and rarely otherwise. The longest sleep adds to the time that a killed
// process can lose. The shortest keeps a ring of 256 from filling at a million ticks per second.
using std::chrono::microseconds;
constexpr microseconds shortest_nap{100};
constexpr microseconds longest_nap{8000};

}  // namespace

// Processes everything that waits, at most `max_ticks`, then checks the durability clock.
std::size_t pipeline::state::pass(std::size_t max_ticks) noexcept {
  const std::size_t ticks = source.drain(source.self, max_ticks);
  if (has_notes.load(std::memory_order_acquire)) take_notes();
  if (unsealed_since_us &&
      steady_time_us() - *unsealed_since_us >= std::int64_t{options.seal_interval_ms} * 1000) {
    seal();
  }
  if (unsynced && steady_time_us() - synced_at_us >= std::int64_t{options.sync_interval_ms} * 1000) {
    if (const auto done = sync(); !done) report(done);
  }
  return ticks;
}

void pipeline::state::run() noexcept {
  // At most as many as the ring holds, so that the clock is also read while a producer never pauses.
  const std::size_t capacity = options.ring_ticks;
  microseconds pause = shortest_nap;
  for (;;) {
    const std::size_t ticks = pass(capacity);
    pause = ticks > capacity / 4 ? shortest_nap : std::min(pause * 2, longest_nap);
    if (thread.is_ended()) return;
    if (ticks >= capacity / 2 && ticks > 1) continue;
    if (!thread.rest(pause)) return;
  }
}

void pipeline::state::take_notes() {
  std::vector<waiting_event> taken;
  {
    const std::lock_guard guard(lock);
    has_notes.store(false, std::memory_order_relaxed);
    gaps.merge(noted_gaps);
    taken.swap(noted_events);
    noted_event_bytes = 0;
  }
  start_clock();
  for (waiting_event& event : taken) add_event(std::move(event));
}

void pipeline::state::join_sinks() {
  std::vector<std::unique_ptr<reel::sink>> joining;
  {
    const std::lock_guard guard(lock);
    has_new_sinks.store(false, std::memory_order_relaxed);
    joining.swap(new_sinks);
  }
  for (auto& sink : joining) out.add_sink(std::move(sink));
  // New sinks lack the encoder's header: write it again.
  if (joining.empty()) return;
  header_for_sinks = true;
  if (source.sinks_joined != nullptr) source.sinks_joined(source.self);
}

void pipeline::state::start_clock() noexcept {
  if (!unsealed_since_us) unsealed_since_us = steady_time_us();
}

void pipeline::state::seal() noexcept {
  if (has_notes.load(std::memory_order_acquire)) take_notes();
  result<void> outcome = write_unsealed();
  if (!outcome) {
    counters.failed_writes.add(1);
  } else if (options.sync_each_chunk) {
    unsynced = true;
    if (steady_time_us() - synced_at_us >= std::int64_t{options.sync_interval_ms} * 1000) outcome = sync();
  }
  failing = !outcome;
  if (chunk.frames != 0) {
    // No reader will have the frame that is the encoder's baseline.
    gaps.of(reel::gap_reason::sink_failed)
        .add(chunk.frames, {chunk.first_tick, chunk.first_time_us}, {chunk.last_tick, chunk.last_time_us});
    counters.lost.add(chunk.frames);
    must_restart = true;
    if (source.sealed != nullptr) source.sealed(source.self, false, chunk.frames);
  }
  if (source.clear_rows != nullptr) source.clear_rows(source.self);
  rows.clear();
  chunk = {};
  filled = 0;
  keyframes_in_chunk = 0;
  counters.stored_bytes.set(out.bytes());
  unsealed_since_us.reset();
  // Still unwritten: retried after another interval.
  if (!gaps.empty() || !events.empty()) start_clock();
  report(outcome);
}

result<void> pipeline::state::sync() {
  unsynced = false;
  synced_at_us = steady_time_us();
  auto done = out.sync();
  if (!done) counters.failed_syncs.add(1);
  return done;
}

// In the order that readers need; stops at the first failure. Gaps precede the chunk, so that no crash in
// between leaves frames that hide a loss.
result<void> pipeline::state::write_unsealed() {
  if (auto done = write_header_update(); !done) return done;
  if (auto done = gaps.write(out); !done) return done;
  if (auto done = write_chunk(); !done) return done;
  if (auto done = write_events(); !done) return done;
  if (chunks_since_header < repeat_header_at) return {};
  constexpr std::uint32_t max_chunks_between = 8;
  repeat_header_at += std::min(chunks_since_header, max_chunks_between);
  return repeat_header();
}

result<void> pipeline::state::write_header_update() {
  if (source.header_revision == nullptr || chunk.frames == 0) return {};
  const std::uint32_t revision = source.header_revision(source.self);
  if (revision == 0 || (revision == written_revision && !header_for_sinks)) return {};
  if (auto done = append_header(0); !done) return done;
  written_revision = revision;
  chunks_since_header = 0;
  repeat_header_at = 1;
  return {};
}

// One bad bit in the header's record must not lose every tick: it is repeated soon after, then every few
// chunks, and at the end.
result<void> pipeline::state::repeat_header() {
  if (written_revision == 0 || !(header_is_old || header_for_sinks)) return {};
  return append_header(reel::repeats_header);
}

result<void> pipeline::state::append_header(std::uint16_t flags) {
  byte_writer to(header_room);
  source.write_header(source.self, to);
  if (!to.ok()) return fail(error_code::buffer_too_small, error::no_offset, "the encoder's header");
  reel::record_info about = chunk;
  about.kind = reel::record_kind::header_update;
  about.flags = flags;
  about.frames = 0;
  if (flags == reel::repeats_header) {
    about.first_tick = about.last_tick = last_tick;
    about.first_time_us = about.last_time_us = last_time_us;
  }
  const auto done = out.append(about, to.written());
  if (!done) return fail(done.error());
  header_is_old = header_for_sinks = false;
  return {};
}

result<void> pipeline::state::write_chunk() {
  if (chunk.frames == 0) return {};
  chunk.kind = reel::record_kind::chunk;
  const auto payload = chunk_payload();
  if (!payload) return fail(payload.error());
  const auto done = out.append(chunk, *payload);
  if (!done) return fail(done.error());
  counters.written.add(chunk.frames);
  counters.keyframes.add(keyframes_in_chunk);
  counters.chunks.add(1);
  counters.raw_bytes.add(payload->size());
  ++chunks_since_header;
  header_is_old = true;
  const std::uint32_t frames = std::exchange(chunk.frames, 0u);
  if (source.sealed != nullptr) source.sealed(source.self, true, frames);
  return {};
}

// The encoded frames; or the block in the first of them, followed by the others.
result<byte_span> pipeline::state::chunk_payload() noexcept {
  if (source.write_block == nullptr) return byte_span(buffer).first(filled);
  byte_writer block(block_room.all().subspan(frame_head_bytes, source.max_block_bytes));
  source.write_block(source.self, block);
  if (!block.ok()) return fail(error_code::buffer_too_small, error::no_offset, "the encoder's block");
  const bool stands = (chunk.flags & reel::starts_with_keyframe) != 0;
  return reel::finish_block_chunk(block_room.all(), block.size(), rows,
                                  stands ? frame_kind::keyframe : frame_kind::delta);
}

result<void> pipeline::state::write_events() {
  std::size_t written = 0;
  result<void> outcome;
  for (const waiting_event& event : events) {
    const auto done = out.append_event(event.stamp, event.type, event.bytes, event.needed_later);
    if (!done) {
      outcome = fail(done.error());
      break;
    }
    ++written;
    event_bytes -= event.bytes.size() + sizeof(waiting_event);
  }
  counters.events.add(written);
  events.erase(events.begin(), events.begin() + static_cast<std::ptrdiff_t>(written));
  return outcome;
}

void pipeline::state::report(const result<void>& outcome) {
  const bool sink_failed = out.failed_sinks() > counters.failed_sinks.get();
  counters.failed_sinks.set(out.failed_sinks());
  {
    const std::lock_guard guard(lock);
    if (!outcome) {
      current_failure = outcome.error();
    } else if (sink_failed) {
      current_failure = out.sink_failure();
    } else {
      current_failure.reset();
    }
    if (current_failure) last_failure = current_failure;
  }
  if (sink_failed) observed.sink_failed(*out.sink_failure());
  if (outcome) {
    observed.file_works();
  } else {
    observed.file_failed(outcome.error());
  }
}

void observed_failures::file_failed(const error& what) noexcept {
  const auto known = std::span(reported_).first(count_);
  const bool is_known = std::ranges::any_of(known, [&](const error& each) {
    return each.code == what.code && each.system_error == what.system_error;
  });
  if (is_known || count_ == max_kinds) return;
  reported_[count_++] = what;
  if (observer_.changed != nullptr) observer_.changed(observer_.self, &what);
}

void observed_failures::file_works() noexcept {
  if (count_ == 0) return;
  count_ = 0;
  if (observer_.changed != nullptr) observer_.changed(observer_.self, nullptr);
}

void observed_failures::sink_failed(const error& what) noexcept {
  if (observer_.changed != nullptr) observer_.changed(observer_.self, &what);
}

}  // namespace tickreel::detail
