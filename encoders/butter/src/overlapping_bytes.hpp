// A short run of bytes whose final length is known late.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::butter {

// Capacity for the largest number of bytes, so that writes need no check. Writing eight bytes of which few
// count costs less than a mispredicted branch: the next write overwrites the rest.
template <std::size_t Capacity>
class overlapping_bytes {
 public:
  // The lowest `count` bytes of a number, little-endian; 0 writes none.
  void put(std::uint64_t value, std::size_t count) noexcept {
    detail::store<std::endian::little>(&bytes_[size_], value);
    size_ += count;
  }
  // `Count` of them: put() with each value and count that `piece(i)` gives.
  template <std::size_t Count, class Piece>
  void put_all(const Piece& piece) noexcept {
    // A local copy of the size: for the compiler, written bytes could alias size_.
    std::size_t size = size_;
    for (std::size_t i = 0; i < Count; ++i) {
      const auto [value, count] = piece(i);
      detail::store<std::endian::little>(&bytes_[size], std::uint64_t{value});
      size += count;
    }
    size_ = size;
  }
  // Reserves a byte to fill in later, and returns its index.
  [[nodiscard]] std::size_t reserve() noexcept { return size_++; }
  void fill(std::size_t place, std::uint8_t value) noexcept { bytes_[place] = static_cast<std::byte>(value); }
  [[nodiscard]] byte_span written() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::array<std::byte, Capacity + sizeof(std::uint64_t)> bytes_;
  std::size_t size_ = 0;
};

}  // namespace tickreel::butter
