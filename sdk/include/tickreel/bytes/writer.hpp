// Writes numbers into bytes. Every write is bounds-checked.
#pragma once

#include <bit>
#include <cstring>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"

namespace tickreel {

// A cursor over memory that it does not own.
//
// A write that does not fit writes nothing, and neither do later writes; the caller checks ok() once at the end.
// Not thread-safe; allocates nothing.
class byte_writer {
 public:
  byte_writer() noexcept = default;
  explicit byte_writer(mutable_byte_span room) noexcept : room_(room) {}

  [[nodiscard]] bool ok() const noexcept { return !overflowed_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return room_.size() - size_; }
  [[nodiscard]] byte_span written() const noexcept { return room_.first(size_); }

  // Little-endian. Also for floating point.
  template <class T>
  void little(T value) noexcept {
    number<std::endian::little>(value);
  }
  // Big-endian.
  template <class T>
  void big(T value) noexcept {
    number<std::endian::big>(value);
  }

  void u8(std::uint8_t value) noexcept { little(value); }
  void u16(std::uint16_t value) noexcept { little(value); }
  void u32(std::uint32_t value) noexcept { little(value); }
  void u64(std::uint64_t value) noexcept { little(value); }
  void i16(std::int16_t value) noexcept { little(value); }
  void i32(std::int32_t value) noexcept { little(value); }
  void i64(std::int64_t value) noexcept { little(value); }
  void f32(float value) noexcept { little(value); }

  void bytes(byte_span source) noexcept {
    if (const mutable_byte_span room = take(source.size()); !room.empty()) {
      std::memcpy(room.data(), source.data(), source.size());
    }
  }

  // The text and a 0 byte. A 0 inside the text ends it.
  void zero_terminated(std::string_view text) noexcept {
    bytes(as_bytes(text.substr(0, text.find('\0'))));
    u8(0);
  }

  // Memory to fill in later (a length, a mask). Empty when it does not fit.
  [[nodiscard]] mutable_byte_span reserve(std::size_t count) noexcept { return take(count); }

 private:
  mutable_byte_span take(std::size_t count) noexcept {
    if (remaining() < count) {
      overflowed_ = true;
      // No space remains, so a write needs only the check for size.
      room_ = room_.first(size_);
      return {};
    }
    const mutable_byte_span room = room_.subspan(size_, count);
    size_ += count;
    return room;
  }

  template <std::endian Order, class T>
  void number(T value) noexcept {
    if (const mutable_byte_span room = take(sizeof(T)); !room.empty()) {
      detail::store<Order>(room.data(), value);
    }
  }

  mutable_byte_span room_;
  std::size_t size_ = 0;
  bool overflowed_ = false;
};

}  // namespace tickreel
