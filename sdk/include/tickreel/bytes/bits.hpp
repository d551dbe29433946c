// Reads and writes fields of 0 to 64 bits that need not start at a byte boundary.
//
// Both orders fill a byte from its low end. They differ in a field that spans bytes:
//   low_first    its first byte has its lowest bits, as little-endian packings do
//   high_first   its first byte has its highest bits, as StarCraft II streams do; a field that starts at a byte
//                boundary and fills whole bytes is plain big-endian
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

enum class bit_order : std::uint8_t { low_first, high_first };

// The bit-wise counterpart of byte_reader, with the same rules: a failed read returns 0 and makes every later
// one fail. Not thread-safe; allocates nothing.
template <bit_order Order>
class bit_reader {
 public:
  bit_reader() noexcept = default;
  explicit bit_reader(byte_span input, std::uint64_t base_offset = 0) noexcept
      : input_(input), bit_count_(std::uint64_t{input.size()} * 8), base_(base_offset) {}

  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  // Where the next read starts, or where the first failed read started.
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + position_ / 8; }
  [[nodiscard]] std::uint64_t bit_position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t remaining_bits() const noexcept { return bit_count_ - position_; }

  [[nodiscard]] tl::unexpected<error> failure(const char* detail = "") const noexcept {
    return fail(reason_, offset(), detail);
  }

  // The next `count` bits. More than 64 fail with invalid_argument.
  [[nodiscard]] std::uint64_t bits(unsigned count) noexcept {
    if (count > 64) fail_with(error_code::invalid_argument);
    if (count > remaining_bits()) {
      fail_with(error_code::truncated);
      return 0;
    }
    std::uint64_t value = 0;
    unsigned done = 0;
    while (done < count) {
      const auto used = static_cast<unsigned>(position_ & 7);
      const unsigned take = count - done < 8 - used ? count - done : 8 - used;
      const auto byte = std::to_integer<std::uint64_t>(input_[static_cast<std::size_t>(position_ >> 3)]);
      const std::uint64_t piece = (byte >> used) & ((1u << take) - 1u);
      if constexpr (Order == bit_order::low_first) {
        value |= piece << done;
      } else {
        value = (value << take) | piece;
      }
      done += take;
      position_ += take;
    }
    return value;
  }

  [[nodiscard]] bool flag() noexcept { return bits(1) != 0; }

  void skip_bits(std::uint64_t count) noexcept {
    if (count > remaining_bits()) {
      fail_with(error_code::truncated);
      return;
    }
    position_ += count;
  }

  // Skips to the next byte boundary.
  void align() noexcept {
    if (!failed_) position_ = (position_ + 7) / 8 * 8;
  }

  // Skips to the next byte boundary, then returns the next `count` bytes in place. Empty on failure.
  [[nodiscard]] byte_span aligned_bytes(std::size_t count) noexcept {
    align();
    if (count > remaining_bits() / 8) {
      fail_with(error_code::truncated);
      return {};
    }
    const byte_span taken = input_.subspan(static_cast<std::size_t>(position_ / 8), count);
    position_ += std::uint64_t{count} * 8;
    return taken;
  }

  // Makes every later read fail; the first reason stays.
  void fail_with(error_code reason) noexcept {
    if (!failed_) {
      failed_ = true;
      reason_ = reason;
      bit_count_ = position_;
    }
  }

 private:
  byte_span input_;
  std::uint64_t bit_count_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t position_ = 0;
  error_code reason_ = error_code::truncated;
  bool failed_ = false;
};

// The bit-wise counterpart of byte_writer. Bits that were not written are 0.
template <bit_order Order>
class bit_writer {
 public:
  bit_writer() noexcept = default;
  explicit bit_writer(mutable_byte_span room) noexcept
      : room_(room), bit_count_(std::uint64_t{room.size()} * 8) {}

  [[nodiscard]] bool ok() const noexcept { return !overflowed_; }
  [[nodiscard]] std::uint64_t bit_position() const noexcept { return position_; }
  [[nodiscard]] std::uint64_t remaining_bits() const noexcept { return bit_count_ - position_; }
  // All bytes with at least one written bit.
  [[nodiscard]] byte_span written() const noexcept {
    return room_.first(static_cast<std::size_t>((position_ + 7) / 8));
  }

  // The low `count` bits of `value`, at most 64; the others are ignored.
  void bits(std::uint64_t value, unsigned count) noexcept {
    if (count > 64 || count > remaining_bits()) {
      overflow();
      return;
    }
    unsigned done = 0;
    while (done < count) {
      const auto used = static_cast<unsigned>(position_ & 7);
      const unsigned piece_size = count - done < 8 - used ? count - done : 8 - used;
      const unsigned shift = Order == bit_order::low_first ? done : count - done - piece_size;
      const std::uint64_t piece = (value >> shift) & ((1u << piece_size) - 1u);
      std::byte& byte = room_[static_cast<std::size_t>(position_ >> 3)];
      byte = static_cast<std::byte>((used == 0 ? 0 : std::to_integer<std::uint64_t>(byte)) | (piece << used));
      done += piece_size;
      position_ += piece_size;
    }
  }

  void flag(bool value) noexcept { bits(value ? 1 : 0, 1); }

  // Skips to the next byte boundary.
  void align() noexcept {
    if (!overflowed_) position_ = (position_ + 7) / 8 * 8;
  }

  // Skips to the next byte boundary, then writes the bytes.
  void aligned_bytes(byte_span source) noexcept {
    align();
    if (source.size() > remaining_bits() / 8) {
      overflow();
      return;
    }
    std::byte* to = room_.data() + static_cast<std::size_t>(position_ / 8);
    for (const std::byte byte : source) *to++ = byte;
    position_ += std::uint64_t{source.size()} * 8;
  }

 private:
  void overflow() noexcept {
    overflowed_ = true;
    // No space remains. An unfinished byte stays in written().
    bit_count_ = position_;
  }

  mutable_byte_span room_;
  std::uint64_t bit_count_ = 0;
  std::uint64_t position_ = 0;
  bool overflowed_ = false;
};

}  // namespace tickreel
