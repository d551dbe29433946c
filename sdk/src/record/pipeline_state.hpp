// What the writer side of a recorder holds.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "tickreel/keyframe/cadence.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/reel/writer.hpp"

namespace tickreel::detail {

// Ticks lost for each reason, until they stand in the reel.
class pending_gaps {
 public:
  [[nodiscard]] tick_loss& of(reel::gap_reason reason) noexcept {
    return by_reason_[static_cast<std::size_t>(reason)];
  }
  void merge(pending_gaps& from) noexcept;
  [[nodiscard]] bool empty() const noexcept;
  // Writes those there are; what was written is no longer pending.
  result<void> write(reel::writer& out);

 private:
  std::array<tick_loss, 6> by_reason_;
};

struct waiting_event {
  frame_stamp stamp;
  std::uint32_t type = 0;
  byte_vector bytes;
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

// Everything without a lock belongs to the thread that writes.
struct pipeline::state {
  state(const tick_source& ticks, const recorder_options& told, reel::writer&& reel);

  tick_source source;
  recorder_options options;
  reel::writer out;
  keyframe_cadence cadence;

  // The chunk being filled. `chunk.frames` of them take up `filled` bytes.
  byte_vector buffer;
  std::size_t filled = 0;
  std::uint32_t keyframes_in_chunk = 0;
  reel::record_info chunk;
  frame_kind last_kind = frame_kind::keyframe;
  // The next frame must stand alone: its baseline is not in the reel.
  bool must_restart = false;

  byte_vector header_room;
  std::uint32_t written_revision = 0;
  pending_gaps gaps;
  std::vector<waiting_event> events;
  // When the oldest thing came that is not sealed yet.
  std::optional<std::int64_t> unsealed_since_us;

  // From other threads.
  std::atomic<bool> keyframe_wanted{false};
  std::atomic<bool> has_notes{false};
  std::atomic<bool> has_new_sinks{false};
  mutable std::mutex lock;
  std::condition_variable wake;
  bool stopping = false;
  std::vector<waiting_event> noted_events;
  std::size_t noted_event_bytes = 0;
  pending_gaps noted_gaps;
  std::vector<std::unique_ptr<reel::sink>> new_sinks;
  std::optional<error> current_failure;
  std::optional<error> last_failure;

  struct {
    tally written, lost, noted, keyframes, chunks, events, events_lost, raw_bytes, stored_bytes;
    tally failed_writes, failed_syncs, failed_sinks;
  } counters;

  std::thread thread;

  std::size_t pass(std::size_t max_ticks) noexcept;
  void run() noexcept;
  void stop_thread() noexcept;
  void take_notes();
  void join_sinks();
  void start_clock() noexcept;
  void seal() noexcept;
  result<void> write_unsealed();
  result<void> write_header_update();
  result<void> write_chunk();
  result<void> write_events();
  void report(const result<void>& outcome);
};

}  // namespace tickreel::detail
