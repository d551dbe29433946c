// Records ticks into a reel without ever stopping the game.
//
//   auto recorder = tickreel::recorder<my_encoder>::open("match.reel", my_encoder{}, {.tick_rate_mhz =
//   60000});
//   ... once per tick:  (*recorder)->push(state);
//   auto report = (*recorder)->close();
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tickreel/record/encoder.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/record/ring.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// push() and capture() copy one state into a ring: no allocation, lock, system call or wait
// (loss_policy::block waits, as its name says). Everything else happens on the writer thread, or in pump():
// encoding, compression, hashing, writing, syncing. docs/hot-path.md has the details.
//
// One thread pushes and, in the end, closes. counters(), failure(), force_keyframe(), event() with a stamp,
// note_gap() with stamps and add_sink() may be called by any thread.
//
// A state is copied by copy_state(to, from), found by argument-dependent lookup, where there is one; else by
// assignment.
//
// A tick that was lost, by a full ring, a failing disk or a failing source, is counted and stands in the reel
// as a gap record. When the disk works again, recording goes on with a keyframe.
template <tick_encoder Encoder, loss_policy Policy = loss_policy::drop_newest>
class recorder {
 public:
  using state_type = typename Encoder::state_type;

  // Creates the reel, which must not exist: already_exists, or in_use while another recorder writes it;
  // invalid_argument for options that contradict each other; whatever the system says when it refuses.
  static result<std::unique_ptr<recorder>> open(std::string_view reel_path, Encoder encoder,
                                                const recorder_options& options = {}) {
    return open_with(reel_path, std::move(encoder), options, {}, nullptr);
  }
  // The same on another system: tests make its calls fail. `calls` must outlive the recorder.
  static result<std::unique_ptr<recorder>> open(std::string_view reel_path, Encoder encoder,
                                                const recorder_options& options, system_calls& calls) {
    return open_with(reel_path, std::move(encoder), options, {}, &calls);
  }
  // No file: the reel's bytes go to `sinks` alone, at least one.
  static result<std::unique_ptr<recorder>> open(std::vector<std::unique_ptr<reel::sink>> sinks,
                                                Encoder encoder, const recorder_options& options = {}) {
    return open_with({}, std::move(encoder), options, std::move(sinks), nullptr);
  }

  // Closes, if close() was not called; its report is lost then.
  ~recorder() { (void)close(); }
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // One tick. False when it was not taken: the ring is full (drop_newest), the tick does not rise, or the
  // recorder is closed. Without a stamp the tick is the one after the last, starting with 0, and its time
  // follows from the tick rate; where there is no rate, the clock is read.
  bool push(const state_type& from) noexcept { return push(next_stamp(), from); }
  bool push(frame_stamp stamp, const state_type& from) noexcept {
    return capture(stamp, [&from](state_type& to) noexcept { copy(to, from); });
  }

  // One tick, filled in place by fill(state_type&), which must not throw. The state holds whatever an earlier
  // tick left there. fill is not called when the tick is not taken.
  template <class Fill>
  bool capture(Fill&& fill) noexcept {
    return capture(next_stamp(), std::forward<Fill>(fill));
  }
  template <class Fill>
  bool capture(frame_stamp stamp, Fill&& fill) noexcept {
    if (closed_ || stamp.tick < next_tick_) {
      count(refused_);
      return false;
    }
    next_tick_ = stamp.tick + 1;
    last_time_us_ = stamp.time_us;
    slot* const to = take_slot(stamp);
    if (to == nullptr) return false;
    to->stamp = stamp;
    to->dropped_before = std::exchange(dropped_since_push_, {});
    fill(to->state);
    ring_.commit_push();
    count(pushed_);
    return true;
  }

  // threading::pumped: encodes up to `max_ticks` waiting ticks and seals what is due. Returns the number of
  // ticks. By one thread at a time, which need not be the one that pushes. Does nothing with own_thread.
  std::size_t pump(std::size_t max_ticks = static_cast<std::size_t>(-1)) noexcept {
    return pipeline_->pump(max_ticks);
  }

  // The next tick that is encoded becomes a keyframe.
  void force_keyframe() noexcept { pipeline_->force_keyframe(); }

  // A small typed remark in the reel, at the last pushed tick or at `stamp`. Not for every tick: it copies,
  // and may wait a moment for a lock. False when it is over 64 KiB or too many are waiting; counted then.
  bool event(std::uint32_t type, byte_span bytes) { return event(last_stamp(), type, bytes); }
  bool event(frame_stamp stamp, std::uint32_t type, byte_span bytes) {
    return pipeline_->event(stamp, type, bytes);
  }

  // `count` ticks that the source could not deliver, just before the next push, or between two stamps. Like
  // event() not for every tick.
  void note_gap(std::uint64_t ticks, reel::gap_reason reason) {
    note_gap(ticks, last_stamp(), last_stamp(), reason);
  }
  void note_gap(std::uint64_t ticks, frame_stamp first, frame_stamp last, reel::gap_reason reason) {
    pipeline_->note_gap({ticks, first, last}, reason);
  }

  // Another receiver of the reel's bytes. It gets the header now and records from the next keyframe on, which
  // comes with the next tick.
  void add_sink(std::unique_ptr<reel::sink> sink) { pipeline_->add_sink(std::move(sink)); }

  [[nodiscard]] recorder_counters counters() const noexcept {
    recorder_counters all;
    all.pushed = pushed_.load(std::memory_order_relaxed);
    all.dropped = dropped_.load(std::memory_order_relaxed);
    all.refused = refused_.load(std::memory_order_relaxed);
    pipeline_->add_counters(all);
    return all;
  }

  // The last error of the file or a sink; none again as soon as writing works.
  [[nodiscard]] std::optional<error> failure() const { return pipeline_->failure(); }

  // Writes everything that waits, ends the reel with index and end record, and syncs. Fails when that did not
  // work: then the reel holds what counters() says was written, and is as readable as after a crash.
  // wrong_state the second time.
  result<close_report> close() {
    if (closed_) return fail(error_code::wrong_state, error::no_offset, "the recorder is closed");
    closed_ = true;
    auto report = pipeline_->close(dropped_since_push_);
    if (report) report->counters = counters();
    return report;
  }

  // What the encoder gathered. Only when nothing encodes any more: after close().
  [[nodiscard]] const Encoder& encoder() const noexcept { return encoder_; }

 private:
  struct slot {
    frame_stamp stamp;
    detail::tick_loss dropped_before;
    state_type state;
  };
  using ring_type =
      std::conditional_t<Policy == loss_policy::drop_oldest, replacing_ring<slot>, spsc_ring<slot>>;

  recorder(Encoder&& encoder, const recorder_options& options)
      : ring_(options.ring_ticks),
        tick_rate_mhz_(options.tick_rate_mhz),
        opened_us_(detail::steady_time_us()),
        encoder_(std::move(encoder)) {}

  static result<std::unique_ptr<recorder>> open_with(std::string_view path, Encoder&& encoder,
                                                     const recorder_options& options,
                                                     std::vector<std::unique_ptr<reel::sink>> sinks,
                                                     system_calls* calls) {
    if (options.ring_ticks == 0 || options.ring_ticks > (1u << 24)) {
      return fail(error_code::invalid_argument, error::no_offset, "ring_ticks must be 1 to 16777216");
    }
    if (Policy == loss_policy::block && options.mode == threading::pumped) {
      return fail(error_code::invalid_argument, error::no_offset,
                  "block waits for a thread; pumped has none");
    }
    std::unique_ptr<recorder> self(new recorder(std::move(encoder), options));
    auto created = detail::pipeline::create(path, self->as_source(), options, std::move(sinks), calls);
    if (!created) {
      self->closed_ = true;
      return fail(created.error());
    }
    self->pipeline_ = std::move(*created);
    if (const auto started = self->pipeline_->start(); !started) return fail(started.error());
    return self;
  }

  detail::tick_source as_source() noexcept {
    detail::tick_source source;
    source.self = this;
    source.drain = [](void* self, std::size_t limit) noexcept {
      return static_cast<recorder*>(self)->drain(limit);
    };
    if constexpr (encoder_with_header<Encoder>) {
      source.header_revision = [](const void* self) noexcept {
        return static_cast<const recorder*>(self)->encoder_.header_revision();
      };
      source.write_header = [](const void* self, byte_writer& out) noexcept {
        static_cast<const recorder*>(self)->encoder_.write_header(out);
      };
      source.max_header_bytes = encoder_.max_header_size();
    }
    source.max_frame_bytes = encoder_.max_frame_size();
    source.encoder_name = Encoder::encoder_name;
    source.encoder_version = Encoder::encoder_version;
    return source;
  }

  static void copy(state_type& to, const state_type& from) noexcept {
    if constexpr (requires { copy_state(to, from); }) {
      copy_state(to, from);
    } else {
      to = from;
    }
  }

  // One writer each, so a load and a store do; no locked instruction.
  static void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  [[nodiscard]] frame_stamp next_stamp() const noexcept {
    if (tick_rate_mhz_ == 0) return {next_tick_, detail::steady_time_us() - opened_us_};
    // A rate in millihertz makes 1e9 / rate microseconds of a tick.
    return {next_tick_, static_cast<std::int64_t>(next_tick_ * 1'000'000'000u / tick_rate_mhz_)};
  }
  [[nodiscard]] frame_stamp last_stamp() const noexcept {
    return {next_tick_ == 0 ? 0 : next_tick_ - 1, last_time_us_};
  }

  // The slot for the tick `stamp`; null when that tick is lost, which is then counted.
  slot* take_slot(frame_stamp stamp) noexcept {
    if constexpr (Policy == loss_policy::drop_oldest) {
      const auto room = ring_.begin_push();
      if (room.replaces) {
        const detail::tick_loss& earlier = room.slot->dropped_before;
        dropped_since_push_.add(earlier.count, earlier.first, earlier.last);
        dropped_since_push_.add(1, room.slot->stamp, room.slot->stamp);
        count(dropped_);
      }
      return room.slot;
    } else {
      slot* to = ring_.begin_push();
      if constexpr (Policy == loss_policy::block) {
        for (std::uint32_t attempt = 0; to == nullptr; ++attempt) {
          detail::wait_for_room(attempt);
          to = ring_.begin_push();
        }
      } else if (to == nullptr) {
        dropped_since_push_.add(1, stamp, stamp);
        count(dropped_);
      }
      return to;
    }
  }

  // On the writer thread, or in pump().
  std::size_t drain(std::size_t limit) noexcept {
    std::size_t ticks = 0;
    for (; ticks < limit; ++ticks) {
      slot* const from = ring_.front();
      if (from == nullptr) break;
      if (from->dropped_before.count != 0) pipeline_->note_dropped(from->dropped_before);
      const frame_kind kind = pipeline_->begin_frame(from->stamp, encoder_.needs_keyframe(from->state));
      byte_writer out(pipeline_->room());
      encoder_.encode(from->state, kind, out);
      pipeline_->end_frame(from->stamp, kind, out);
      ring_.pop();
    }
    return ticks;
  }

  // Shared, each side on lines of its own.
  ring_type ring_;
  // The pushing thread's.
  alignas(cache_line_bytes) std::uint64_t next_tick_ = 0;
  std::int64_t last_time_us_ = 0;
  detail::tick_loss dropped_since_push_;
  std::atomic<std::uint64_t> pushed_{0};
  std::atomic<std::uint64_t> dropped_{0};
  std::atomic<std::uint64_t> refused_{0};
  bool closed_ = false;
  std::uint32_t tick_rate_mhz_;
  std::int64_t opened_us_;
  // The writer thread's.
  alignas(cache_line_bytes) Encoder encoder_;
  std::unique_ptr<detail::pipeline> pipeline_;
};

}  // namespace tickreel
