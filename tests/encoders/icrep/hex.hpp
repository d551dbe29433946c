// Bytes as hex digits and back.
#pragma once

#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"

namespace tickreel::test {

inline byte_vector from_hex(std::string_view digits) {
  const auto value = [](char digit) { return digit <= '9' ? digit - '0' : digit - 'a' + 10; };
  byte_vector bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(value(digits[i]) * 16 + value(digits[i + 1])));
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
