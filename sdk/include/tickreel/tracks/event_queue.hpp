// Events on their way from the game's thread to the reel.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tickreel/keyframe/frame.hpp"
#include "tickreel/record/ring.hpp"
#include "tickreel/result.hpp"
#include "tickreel/tracks/events.hpp"

namespace tickreel::tracks {

// For one thread that pushes and one that drains. All memory of the pushing side is taken when it is made.
class event_queue {
 public:
  // Events that may wait; the writer looks every few milliseconds.
  static constexpr std::size_t capacity = 256;

  event_queue();

  // A copy into a ring: no allocation, lock, system call or wait. False when `capacity` wait already.
  template <described E>
  bool push(frame_stamp stamp, const E& happened) noexcept {
    static_assert(
        component_size<E> <= max_event_bytes,
        "tickreel: an event has at most 1024 bytes; what is larger belongs into the recorded struct");
    slot* const to = ring_.begin_push();
    if (to == nullptr) return false;
    to->stamp = stamp;
    to->kind = &event_kind_of<E>;
    tickreel::detail::put_component(to->bytes.data(), happened);
    ring_.commit_push();
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return true;
  }

  // The writer's side, and anybody's when it is done: why a kind of events is refused, the first of them.
  // Readers tell events by their described names, so a recording takes one struct of each name.
  [[nodiscard]] const std::optional<error>& refused() const noexcept { return refused_; }

  // How many were pushed up to now.
  [[nodiscard]] std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_acquire); }
  // Hands on those among the first `known` that are due: all, or those of ticks up to `last_tick`. `out` has
  // add_event(stamp, type, bytes) and lose_event(type).
  template <class Out>
  void drain(Out& out, std::uint64_t known, bool all, std::uint64_t last_tick) {
    for (; taken_ < known; ++taken_) {
      slot* const from = ring_.front();
      if (!all && from->stamp.tick > last_tick) return;
      if (told_kind* const as = described_as(*from->kind)) {
        tell(out, from->stamp, *as);
        last_stamp_ = from->stamp;
        out.add_event(from->stamp, first_own_event_type + as->number,
                      byte_span(from->bytes).first(from->kind->bytes));
      } else {
        out.lose_event(first_own_event_type);
      }
      ring_.pop();
    }
  }
  // Descriptions are written again with the next event of their kind: somebody has not seen them.
  void tell_again() noexcept;
  // All of them, at the end: what is damaged before can then still be read.
  template <class Out>
  void tell_all(Out& out) {
    tell_again();
    for (told_kind& each : described_) tell(out, last_stamp_, each);
  }

 private:
  struct slot {
    frame_stamp stamp;
    const event_kind* kind = nullptr;
    std::array<std::byte, max_event_bytes> bytes;
  };
  struct told_kind {
    const event_kind* kind = nullptr;
    std::uint32_t number = 0;
    bool is_told = false;
    byte_vector description;  // the event's bytes; empty where readers would refuse it
  };
  template <class Out>
  void tell(Out& out, frame_stamp stamp, told_kind& what) {
    if (what.is_told || what.description.empty()) return;
    what.is_told = true;
    out.add_event(stamp, event_description_type, what.description, true);
  }
  // Null for what no reader takes.
  [[nodiscard]] told_kind* described_as(const event_kind& kind);

  spsc_ring<slot> ring_;
  alignas(cache_line_bytes) std::atomic<std::uint64_t> pushed_{0};
  alignas(cache_line_bytes) std::uint64_t taken_ = 0;
  frame_stamp last_stamp_;
  std::vector<told_kind> described_;
  std::optional<error> refused_;
};

}  // namespace tickreel::tracks
