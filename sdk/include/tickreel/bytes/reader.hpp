// Reads numbers from bytes. Every read is bounds-checked.
#pragma once

#include <bit>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel {

// A cursor over bytes that it does not own.
//
// A failed read returns zero, stores its offset and makes every later read fail. So a parser reads a group of
// fields and checks ok() once, before it uses any of them. Offsets in errors count from the start of the input
// plus the base given at construction. To look ahead, copy the reader. Not thread-safe; allocates nothing.
class byte_reader {
 public:
  byte_reader() noexcept = default;
  explicit byte_reader(byte_span input, std::uint64_t base_offset = 0) noexcept
      : input_(input), base_(base_offset) {}

  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  // Where the next read starts, or where the first failed read started.
  [[nodiscard]] std::uint64_t offset() const noexcept { return base_ + position_; }
  [[nodiscard]] std::size_t position() const noexcept { return position_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return input_.size() - position_; }
  [[nodiscard]] bool at_end() const noexcept { return remaining() == 0; }

  // The error of a parser when !ok(). `detail` is static text that names the field.
  [[nodiscard]] tl::unexpected<error> failure(const char* detail = "") const noexcept {
    return fail(reason_, offset(), detail);
  }

  // Little-endian. Also for floating point: float has 4 bytes, double 8.
  template <class T>
  [[nodiscard]] T little() noexcept {
    return number<std::endian::little, T>();
  }
  // Big-endian.
  template <class T>
  [[nodiscard]] T big() noexcept {
    return number<std::endian::big, T>();
  }

  [[nodiscard]] std::uint8_t u8() noexcept { return little<std::uint8_t>(); }
  [[nodiscard]] std::uint16_t u16() noexcept { return little<std::uint16_t>(); }
  [[nodiscard]] std::uint32_t u32() noexcept { return little<std::uint32_t>(); }
  [[nodiscard]] std::uint64_t u64() noexcept { return little<std::uint64_t>(); }
  [[nodiscard]] std::int16_t i16() noexcept { return little<std::int16_t>(); }
  [[nodiscard]] std::int32_t i32() noexcept { return little<std::int32_t>(); }
  [[nodiscard]] std::int64_t i64() noexcept { return little<std::int64_t>(); }
  [[nodiscard]] float f32() noexcept { return little<float>(); }

  // The next `count` bytes in place, valid as long as the input. Empty on failure.
  [[nodiscard]] byte_span bytes(std::size_t count) noexcept {
    if (remaining() < count) {
      fail_with(error_code::truncated);
      return {};
    }
    const byte_span taken = input_.subspan(position_, count);
    position_ += count;
    return taken;
  }

  // The unread bytes, in place; does not advance. Empty after a failure.
  [[nodiscard]] byte_span rest() const noexcept { return input_.subspan(position_); }

  void skip(std::size_t count) noexcept { (void)bytes(count); }

  // Text up to a 0 byte, which is consumed and not returned. Fails with over_limit when more than
  // `limit` bytes come before the 0.
  [[nodiscard]] std::string_view zero_terminated(std::size_t limit) noexcept {
    const std::size_t available = remaining();
    for (std::size_t length = 0; length < available; ++length) {
      if (input_[position_ + length] == std::byte{0}) {
        const auto text = as_text(input_.subspan(position_, length));
        position_ += length + 1;
        return text;
      }
      if (length == limit) {
        fail_with(error_code::over_limit);
        return {};
      }
    }
    fail_with(error_code::truncated);
    return {};
  }

  // Makes every later read fail; the first reason stays.
  void fail_with(error_code reason) noexcept {
    if (!failed_) {
      failed_ = true;
      reason_ = reason;
      // Nothing remains, so a read needs only the check for size.
      input_ = input_.first(position_);
    }
  }

 private:
  template <std::endian Order, class T>
  T number() noexcept {
    const byte_span raw = bytes(sizeof(T));
    return raw.empty() ? T{} : detail::load<Order, T>(raw.data());
  }

  byte_span input_;
  std::uint64_t base_ = 0;
  std::size_t position_ = 0;
  error_code reason_ = error_code::truncated;
  bool failed_ = false;
};

}  // namespace tickreel
