// The common part of recorders of states and of items. Used by recorder.hpp and item_recorder.hpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/reel/format.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
namespace detail {

// Two simultaneous pushes are a mistake that loses states occasionally. With assertions (no NDEBUG) the
// program aborts with a message.
#ifdef NDEBUG
inline constexpr bool checks_pushes = false;
#else
inline constexpr bool checks_pushes = true;
#endif
[[noreturn]] void end_for_overlapping_pushes() noexcept;

template <bool Checks>
class push_guard {
 public:
  explicit push_guard(std::atomic<bool>& is_pushing) noexcept : is_pushing_(is_pushing) {
    if constexpr (Checks) {
      if (is_pushing_.exchange(true, std::memory_order_acquire)) end_for_overlapping_pushes();
    }
  }
  push_guard(const push_guard&) = delete;
  push_guard& operator=(const push_guard&) = delete;
  ~push_guard() {
    if constexpr (Checks) is_pushing_.store(false, std::memory_order_release);
  }

 private:
  std::atomic<bool>& is_pushing_;
};

// State of the pushing thread: the next tick, and counters of the earlier ones.
struct push_side {
  explicit push_side(const recorder_options& options) noexcept
      : millihertz(reel::to_millihertz(options.ticks_per_second).value_or(0)), opened_us(steady_time_us()) {}

  std::uint64_t next_tick = 0;
  std::int64_t last_time_us = 0;
  tick_loss dropped_since_push;
  std::atomic<std::uint64_t> pushed{0};
  std::atomic<std::uint64_t> dropped{0};
  std::atomic<std::uint64_t> refused{0};
  std::atomic<std::uint64_t> events_refused{0};
  std::atomic<bool> is_pushing{false};  // see push_guard
  bool closed = false;
  std::uint32_t millihertz;
  std::int64_t opened_us;

  // Each has one writer, so a load and a store suffice; no locked instruction.
  static void count(std::atomic<std::uint64_t>& counter) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  // Not before the last tick, whose stamp may be the caller's.
  [[nodiscard]] frame_stamp next_stamp() const noexcept {
    // With a rate in millihertz a tick has 1e9 / rate microseconds.
    const std::int64_t time_us = millihertz == 0
                                     ? steady_time_us() - opened_us
                                     : static_cast<std::int64_t>(next_tick * 1'000'000'000u / millihertz);
    return {next_tick, (std::max)(time_us, last_time_us)};
  }
  [[nodiscard]] frame_stamp last_stamp() const noexcept {
    return {next_tick == 0 ? 0 : next_tick - 1, last_time_us};
  }
  // False for a tick that does not rise, comes after the end, or has the last number, which has no successor.
  bool accept(frame_stamp stamp) noexcept {
    if (closed || stamp.tick < next_tick || stamp.tick == UINT64_MAX) {
      count(refused);
      return false;
    }
    next_tick = stamp.tick + 1;
    last_time_us = stamp.time_us;
    return true;
  }
  void drop(frame_stamp stamp) noexcept {
    dropped_since_push.add(1, stamp, stamp);
    count(dropped);
  }
  // The losses to report with the accepted tick.
  [[nodiscard]] tick_loss taken() noexcept {
    count(pushed);
    return std::exchange(dropped_since_push, {});
  }
};

// Creates the reel and starts the writer of `state`, which has `producer` and `out`.
template <class State>
result<void> start_recorder(State& state, const file_path& path, const recorder_options& options,
                            std::vector<std::unique_ptr<reel::sink>>&& sinks, system_calls* calls) {
  auto created = pipeline::create(path, state.as_source(), options, std::move(sinks), calls);
  if (!created) return fail(created.error());
  state.out = std::move(*created);
  return state.out->start();
}

[[nodiscard]] inline result<void> check_ring(const recorder_options& options, loss_policy policy) {
  if (options.ring_ticks == 0 || options.ring_ticks > (1u << 24)) {
    return fail(error_code::invalid_argument, error::no_offset, "ring_ticks must be 1 to 16777216");
  }
  if (options.memory_bytes != 0) {
    return fail(
        error_code::invalid_argument, error::no_offset,
        "memory_bytes is an option of recorders of described structs: choose ring_ticks and seal_bytes");
  }
  if (policy == loss_policy::block && options.mode == threading::pumped) {
    return fail(error_code::invalid_argument, error::no_offset, "block waits for a thread; pumped has none");
  }
  return {};
}

}  // namespace detail

// `State` has the ring, a push_side `producer`, an `encoder` and the pipeline `out`. Its address does not
// change when the recorder moves.
template <class State>
class recorder_base {
 public:
  // A moved-from recorder may only be destroyed or assigned.
  recorder_base(recorder_base&&) noexcept = default;
  recorder_base& operator=(recorder_base&& other) noexcept {
    if (this != &other) {
      abandon();
      state_ = std::move(other.state_);
    }
    return *this;
  }

  // threading::pumped: encodes up to `max_ticks` waiting ticks and seals due chunks. Returns the number of
  // ticks. One thread at a time, which need not be the pushing thread. Does nothing with own_thread.
  std::size_t pump(std::size_t max_ticks = static_cast<std::size_t>(-1)) noexcept {
    return state_->out->pump(max_ticks);
  }

  // The next encoded tick becomes a keyframe.
  void force_keyframe() noexcept { state_->out->force_keyframe(); }

  // Adds a small typed record to the reel, at the last pushed tick or at `stamp`. Not for every tick: it
  // copies, and may wait briefly for a lock. False if it is over 64 KiB or too many are waiting; counted
  // then.
  bool event(std::uint32_t type, byte_span bytes) {
    return event(state_->producer.last_stamp(), type, bytes);
  }
  // `needed_later`: later ticks depend on it, so sinks that join late receive it too.
  bool event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later = false) {
    return state_->out->event(stamp, type, bytes, needed_later);
  }

  // Reports `count` ticks that the source could not deliver, just before the next push, or between two
  // stamps. Like event() not for every tick.
  void note_gap(std::uint64_t ticks, reel::gap_reason reason) {
    const frame_stamp last = state_->producer.last_stamp();
    note_gap(ticks, last, last, reason);
  }
  void note_gap(std::uint64_t ticks, frame_stamp first, frame_stamp last, reel::gap_reason reason) {
    state_->out->note_gap({ticks, first, last}, reason);
  }
  // The same for an unknown number of ticks, after tick `last` or between both.
  void note_unknown_gap(frame_stamp first, frame_stamp last, reel::gap_reason reason) {
    state_->out->note_gap({0, first, last, true}, reason);
  }

  // Adds a receiver of the reel's bytes. It receives the header now and records from the next keyframe on,
  // which comes with the next tick.
  void add_sink(std::unique_ptr<reel::sink> sink) { state_->out->add_sink(std::move(sink)); }

  [[nodiscard]] recorder_counters counters() const noexcept {
    const detail::push_side& from = state_->producer;
    recorder_counters all;
    all.pushed = from.pushed.load(std::memory_order_relaxed);
    all.dropped = from.dropped.load(std::memory_order_relaxed);
    all.refused = from.refused.load(std::memory_order_relaxed);
    state_->out->add_counters(all);
    all.events_lost += from.events_refused.load(std::memory_order_relaxed);
    return all;
  }

  // The last error of the file or a sink; empty again as soon as writing works.
  [[nodiscard]] std::optional<error> failure() const { return state_->out->failure(); }

  // Writes everything that waits, ends the reel with index and end record, and syncs. If that fails, the reel
  // contains what counters() reports as written, and is as readable as after a crash. wrong_state on the
  // second call.
  result<close_report> close() { return close_with({}); }

  // The encoder's results. Only after close(), when nothing encodes any more.
  [[nodiscard]] const auto& encoder() const noexcept { return state_->encoder; }

 protected:
  explicit recorder_base(std::unique_ptr<State> owned) noexcept : state_(std::move(owned)) {}
  // Closes if close() was not called; the report is lost then.
  ~recorder_base() { abandon(); }

  result<close_report> close_with(const detail::closing& last) {
    detail::push_side& producer = state_->producer;
    if (producer.closed) return fail(error_code::wrong_state, error::no_offset, "the recorder is closed");
    producer.closed = true;
    auto report = state_->out->close(producer.dropped_since_push, last);
    if (report) report->counters = counters();
    return report;
  }

  std::unique_ptr<State> state_;

 private:
  void abandon() noexcept {
    if (state_) (void)close_with({});
  }
};

}  // namespace tickreel
