#include "tickreel/text/shown.hpp"

#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

namespace {

// U+2028 and U+2029 also end lines.
bool is_control(char32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029;
}

bool is_punctuation(char32_t code) noexcept {
  const bool is_ascii = code > 0x20 && code < 0x7F;
  const bool is_digit = code >= '0' && code <= '9';
  const bool is_letter = (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
  return is_ascii && !is_digit && !is_letter;
}

std::string shown_as(std::string_view text, bool markdown) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const character next = first_character(text);
    text.remove_prefix(next.bytes);
    if (is_bidi_control(next.code) || is_control(next.code)) continue;
    if (markdown && is_punctuation(next.code)) out += '\\';
    append_utf8(next.code, out);
  }
  return out;
}

}  // namespace

bool is_bidi_control(char32_t code) noexcept {
  return code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069);
}

std::string shown(std::string_view text) {
  return shown_as(text, false);
}

std::string shown_in_markdown(std::string_view text) {
  return shown_as(text, true);
}

}  // namespace tickreel::text
