// Records items of any size into a reel: for encoders whose ticks are not one struct, such as a match with
// its orders, keyframes and events. recorder.hpp is the same for states of one size.
//
//   auto recorder = tickreel::item_recorder<my_encoder>::open("match.reel", my_encoder{}, {});
//   ... once per tick:  bytes.numbers(...); recorder->push({tick, time_us}, bytes);
//   auto report = recorder->close();
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/record/encoder.hpp"
#include "tickreel/record/item_ring.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/record/pipeline.hpp"
#include "tickreel/record/recorder_base.hpp"

namespace tickreel {

// One item, as passed to its encoder.
struct recorder_item {
  frame_stamp stamp;
  byte_span bytes;                   // valid until encode() returns
  std::uint64_t dropped_before = 0;  // items that were dropped since the one before
};

// The output of an item encoder. Its frames use the same chunks, seals and gaps as those of any recorder.
class item_output {
 public:
  explicit item_output(detail::pipeline& to) noexcept : to_(&to) {}

  // Writes one frame that consists of `parts` in order. Ticks rise. A keyframe depends on no other frame;
  // readers start only there. False if the frame is larger than a chunk, or depends on frames that were lost
  // while space was made for it. Then the tick is counted as lost, and the next frame should be a keyframe.
  bool frame(frame_stamp stamp, frame_kind kind, std::span<const byte_span> parts) noexcept {
    return to_->frame(stamp, kind, parts);
  }
  // Follows the chunk of its tick. `needed_later`: see recorder_base::event().
  void event(frame_stamp stamp, std::uint32_t type, byte_span bytes, bool needed_later = false) {
    to_->add_event(stamp, type, bytes, needed_later);
  }
  // Counts an event that is not written.
  void lose_event(std::uint32_t type) noexcept { to_->lose_event(type); }
  // Counts the tick of an item without a frame as lost.
  void lose(frame_stamp stamp, reel::gap_reason reason) noexcept { to_->lose(stamp, reason); }
  // Reports ticks without an item.
  void gap(std::uint64_t ticks, frame_stamp first, frame_stamp last, reel::gap_reason reason) noexcept {
    to_->add_gap({ticks, first, last}, reason);
  }
  // Whether a caller or a sink waits for a keyframe.
  [[nodiscard]] bool wants_keyframe() const noexcept { return to_->wants_keyframe(); }
  // The reel's size with everything that waits, before compression.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return to_->bytes(); }

 private:
  detail::pipeline* to_;
};

// An item encoder turns items into frames and events. All calls are on the writer's thread.
//
//   encoder_name, encoder_version   as of a tick_encoder
//   encode(item, out)               writes the content of the item
//   sealed(written, frames)         the oldest `frames` not reported before are in the reel, or are lost; in the
//                                   latter case the next dependent frame must be a keyframe. Also called within
//                                   frame() and event(): a chunk ends before a keyframe, before a frame that does
//                                   not fit, after one that fills it, and when too many events wait
//   event_lost(type)                an event of encode() could not be written
template <class E>
concept item_encoder = requires(E& encoder, const recorder_item& from, item_output& out) {
  { E::encoder_name } -> std::convertible_to<std::string_view>;
  { E::encoder_version } -> std::convertible_to<std::uint32_t>;
  { encoder.encode(from, out) } noexcept -> std::same_as<void>;
  { encoder.sealed(true, std::uint32_t{}) } noexcept -> std::same_as<void>;
  { encoder.event_lost(std::uint32_t{}) } noexcept -> std::same_as<void>;
};

namespace detail {

template <item_encoder Encoder>
struct item_recorder_state {
  struct head {
    frame_stamp stamp;
    tick_loss dropped_before;
  };

  item_recorder_state(Encoder&& own, const recorder_options& options)
      : ring(options.ring_ticks, options.ring_bytes), producer(options), encoder(std::move(own)) {}

  item_ring<head> ring;
  alignas(cache_line_bytes) push_side producer;
  item_buffer copied;  // for push() of bytes
  // Used by the writer thread.
  alignas(cache_line_bytes) Encoder encoder;
  std::unique_ptr<pipeline> out;

  std::size_t drain(std::size_t limit) noexcept {
    std::size_t items = 0;
    for (; items < limit; ++items) {
      auto* const from = ring.front();
      if (from == nullptr) break;
      const tick_loss& dropped = from->head.dropped_before;
      if (dropped.count != 0) out->note_dropped(dropped);
      item_output to(*out);
      encoder.encode({from->head.stamp, from->bytes.bytes(), dropped.count}, to);
      ring.pop();
    }
    return items;
  }

  tick_source as_source() noexcept {
    tick_source source;
    source.self = this;
    source.drain = [](void* self, std::size_t limit) noexcept {
      return static_cast<item_recorder_state*>(self)->drain(limit);
    };
    source.sealed = [](void* self, bool written, std::uint32_t frames) noexcept {
      static_cast<item_recorder_state*>(self)->encoder.sealed(written, frames);
    };
    source.event_lost = [](void* self, std::uint32_t type) noexcept {
      static_cast<item_recorder_state*>(self)->encoder.event_lost(type);
    };
    source.encoder_name = Encoder::encoder_name;
    source.encoder_version = Encoder::encoder_version;
    return source;
  }
};

}  // namespace detail

// push() swaps an item's memory into a ring: no lock, system call or wait (loss_policy::block waits), and no
// allocation once enough memory circulates. Threads, losses, files and counters are those of recorder.hpp; an
// item is a tick there.
template <item_encoder Encoder, loss_policy Policy = loss_policy::drop_newest>
class item_recorder : public recorder_base<detail::item_recorder_state<Encoder>> {
  static_assert(Policy != loss_policy::drop_oldest, "tickreel: items that are queued can't be taken back");
  using state = detail::item_recorder_state<Encoder>;
  using recorder_base<state>::state_;

 public:
  using recorder_base<state>::close;

  // As of recorder.
  static result<item_recorder> open(const file_path& reel_path, Encoder encoder,
                                    const recorder_options& options = {}) {
    return open_with(reel_path, std::move(encoder), options, {}, nullptr);
  }
  static result<item_recorder> open(const file_path& reel_path, Encoder encoder,
                                    const recorder_options& options, system_calls& calls) {
    return open_with(reel_path, std::move(encoder), options, {}, &calls);
  }
  static result<item_recorder> open(const file_path& reel_path, Encoder encoder,
                                    const recorder_options& options,
                                    std::vector<std::unique_ptr<reel::sink>> sinks,
                                    system_calls* calls = nullptr) {
    return open_with(reel_path, std::move(encoder), options, std::move(sinks), calls);
  }
  static result<item_recorder> open(std::vector<std::unique_ptr<reel::sink>> sinks, Encoder encoder,
                                    const recorder_options& options = {}) {
    return open_with({}, std::move(encoder), options, std::move(sinks), nullptr);
  }

  // Pushes one item, which becomes empty. False if it was rejected: no space (drop_newest), a tick that does
  // not rise, or a closed recorder.
  bool push(frame_stamp stamp, item_buffer& bytes) noexcept {
    state& self = *state_;
    const detail::push_guard<detail::checks_pushes> one_thread(self.producer.is_pushing);
    if (!self.producer.accept(stamp)) {
      bytes.clear();
      return false;
    }
    if (!make_room(bytes.size())) {
      bytes.clear();
      self.producer.drop(stamp);
      return false;
    }
    self.ring.push({stamp, self.producer.taken()}, bytes);
    return true;
  }
  // The same with bytes that are copied.
  bool push(frame_stamp stamp, byte_span bytes) noexcept {
    state_->copied.append(bytes);
    return push(stamp, state_->copied);
  }

  // Counts an item as dropped, as if the ring were full.
  void drop(frame_stamp stamp) noexcept {
    if (state_->producer.accept(stamp)) state_->producer.drop(stamp);
  }

  // For the pushing thread: whether push() would accept this many bytes now.
  [[nodiscard]] bool has_room(std::size_t bytes) noexcept { return state_->ring.has_room(bytes); }
  // For the pushing thread with an empty buffer: returns the memory of a large item that has been written.
  void reclaim(item_buffer& bytes) noexcept { state_->ring.reclaim(bytes); }
  [[nodiscard]] bool is_pumped() const noexcept { return state_->out->is_pumped(); }

  // close() with final calls to the encoder: last_frames(Encoder&, item_output&) after all waiting items were
  // encoded; then last_header(Encoder&, byte_vector&), which appends a header that follows all other records,
  // after all frames are in the reel or counted as lost.
  template <class Frames, class Header>
  result<close_report> close(Frames&& last_frames, Header&& last_header) {
    struct final_calls {
      state& self;
      Frames& frames;
      Header& header;
    } calls{*state_, last_frames, last_header};
    detail::closing last;
    last.self = &calls;
    last.last_frames = [](void* self) noexcept {
      auto& own = *static_cast<final_calls*>(self);
      item_output out(*own.self.out);
      own.frames(own.self.encoder, out);
    };
    last.last_header = [](void* self, byte_vector& out) noexcept {
      auto& own = *static_cast<final_calls*>(self);
      own.header(own.self.encoder, out);
    };
    return recorder_base<state>::close_with(last);
  }

 private:
  explicit item_recorder(std::unique_ptr<state> owned) noexcept : recorder_base<state>(std::move(owned)) {}

  static result<item_recorder> open_with(const file_path& path, Encoder&& encoder,
                                         const recorder_options& options,
                                         std::vector<std::unique_ptr<reel::sink>> sinks,
                                         system_calls* calls) {
    if (const auto sound = detail::check_ring(options, Policy); !sound) return fail(sound.error());
    auto owned = std::make_unique<state>(std::move(encoder), options);
    if (const auto started = detail::start_recorder(*owned, path, options, std::move(sinks), calls);
        !started) {
      return fail(started.error());
    }
    return item_recorder(std::move(owned));
  }

  bool make_room(std::size_t bytes) noexcept {
    if (state_->ring.has_room(bytes)) return true;
    if constexpr (Policy == loss_policy::block) {
      for (std::uint32_t attempt = 0; !state_->ring.has_room(bytes); ++attempt) {
        detail::wait_for_room(attempt);
      }
      return true;
    } else {
      return false;
    }
  }
};

}  // namespace tickreel
