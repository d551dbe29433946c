// Records ticks into a reel without stalling the game.
//
//   auto recorder = tickreel::recorder<my_encoder>::open("match.reel", {}, {.ticks_per_second = 60});
//   ... once per tick:  recorder->push(state);
//   auto report = recorder->close();
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/keyframe/cadence.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/record/recorder_base.hpp"
#include "tickreel/record/ring.hpp"
#include "tickreel/reel/sink.hpp"
#include "tickreel/result.hpp"

namespace tickreel {
namespace detail {

// For encoders with changes: the bytes of changes in the memory of the slot's state, or whole_state.
template <bool HasChanges>
struct slot_content {};
template <>
struct slot_content<true> {
  std::uint32_t change_bytes = whole_state;
};

// Shared by both threads, with separate cache lines for each side.
template <recordable_encoder Encoder, loss_policy Policy>
struct recorder_state {
  using state_type = typename Encoder::state_type;
  static constexpr bool takes_changes = encoder_with_changes<Encoder>;
  struct slot_head {
    frame_stamp stamp;
    tick_loss dropped_before;
  };
  struct slot : slot_head, slot_content<takes_changes> {
    state_type state;
  };
  using ring_type =
      std::conditional_t<Policy == loss_policy::drop_oldest, replacing_ring<slot>, spsc_ring<slot>>;

  recorder_state(Encoder&& from, const recorder_options& options)
      : ring(options.ring_ticks),
        producer(options),
        whole_states(options.cadence),
        encoder(std::move(from)) {}
  // Before the first push.
  result<void> prepare_slots() {
    if constexpr (encoder_with_slots<Encoder>) {
      if (auto reserved = encoder.reserve_slots(ring.capacity()); !reserved) return reserved;
      ring.for_each_slot([this](slot& one) { encoder.prepare_slot(one.state); });
    }
    return {};
  }

  ring_type ring;
  alignas(cache_line_bytes) push_side producer;
  keyframe_cadence whole_states;  // of pushes of changes
  // Used by the writer thread.
  alignas(cache_line_bytes) Encoder encoder;
  std::unique_ptr<pipeline> out;
  bool has_last_tick = false;                                            // to which changes apply
  alignas(cache_line_bytes) std::atomic<bool> lacks_whole_state{false};  // for the producer

  // Producer: whether the tick `stamp` must be a whole state. Changes apply to the tick before, which must have arrived; and
  // whole states at the intervals of keyframes correct what the game forgot to mark.
  [[nodiscard]] bool wants_whole_state(frame_stamp stamp) noexcept {
    if (lacks_whole_state.load(std::memory_order_relaxed)) {
      lacks_whole_state.store(false, std::memory_order_relaxed);
      whole_states.force();
    }
    return whole_states.next(stamp) == frame_kind::keyframe;
  }

  // The slot for the tick `stamp`; null if the tick is lost, which is then counted.
  slot* take_slot(frame_stamp stamp) noexcept {
    if constexpr (Policy == loss_policy::drop_oldest) {
      const auto room = ring.begin_push();
      if (room.replaces) {
        const tick_loss& earlier = room.slot->dropped_before;
        producer.dropped_since_push.add(earlier.count, earlier.first, earlier.last);
        producer.drop(room.slot->stamp);
      }
      return room.slot;
    } else {
      slot* to = ring.begin_push();
      if constexpr (Policy == loss_policy::block) {
        for (std::uint32_t attempt = 0; to == nullptr; ++attempt) {
          wait_for_room(attempt);
          to = ring.begin_push();
        }
      } else if (to == nullptr) {
        producer.drop(stamp);
      }
      return to;
    }
  }

  // On the writer thread, or in pump().
  std::size_t drain(std::size_t limit) noexcept {
    std::size_t ticks = 0;
    bool all = false;
    // Events before this moment belong to ticks that are or were in the ring.
    [[maybe_unused]] std::uint64_t known_events = 0;
    [[maybe_unused]] std::uint64_t last_tick = 0;
    if constexpr (encoder_with_events<Encoder>) {
      if (encoder.events() != nullptr) known_events = encoder.events()->pushed();
    }
    for (; ticks < limit; ++ticks) {
      slot* const from = ring.front();
      all = from == nullptr;
      if (all) break;
      last_tick = from->stamp.tick;
      if (from->dropped_before.count != 0) out->note_dropped(from->dropped_before);
      encode(*from);
      ring.pop();
    }
    if constexpr (encoder_with_events<Encoder>) {
      if (known_events != 0) encoder.events()->drain(*out, known_events, all, last_tick);
    }
    return ticks;
  }

  void encode(const slot& from) noexcept {
    const frame_stamp stamp = from.stamp;
    const state_type& now = from.state;
    if constexpr (block_encoder<Encoder>) {
      if constexpr (encoder_with_events<Encoder>) {
        if (encoder.events() != nullptr && out->wants_keyframe()) encoder.events()->report_again();
      }
      bool continues = false;
      if constexpr (continuing_block_encoder<Encoder>) continues = encoder.can_continue();
      const frame_kind kind = out->begin_row(stamp, continues);
      if constexpr (continuing_block_encoder<Encoder>) {
        if (kind == frame_kind::delta) encoder.continue_block();
      }
      const bool taken = add_row(from);
      out->end_row(stamp, kind, taken, encoder.is_full());
    } else {
      const frame_kind kind = out->begin_frame(stamp, encoder.needs_keyframe(now));
      byte_writer into(out->room());
      encoder.encode(now, kind, into);
      out->end_frame(stamp, kind, into);
    }
  }

  [[nodiscard]] bool add_row(const slot& from) noexcept {
    if constexpr (!takes_changes) {
      return encoder.add_row(from.state);
    } else if (from.change_bytes == whole_state) {
      has_last_tick = encoder.add_row(from.state);
    } else {
      const byte_span state = std::as_bytes(std::span(&from.state, 1));
      has_last_tick = has_last_tick && encoder.add_changes(state.first(from.change_bytes));
    }
    if (!has_last_tick) lacks_whole_state.store(true, std::memory_order_relaxed);
    return has_last_tick;
  }

  tick_source as_source() noexcept {
    tick_source source;
    source.self = this;
    source.drain = [](void* self, std::size_t limit) noexcept {
      return static_cast<recorder_state*>(self)->drain(limit);
    };
    if constexpr (encoder_with_header<Encoder>) {
      source.header_revision = [](const void* self) noexcept {
        return static_cast<const recorder_state*>(self)->encoder.header_revision();
      };
      source.write_header = [](const void* self, byte_writer& to) noexcept {
        static_cast<const recorder_state*>(self)->encoder.write_header(to);
      };
      source.max_header_bytes = encoder.max_header_size();
    }
    if constexpr (block_encoder<Encoder>) {
      source.write_block = [](void* self, byte_writer& to) noexcept {
        static_cast<recorder_state*>(self)->encoder.write_block(to);
      };
      source.clear_rows = [](void* self) noexcept {
        static_cast<recorder_state*>(self)->encoder.clear_rows();
      };
      source.max_block_bytes = encoder.max_block_size();
      source.max_block_rows = encoder.max_rows();
    } else {
      source.max_frame_bytes = encoder.max_frame_size();
    }
    if constexpr (encoder_with_events<Encoder>) {
      source.event_lost = [](void* self, std::uint32_t) noexcept {
        auto* const events = static_cast<recorder_state*>(self)->encoder.events();
        if (events != nullptr) events->report_again();
      };
      source.sinks_joined = [](void* self) noexcept {
        auto* const events = static_cast<recorder_state*>(self)->encoder.events();
        if (events != nullptr) events->report_again();
      };
    }
    source.encoder_name = Encoder::encoder_name;
    source.encoder_version = encoder.encoder_version;
    return source;
  }
};

}  // namespace detail

// push() and capture() copy one state into a ring: no allocation, lock, system call or wait
// (only loss_policy::block waits). Everything else happens on the writer thread, or in pump():
// encoding, compression, hashing, writing, syncing. docs/hot-path.md has the details.
//
// One thread at a time pushes and finally closes. Two simultaneous pushes abort a program that is built without
// NDEBUG, with a message. Without close() the destructor closes, and its report is lost. Any thread may call
// counters(), failure(), force_keyframe(), event() with a stamp, note_gap() with stamps and add_sink(). Movable
// while no thread calls it.
//
// A state is copied by copy_state(to, from), found by argument-dependent lookup, if there is one; otherwise by
// assignment.
//
// A tick that is lost by a full ring, a failing disk or a failing source is counted and becomes part of a gap
// record. When the disk works again, recording continues with a keyframe.
template <recordable_encoder Encoder, loss_policy Policy = loss_policy::drop_newest>
class recorder : public recorder_base<detail::recorder_state<Encoder, Policy>> {
  using state = detail::recorder_state<Encoder, Policy>;

 protected:
  using recorder_base<state>::state_;

 public:
  using state_type = typename Encoder::state_type;

  // Creates the reel, which must not exist: already_exists, or in_use while another recorder writes it;
  // invalid_argument for contradictory options; otherwise the error of the system.
  static result<recorder> open(const file_path& reel_path, Encoder encoder,
                               const recorder_options& options = {}) {
    return open_with(reel_path, std::move(encoder), options, {}, nullptr);
  }
  // The same with other system calls, for tests. `calls` must outlive the recorder.
  static result<recorder> open(const file_path& reel_path, Encoder encoder, const recorder_options& options,
                               system_calls& calls) {
    return open_with(reel_path, std::move(encoder), options, {}, &calls);
  }
  // The same, and the reel's bytes also go to `sinks`, from the header on.
  static result<recorder> open(const file_path& reel_path, Encoder encoder, const recorder_options& options,
                               std::vector<std::unique_ptr<reel::sink>> sinks) {
    return open_with(reel_path, std::move(encoder), options, std::move(sinks), nullptr);
  }
  // Without a file: the reel's bytes go only to `sinks`, at least one.
  static result<recorder> open(std::vector<std::unique_ptr<reel::sink>> sinks, Encoder encoder,
                               const recorder_options& options = {}) {
    return open_with({}, std::move(encoder), options, std::move(sinks), nullptr);
  }

  // Pushes one tick. False if it was rejected: the ring is full (drop_newest), the tick does not rise, or the
  // recorder is closed. Without a stamp the tick is the one after the last, from 0, and its time follows from
  // the tick rate, or from the clock if there is no rate.
  bool push(const state_type& from) noexcept { return push(state_->producer.next_stamp(), from); }
  bool push(frame_stamp stamp, const state_type& from) noexcept {
    return fill_slot(stamp, [&from](slot& to) noexcept { put_whole(to, from); });
  }

  // Pushes one tick that fill(state_type&) writes in place; fill must not throw. The state contains the
  // values of an earlier tick. fill is not called if the tick is rejected.
  template <class Fill>
  bool capture(Fill&& fill) noexcept {
    return capture(state_->producer.next_stamp(), std::forward<Fill>(fill));
  }
  template <class Fill>
  bool capture(frame_stamp stamp, Fill&& fill) noexcept {
    return fill_slot(stamp, [&fill](slot& to) noexcept {
      if constexpr (state::takes_changes) {
        // A slot of changes holds no valid state.
        if (std::exchange(to.change_bytes, detail::whole_state) != detail::whole_state) {
          std::construct_at(&to.state);
        }
      }
      fill(to.state);
    });
  }

 protected:
  // Pushes the changes that pack(mutable_byte_span) writes into the memory of a state: it returns their bytes. Copies
  // `from` if it returns whole_state, and where changes do not suffice.
  template <class Pack>
  bool push_packed(frame_stamp stamp, const state_type& from, Pack&& pack) noexcept {
    return fill_slot(stamp, [&](slot& to) noexcept {
      to.change_bytes = state_->wants_whole_state(stamp)
                            ? detail::whole_state
                            : pack(std::as_writable_bytes(std::span(&to.state, 1)));
      if (to.change_bytes == detail::whole_state) put_whole(to, from);
    });
  }

 private:
  using slot = typename state::slot;

  template <class Fill>
  bool fill_slot(frame_stamp stamp, Fill&& fill) noexcept {
    state& self = *state_;
    const detail::push_guard<detail::checks_pushes> one_thread(self.producer.is_pushing);
    slot* const to = self.producer.accept(stamp) ? self.take_slot(stamp) : nullptr;
    if (to == nullptr) {
      if constexpr (state::takes_changes) self.whole_states.force();
      return false;
    }
    to->stamp = stamp;
    to->dropped_before = self.producer.taken();
    fill(*to);
    self.ring.commit_push();
    return true;
  }
  static void put_whole(slot& to, const state_type& from) noexcept {
    if constexpr (state::takes_changes) to.change_bytes = detail::whole_state;
    copy(to.state, from);
  }

  explicit recorder(std::unique_ptr<state> owned) noexcept : recorder_base<state>(std::move(owned)) {}

  static result<recorder> open_with(const file_path& path, Encoder&& encoder, const recorder_options& options,
                                    std::vector<std::unique_ptr<reel::sink>> sinks, system_calls* calls) {
    if (const auto sound = detail::check_ring(options, Policy); !sound) return fail(sound.error());
    auto owned = std::make_unique<state>(std::move(encoder), options);
    if (const auto ready = owned->prepare_slots(); !ready) return fail(ready.error());
    if (const auto started = detail::start_recorder(*owned, path, options, std::move(sinks), calls);
        !started) {
      return fail(started.error());
    }
    return recorder(std::move(owned));
  }

  static void copy(state_type& to, const state_type& from) noexcept {
    if constexpr (requires { copy_state(to, from); }) {
      copy_state(to, from);
    } else {
      to = from;
    }
  }
};

}  // namespace tickreel
