#include "rec_text.hpp"

#include <bit>

namespace tickreel::files {

namespace {

constexpr std::string_view hex_prefix = "0x";
constexpr std::size_t hex_digits = 8;

}  // namespace

void append_rec_float(float value, bool quote_hex, std::string& out) {
  char text[40];
  if (std::isfinite(value)) {
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    const std::string_view digits(text, static_cast<std::size_t>(end - text));
    out += digits;
    // Readers of JSON may take "-0" for the integer, which has no sign.
    if (digits == "-0") out += ".0";
    return;
  }
  const auto end = std::to_chars(text, text + sizeof text, std::bit_cast<std::uint32_t>(value), 16).ptr;
  const std::string_view digits(text, static_cast<std::size_t>(end - text));
  if (quote_hex) out += '"';
  (out += hex_prefix).append(hex_digits - digits.size(), '0') += digits;
  if (quote_hex) out += '"';
}

bool parse_rec_float(std::string_view text, float& to) noexcept {
  if (text.starts_with(hex_prefix)) {
    text.remove_prefix(hex_prefix.size());
    std::uint32_t bits = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, code] = std::from_chars(text.data(), end, bits, 16);
    if (code != std::errc{} || stopped != end) return false;
    to = std::bit_cast<float>(bits);
    return true;
  }
  const char* const end = text.data() + text.size();
  const auto [stopped, code] = std::from_chars(text.data(), end, to);
  // from_chars also takes "nan" and "inf", whose bits nobody knows.
  return code == std::errc{} && stopped == end && std::isfinite(to);
}

}  // namespace tickreel::files
