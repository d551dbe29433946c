// Bytes as hex digits and back, and from numbers.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"

namespace tickreel::test {

inline byte_vector bytes_of(std::initializer_list<int> values) {
  byte_vector out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

// Spaces and line ends between bytes are skipped.
inline byte_vector from_hex(std::string_view text) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10; };
  byte_vector bytes;
  int high = -1;
  for (const char digit : text) {
    if (digit == ' ' || digit == '\n') continue;
    if (high >= 0) bytes.push_back(static_cast<std::byte>(high * 16 + value(digit)));
    high = high < 0 ? value(digit) : -1;
  }
  return bytes;
}

inline std::string to_hex(byte_span bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::byte byte : bytes) {
    text.push_back(digits[std::to_integer<unsigned>(byte) >> 4]);
    text.push_back(digits[std::to_integer<unsigned>(byte) & 15]);
  }
  return text;
}

}  // namespace tickreel::test
