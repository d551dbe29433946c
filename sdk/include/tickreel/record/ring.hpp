// The rings between the thread that produces states and the thread that writes them.
//
// Both are for one producer and one consumer. Slots are constructed once and reused: a push fills a slot in
// place, a pop returns it. No function here locks, allocates, waits or makes a system call.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tickreel {

// Frequently written members of each side have separate cache lines, so that the sides do not slow each other
// down. 64 bytes is the line of x86-64 and of most ARM cores; where it is 128 the ring is correct, only
// slower.
inline constexpr std::size_t cache_line_bytes = 64;

// A bounded queue. If it is full, begin_push() returns no slot. Only tests that model the memory of the machine choose another
// `Atomic`.
template <class T, template <class> class Atomic = std::atomic>
class spsc_ring {
 public:
  // Holds at least `capacity` elements: rounded up to a power of two, at least 2.
  explicit spsc_ring(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity) - 1),
        slots_(std::make_unique<T[]>(mask_ + 1)) {}

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }
  // Before the first push: visit(T&) prepares each slot.
  template <class Visit>
  void for_each_slot(Visit&& visit) {
    for (std::size_t at = 0; at <= mask_; ++at) visit(slots_[at]);
  }

  // Producer: the slot to fill, null if the ring is full. Nothing is pushed before commit_push().
  [[nodiscard]] T* begin_push() noexcept {
    const std::uint64_t at = tail_.load(std::memory_order_relaxed);
    if (at - known_head_ > mask_) {
      known_head_ = head_.load(std::memory_order_acquire);
      if (at - known_head_ > mask_) return nullptr;
    }
    return &slots_[at & mask_];
  }
  void commit_push() noexcept {
    tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  // Consumer: the oldest element, null if there is none. It stays valid until pop().
  [[nodiscard]] T* front() noexcept {
    const std::uint64_t at = head_.load(std::memory_order_relaxed);
    if (at == known_tail_) {
      known_tail_ = tail_.load(std::memory_order_acquire);
      if (at == known_tail_) return nullptr;
    }
    return &slots_[at & mask_];
  }
  void pop() noexcept { head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  // Constant after construction.
  std::size_t mask_;
  std::unique_ptr<T[]> slots_;
  // The producer's line: the position of the next push, and the last known position of the consumer.
  alignas(cache_line_bytes) Atomic<std::uint64_t> tail_{0};
  std::uint64_t known_head_ = 0;
  // The consumer's line.
  alignas(cache_line_bytes) Atomic<std::uint64_t> head_{0};
  std::uint64_t known_tail_ = 0;
};

// A bounded queue whose producer always gets a slot: if the ring is full, it replaces the oldest element
// that the consumer has not claimed yet.
//
// The queue holds slot numbers, not slots, because the next slot may still be in use by the consumer. So there is
// one slot more than the queue has places. The oldest element belongs to the side that first moves the head past
// it, by one compare-and-swap; the loser retries. Slots return from the consumer through a second ring. A
// producer that loses the race has a place, so it tries at most twice.
template <class T, template <class> class Atomic = std::atomic>
class replacing_ring {
 public:
  // Holds at least `capacity` elements: rounded up to a power of two, at least 2.
  explicit replacing_ring(std::size_t capacity)
      : mask_(std::bit_ceil(capacity < 2 ? std::size_t{2} : capacity) - 1),
        slots_(std::make_unique<T[]>(mask_ + 2)),
        queue_(std::make_unique<Atomic<std::uint32_t>[]>(mask_ + 1)),
        returned_(mask_ + 2) {
    for (std::uint32_t number = 0; number < mask_ + 2; ++number) give_back(number);
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }
  // Before the first push: visit(T&) prepares each slot.
  template <class Visit>
  void for_each_slot(Visit&& visit) {
    for (std::size_t at = 0; at < mask_ + 2; ++at) visit(slots_[at]);
  }

  struct room {
    T* slot;
    bool replaces;  // *slot still holds the element that this push replaces
  };

  // Producer: always returns a slot. commit_push() must follow.
  [[nodiscard]] room begin_push() noexcept {
    const std::uint64_t at = tail_.load(std::memory_order_relaxed);
    std::uint64_t head = head_.load(std::memory_order_acquire);
    while (at - head > mask_) {
      filling_ = queue_[head & mask_].load(std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, head + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
        return {&slots_[filling_], true};
      }
    }
    // A free place means a returned slot: at most mask_ are queued and one is being read.
    filling_ = *returned_.front();
    returned_.pop();
    return {&slots_[filling_], false};
  }
  void commit_push() noexcept {
    const std::uint64_t at = tail_.load(std::memory_order_relaxed);
    queue_[at & mask_].store(filling_, std::memory_order_relaxed);
    tail_.store(at + 1, std::memory_order_release);
  }

  // Consumer: claims the oldest element, null if there is none. It stays valid until pop().
  [[nodiscard]] T* front() noexcept {
    if (has_claim_) return &slots_[reading_];
    std::uint64_t head = head_.load(std::memory_order_acquire);
    while (head != tail_.load(std::memory_order_acquire)) {
      reading_ = queue_[head & mask_].load(std::memory_order_relaxed);
      if (head_.compare_exchange_strong(head, head + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
        has_claim_ = true;
        return &slots_[reading_];
      }
    }
    return nullptr;
  }
  void pop() noexcept {
    has_claim_ = false;
    give_back(reading_);
  }

 private:
  void give_back(std::uint32_t number) noexcept {
    *returned_.begin_push() = number;  // never full: it has a place for every slot
    returned_.commit_push();
  }

  std::size_t mask_;
  std::unique_ptr<T[]> slots_;
  std::unique_ptr<Atomic<std::uint32_t>[]> queue_;
  spsc_ring<std::uint32_t, Atomic> returned_;  // from the consumer to the producer
  alignas(cache_line_bytes) Atomic<std::uint64_t> tail_{0};
  std::uint32_t filling_ = 0;  // the producer's slot
  alignas(cache_line_bytes) Atomic<std::uint64_t> head_{0};
  std::uint32_t reading_ = 0;  // the consumer's slot
  bool has_claim_ = false;
};

}  // namespace tickreel
