#include "tickreel/text/hex.hpp"

namespace tickreel::text {

namespace {

// 16 for other characters.
constexpr unsigned value_of(char digit) noexcept {
  if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
  if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
  if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
  return 16;
}

}  // namespace

void append_hex(byte_span bytes, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const std::byte each : bytes) {
    out += digits[std::to_integer<std::size_t>(each) >> 4];
    out += digits[std::to_integer<std::size_t>(each) & 15];
  }
}

std::string to_hex(byte_span bytes) {
  std::string out;
  out.reserve(2 * bytes.size());
  append_hex(bytes, out);
  return out;
}

bool from_hex(std::string_view digits, mutable_byte_span out) noexcept {
  if (digits.size() % 2 != 0 || digits.size() / 2 != out.size()) return false;
  for (std::size_t at = 0; at < out.size(); ++at) {
    const unsigned high = value_of(digits[2 * at]);
    const unsigned low = value_of(digits[2 * at + 1]);
    if (high > 15 || low > 15) return false;
    out[at] = static_cast<std::byte>(high << 4 | low);
  }
  return true;
}

std::optional<byte_vector> from_hex(std::string_view digits, std::size_t max_bytes) {
  if (digits.size() / 2 > max_bytes) return std::nullopt;
  byte_vector out(digits.size() / 2);
  if (!from_hex(digits, mutable_byte_span(out))) return std::nullopt;
  return out;
}

}  // namespace tickreel::text
