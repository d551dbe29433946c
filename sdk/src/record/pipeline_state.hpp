// State of a recorder's writer side.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "pending_gaps.hpp"
#include "tickreel/bytes/room.hpp"
#include "tickreel/keyframe/cadence.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/reel/block_chunk.hpp"
#include "tickreel/reel/writer.hpp"
#include "writer_thread.hpp"

namespace tickreel::detail {

using reel::frame_head_bytes;

using waiting_event = reel::stamped_event;

// Passes failures to the observer, each once until writing works again.
class observed_failures {
 public:
  explicit observed_failures(const failure_observer& observer) noexcept : observer_(observer) {}
  void file_failed(const error& what) noexcept;
  void file_works() noexcept;
  void sink_failed(const error& what) noexcept;

 private:
  // More than a file has; further ones are not reported.
  static constexpr std::size_t max_kinds = 8;

  failure_observer observer_;
  std::array<error, max_kinds> reported_{};
  std::size_t count_ = 0;
};

// A relaxed counter with one writer at a time.
class tally {
 public:
  void add(std::uint64_t more) noexcept { value_.fetch_add(more, std::memory_order_relaxed); }
  void set(std::uint64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

// Members without a lock belong to the writer thread.
struct pipeline::state {
  state(const tick_source& ticks, const recorder_options& settings, reel::writer&& reel);

  tick_source source;
  recorder_options options;
  reel::writer out;
  keyframe_cadence cadence;

  // The current chunk. `chunk.frames` of them use `filled` bytes.
  byte_vector buffer;
  std::size_t filled = 0;
  std::uint32_t keyframes_in_chunk = 0;
  reel::record_info chunk;
  frame_kind last_kind = frame_kind::keyframe;
  std::uint64_t last_tick = 0;  // of all frames
  std::int64_t last_time_us = 0;
  // The next frame must be a keyframe: its baseline is not in the reel.
  bool must_restart = false;

  // Memory for a chunk whose ticks are rows of a block; `buffer` is unused then.
  byte_room block_room;
  std::vector<frame_stamp> rows;

  byte_vector header_room;
  std::uint32_t written_revision = 0;
  // Chunks since the encoder's header changed, the number of chunks at its next repetition, and whether there
  // was a chunk since it was last written.
  std::uint32_t chunks_since_header = 0;
  std::uint32_t repeat_header_at = 0;
  bool header_is_old = false;
  // Sinks have joined that lack it.
  bool header_for_sinks = false;
  pending_gaps gaps;
  std::vector<waiting_event> events;
  std::size_t event_bytes = 0;  // of `events`
  // When the oldest unsealed data arrived.
  std::optional<std::int64_t> unsealed_since_us;
  // The time of the last sync, and whether data was written since.
  std::int64_t synced_at_us = 0;
  bool unsynced = false;
  // The last seal failed.
  bool failing = false;

  // Set by other threads.
  std::atomic<bool> keyframe_wanted{false};
  std::atomic<bool> has_notes{false};
  std::atomic<bool> has_new_sinks{false};
  mutable note_mutex lock;
  std::vector<waiting_event> noted_events;
  std::size_t noted_event_bytes = 0;
  pending_gaps noted_gaps;
  std::vector<std::unique_ptr<reel::sink>> new_sinks;
  std::optional<error> current_failure;
  std::optional<error> last_failure;
  observed_failures observed;

  struct {
    tally written, lost, noted, keyframes, chunks, events, events_lost, raw_bytes, stored_bytes;
    tally failed_writes, failed_syncs, failed_sinks;
  } counters;

  writer_thread thread;

  std::size_t pass(std::size_t max_ticks) noexcept;
  void run() noexcept;
  // Whether force_keyframe() was called since the last call.
  [[nodiscard]] bool take_keyframe_request() noexcept {
    return keyframe_wanted.load(std::memory_order_relaxed) &&
           keyframe_wanted.exchange(false, std::memory_order_relaxed);
  }
  void take_notes();
  void join_sinks();
  void start_clock() noexcept;
  // A keyframe begins a chunk, unless the chunk contains only keyframes.
  void begin(frame_kind kind) noexcept;
  // The frame whose bytes follow the space for its head.
  void end(frame_stamp stamp, frame_kind kind, std::size_t bytes) noexcept;
  void lose(frame_stamp stamp, reel::gap_reason reason) noexcept;
  void add_event(waiting_event&& event);
  void lose_event(std::uint32_t type) noexcept;
  void seal() noexcept;
  result<void> sync();
  result<void> write_unsealed();
  result<void> write_header_update();
  result<void> repeat_header();
  result<void> append_header(std::uint16_t flags);
  result<void> write_chunk();
  [[nodiscard]] result<byte_span> chunk_payload() noexcept;
  result<void> write_events();
  void report(const result<void>& outcome);
};

}  // namespace tickreel::detail
