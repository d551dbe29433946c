// The ring between the thread that produces items of any size and the thread that writes them.
//
// For one producer and one consumer. Bytes are not copied: each slot owns memory, and a push swaps it with
// the producer's. So memory circulates, and nothing is allocated once there is enough. Grown memory returns to
// the producer by a separate ring instead of staying in every slot, so the amount of large memory is bounded by
// the largest number of large items in flight. No function here locks, waits or makes a system call;
// item_buffer allocates while it grows.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/record/ring.hpp"

namespace tickreel {

// Memory that grows by appending and is never cleared.
class item_buffer {
 public:
  [[nodiscard]] byte_span bytes() const noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] std::byte* data() noexcept { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  void clear() noexcept { size_ = 0; }
  // Keeps the first `size` bytes.
  void shrink(std::size_t size) noexcept { size_ = size; }
  void reserve(std::size_t capacity) {
    if (capacity_ < capacity) grow(capacity);
  }
  void swap(item_buffer& other) noexcept {
    bytes_.swap(other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Space for `count` more bytes, which must be written. Allocates only if the capacity is exhausted.
  [[nodiscard]] std::byte* room(std::size_t count) {
    if (capacity_ - size_ < count) grow((std::max)(size_ + count, capacity_ * 2));
    std::byte* const at = bytes_.get() + size_;
    size_ += count;
    return at;
  }
  // Little-endian, in order.
  template <class... Number>
  void numbers(Number... number) {
    std::byte* at = room((sizeof(Number) + ...));
    ((detail::store<std::endian::little>(at, number), at += sizeof(Number)), ...);
  }
  void append(byte_span from) {
    std::byte* const at = room(from.size());
    if (!from.empty()) std::memcpy(at, from.data(), from.size());
  }

 private:
  void grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// The initial memory of every slot; larger memory returns to the producer.
inline constexpr std::size_t prepared_item_bytes = 512;

// Bounded in items and in their bytes. `Head` is the data of an item besides its bytes.
template <class Head>
class item_ring {
 public:
  struct slot {
    Head head{};
    item_buffer bytes;
  };

  // Holds at least `items`, rounded up to a power of two, with a total of `bytes`.
  item_ring(std::size_t items, std::size_t bytes)
      : slots_(items), large_((std::min)(slots_.capacity(), max_large_)), max_bytes_(bytes) {
    prepare(slots_, [](slot& one) -> item_buffer& { return one.bytes; });
    prepare(large_, [](item_buffer& one) -> item_buffer& { return one; });
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return slots_.capacity(); }

  // Producer: whether push() would accept this many bytes. A single item may exceed the limit of the total.
  [[nodiscard]] bool has_room(std::size_t bytes) noexcept {
    if (slots_.begin_push() == nullptr) return false;
    if (fits(bytes)) return true;
    known_popped_ = popped_bytes_.load(std::memory_order_acquire);
    return fits(bytes);
  }
  // Producer, if has_room(): `bytes` becomes the memory of the slot, empty.
  void push(const Head& head, item_buffer& bytes) noexcept {
    slot* const to = slots_.begin_push();
    to->head = head;
    to->bytes.swap(bytes);
    const std::size_t size = to->bytes.size();
    pushed_bytes_ += size;
    slots_.commit_push();
    bytes.clear();
    // The next item may have the same size.
    if (size > bytes.capacity()) reclaim(bytes);
  }
  // Producer: exchanges `bytes`, which must be empty, for larger memory, if some was returned. Call it if the
  // next item will be large.
  void reclaim(item_buffer& bytes) noexcept {
    item_buffer* const back = large_.front();
    if (back == nullptr || back->capacity() <= bytes.capacity()) return;
    back->swap(bytes);
    large_.pop();
  }

  // Consumer: the oldest item, null if there is none. It stays valid until pop().
  [[nodiscard]] slot* front() noexcept { return slots_.front(); }
  void pop() noexcept {
    item_buffer& bytes = slots_.front()->bytes;
    popped_bytes_.store(popped_bytes_.load(std::memory_order_relaxed) + bytes.size(),
                        std::memory_order_release);
    bytes.clear();
    if (bytes.capacity() > prepared_item_bytes) {
      if (item_buffer* const back = large_.begin_push()) {
        back->swap(bytes);
        large_.commit_push();
      }
    }
    slots_.pop();
  }

 private:
  static constexpr std::size_t max_large_ = 64;

  template <class Ring, class Get>
  static void prepare(Ring& ring, Get&& get) {
    for (std::size_t i = 0; i < ring.capacity(); ++i) {
      // Touched once, so that the game causes no page faults.
      item_buffer& memory = get(*ring.begin_push());
      *memory.room(prepared_item_bytes) = std::byte{0};
      memory.clear();
      ring.commit_push();
    }
    while (ring.front() != nullptr) ring.pop();
  }
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept {
    const std::uint64_t waiting = pushed_bytes_ - known_popped_;
    return waiting == 0 || waiting + bytes <= max_bytes_;
  }

  spsc_ring<slot> slots_;
  spsc_ring<item_buffer> large_;  // from the consumer to the producer
  std::size_t max_bytes_;
  // The producer's line.
  alignas(cache_line_bytes) std::uint64_t pushed_bytes_ = 0;
  std::uint64_t known_popped_ = 0;
  // The consumer's line.
  alignas(cache_line_bytes) std::atomic<std::uint64_t> popped_bytes_{0};
};

}  // namespace tickreel
