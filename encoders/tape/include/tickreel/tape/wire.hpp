// The wire format of Protocol Buffers: fields of one message, read in place and appended.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/bytes/endian.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::tape {

enum class wire_type : std::uint8_t { varint = 0, eight_bytes = 1, bytes = 2, four_bytes = 5 };

// One field of a message. A value of another type than its number's type in the schema reads as zero.
struct wire_field {
  std::uint32_t number = 0;
  wire_type type = wire_type::varint;
  std::uint64_t value = 0;  // of all types except bytes
  byte_span bytes;

  [[nodiscard]] std::uint64_t whole() const noexcept { return type == wire_type::varint ? value : 0; }
  [[nodiscard]] std::int32_t signed_whole() const noexcept { return static_cast<std::int32_t>(whole()); }
  [[nodiscard]] bool truth() const noexcept { return whole() != 0; }
  // A float or a double.
  [[nodiscard]] float real() const noexcept {
    if (type == wire_type::four_bytes) return std::bit_cast<float>(static_cast<std::uint32_t>(value));
    return type == wire_type::eight_bytes ? static_cast<float>(std::bit_cast<double>(value)) : 0.0f;
  }
  [[nodiscard]] std::string_view text() const noexcept { return as_text(bytes); }
};

// Iterates over the fields of a message. After an error next() returns false and ok() is false. Rejects field
// number 0, groups, the reserved types, numbers above 64 bits and lengths beyond the message.
class field_reader {
 public:
  explicit field_reader(byte_span message) noexcept : at_(message.data()), end_(at_ + message.size()) {}

  bool next(wire_field& out) noexcept;
  [[nodiscard]] bool ok() const noexcept { return problem_ == nullptr; }
  // Static text; null without an error.
  [[nodiscard]] const char* problem() const noexcept { return problem_; }

 private:
  bool number(std::uint64_t& out) noexcept;
  bool fail_with(const char* problem) noexcept {
    problem_ = problem;
    at_ = end_;
    return false;
  }

  const std::byte* at_;
  const std::byte* end_;
  const char* problem_ = nullptr;
};

// Appends fields to bytes. Fields with a default value are omitted, as in proto3, unless the function's name
// ends in _present.
class message_writer {
 public:
  explicit message_writer(byte_vector& out) noexcept : out_(out) {}

  void whole(std::uint32_t number, std::uint64_t value) {
    if (value != 0) whole_present(number, value);
  }
  void whole_present(std::uint32_t number, std::uint64_t value) {
    key(number, wire_type::varint);
    varint(value);
  }
  // A negative number has ten bytes.
  void signed_whole(std::uint32_t number, std::int64_t value) {
    whole(number, static_cast<std::uint64_t>(value));
  }
  void signed_whole_present(std::uint32_t number, std::int64_t value) {
    whole_present(number, static_cast<std::uint64_t>(value));
  }
  void real32(std::uint32_t number, float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (bits == 0) return;
    key(number, wire_type::four_bytes);
    little(bits);
  }
  void real64(std::uint32_t number, double value) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    if (bits == 0) return;
    key(number, wire_type::eight_bytes);
    little(bits);
  }
  // Bytes that are not UTF-8 become U+FFFD: readers reject other texts.
  void text(std::uint32_t number, std::string_view value) {
    if (!value.empty()) text_present(number, value);
  }
  void text_present(std::uint32_t number, std::string_view value) {
    if (text::is_utf8(value)) return bytes_present(number, as_bytes(value));
    std::string repaired;
    text::append_repaired(value, repaired);
    bytes_present(number, as_bytes(repaired));
  }
  void bytes_present(std::uint32_t number, byte_span value) {
    key(number, wire_type::bytes);
    varint(value.size());
    out_.insert(out_.end(), value.begin(), value.end());
  }

  // A message inside the message: write its fields between the two calls.
  [[nodiscard]] std::size_t begin(std::uint32_t number) {
    key(number, wire_type::bytes);
    return begin_record();
  }
  // A record of a stream: its length, then a message.
  [[nodiscard]] std::size_t begin_record() {
    out_.push_back(std::byte{0});
    return out_.size();
  }
  void end(std::size_t begin);

  void varint(std::uint64_t value) {
    while (value >= 0x80) {
      out_.push_back(static_cast<std::byte>(value | 0x80));
      value >>= 7;
    }
    out_.push_back(static_cast<std::byte>(value));
  }
  template <class T>
  void little(T value) {
    const std::size_t size = out_.size();
    out_.resize(size + sizeof(T));
    detail::store<std::endian::little>(out_.data() + size, value);
  }

 private:
  void key(std::uint32_t number, wire_type type) {
    varint(std::uint64_t{number} << 3 | static_cast<std::uint64_t>(type));
  }

  byte_vector& out_;
};

}  // namespace tickreel::tape
