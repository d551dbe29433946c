// A fast reader for the integers of tracker events: most have one or two bytes.
#pragma once

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"

namespace tickreel::sc2replay {

// byte_reader's rules: a failed read returns 0, and so does every later one.
class integer_cursor {
 public:
  explicit integer_cursor(byte_span input) noexcept
      : start_(input.data()), at_(input.data()), end_(input.data() + input.size()) {}

  [[nodiscard]] bool ok() const noexcept { return !failed_; }
  [[nodiscard]] std::size_t position() const noexcept { return static_cast<std::size_t>(at_ - start_); }
  [[nodiscard]] const std::byte* place() const noexcept { return at_; }

  [[nodiscard]] std::uint8_t u8() noexcept {
    if (at_ == end_) return stop();
    return std::to_integer<std::uint8_t>(*at_++);
  }
  // An SC2 integer, see tickreel/bytes/varint.hpp.
  [[nodiscard]] std::int64_t integer() noexcept {
    if (end_ - at_ >= 2) {
      const auto first = std::to_integer<std::uint32_t>(at_[0]);
      const auto second = std::to_integer<std::uint32_t>(at_[1]);
      if (first < 0x80) {
        ++at_;
        return signed_of(first);
      }
      if (second < 0x80) {
        at_ += 2;
        return signed_of((first & 0x7F) | second << 7);
      }
    }
    byte_reader slow({at_, end_});
    const std::int64_t value = read_sc2_integer(slow);
    if (!slow.ok()) return stop();
    at_ += slow.position();
    return value;
  }
  bool pass(std::int64_t count) noexcept {
    if (failed_ || count < 0 || count > end_ - at_) {
      (void)stop();
      return false;
    }
    at_ += count;
    return true;
  }

 private:
  static std::int64_t signed_of(std::uint32_t coded) noexcept {
    const auto magnitude = static_cast<std::int64_t>(coded >> 1);
    return (coded & 1) != 0 ? -magnitude : magnitude;
  }
  std::uint8_t stop() noexcept {
    failed_ = true;
    end_ = at_;
    return 0;
  }

  const std::byte* start_;
  const std::byte* at_;
  const std::byte* end_;
  bool failed_ = false;
};

}  // namespace tickreel::sc2replay
