#include "tickreel/text/markup.hpp"

#include "tickreel/text/shown.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

namespace {

// The entity of an ASCII character; empty if it needs none.
std::string_view entity(char letter) noexcept {
  switch (letter) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7F ? " " : "";
  }
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const character next = first_character(text);
    if (const std::string_view instead = entity(text.front()); !instead.empty()) {
      out += instead;
    } else if (is_bidi_control(next.code)) {
      // It would change the direction of the text around it, too.
    } else if (next.valid) {
      out += text.substr(0, next.bytes);
    } else {
      append_utf8(replacement_character, out);
    }
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace tickreel::text
