// Passes events from the game's thread to the reel.
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

// For one thread that pushes and one that drains. The pushing side allocates only in the constructor.
class event_queue {
 public:
  // The number of events that may wait; the writer polls every few milliseconds.
  static constexpr std::size_t capacity = 256;

  event_queue();

  // Copies into a ring: no allocation, lock, system call or wait. False if `capacity` are waiting.
  template <described E>
  bool push(frame_stamp stamp, const E& happened) noexcept {
    static_assert(
        component_size<E> <= max_event_bytes,
        "tickreel: an event has at most 1024 bytes; what is larger belongs into the recorded struct");
    return push(stamp, event_kind_of<E>,
                [&happened](std::byte* bytes) noexcept { tickreel::detail::put_component(bytes, happened); });
  }
  // The same for a kind that is known at run time, of at most max_event_bytes, which must outlive the queue:
  // write(std::byte*) writes kind.bytes component bytes.
  template <class Write>
  bool push(frame_stamp stamp, const event_kind& kind, Write&& write) noexcept {
    slot* const to = ring_.begin_push();
    if (to == nullptr) return false;
    to->stamp = stamp;
    to->kind = &kind;
    write(to->bytes.data());
    ring_.commit_push();
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    return true;
  }

  // Why the first rejected kind of events is rejected. For the writer, and for any thread after it has
  // finished. Readers identify events by their described names, so a recording accepts one struct per name.
  [[nodiscard]] const std::optional<error>& refused() const noexcept { return refused_; }

  [[nodiscard]] std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_acquire); }
  // Passes on those of the first `known` that are due: all, or those of ticks up to `last_tick`. `out` has
  // add_event(stamp, type, bytes) and lose_event(type).
  template <class Out>
  void drain(Out& out, std::uint64_t known, bool all, std::uint64_t last_tick) {
    for (; taken_ < known; ++taken_) {
      slot* const from = ring_.front();
      if (!all && from->stamp.tick > last_tick) return;
      if (reported_kind* const as = described_as(*from->kind)) {
        report(out, from->stamp, *as);
        last_stamp_ = from->stamp;
        out.add_event(from->stamp, first_own_event_type + as->number,
                      byte_span(from->bytes).first(from->kind->bytes));
      } else {
        out.lose_event(first_own_event_type);
      }
      ring_.pop();
    }
  }
  // Descriptions are written again with the next event of their kind, for a new sink.
  void report_again() noexcept;
  // Writes all of them at the end, so that they are readable even if earlier copies are damaged.
  template <class Out>
  void report_all(Out& out) {
    report_again();
    for (reported_kind& each : described_) report(out, last_stamp_, each);
  }

 private:
  struct slot {
    frame_stamp stamp;
    const event_kind* kind = nullptr;
    std::array<std::byte, max_event_bytes> bytes;
  };
  struct reported_kind {
    const event_kind* kind = nullptr;
    std::uint32_t number = 0;
    bool is_reported = false;
    byte_vector description;  // the schema's bytes; empty if readers would reject it
  };
  template <class Out>
  void report(Out& out, frame_stamp stamp, reported_kind& what) {
    if (what.is_reported || what.description.empty()) return;
    what.is_reported = true;
    out.add_event(stamp, event_description_type, what.description, true);
  }
  // Null for a kind that readers would reject.
  [[nodiscard]] reported_kind* described_as(const event_kind& kind);

  spsc_ring<slot> ring_;
  alignas(cache_line_bytes) std::atomic<std::uint64_t> pushed_{0};
  alignas(cache_line_bytes) std::uint64_t taken_ = 0;
  frame_stamp last_stamp_;
  std::vector<reported_kind> described_;
  std::optional<error> refused_;
};

}  // namespace tickreel::tracks
