// Where the game's thread puts notes: memory that grows and is never cleared.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"

namespace tickreel::game {

class note_buffer {
 public:
  [[nodiscard]] byte_span bytes() const noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  void clear() noexcept { size_ = 0; }
  void swap(note_buffer& other) noexcept {
    bytes_.swap(other.bytes_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
  }

  // Room for so many more bytes; they must be written. Allocates only when the capacity is used up.
  [[nodiscard]] std::byte* room(std::size_t count) {
    if (capacity_ - size_ < count) grow(count);
    std::byte* const at = bytes_.get() + size_;
    size_ += count;
    return at;
  }
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
  void grow(std::size_t count) {
    const std::size_t wanted = std::max(size_ + count, capacity_ * 2);
    auto larger = std::make_unique_for_overwrite<std::byte[]>(wanted);
    if (size_ != 0) std::memcpy(larger.get(), bytes_.get(), size_);
    bytes_ = std::move(larger);
    capacity_ = wanted;
  }

  std::unique_ptr<std::byte[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace tickreel::game
