#include "json_output.hpp"

#include <charconv>
#include <cmath>

namespace tickreel::echo {

namespace {

constexpr std::size_t longest_number = 24;

std::size_t with_point(char* text, std::size_t length) noexcept {
  for (std::size_t i = 0; i < length; ++i) {
    if (text[i] == '.' || text[i] == 'e') return length;
  }
  text[length] = '.';
  text[length + 1] = '0';
  return length + 2;
}

// The game prints exponents bare: e-7, not e-07.
std::size_t with_bare_exponent(char* text, std::size_t length) noexcept {
  for (std::size_t i = 0; i + 2 < length; ++i) {
    if (text[i] != 'e') continue;
    std::size_t from = i + 2;
    while (from + 1 < length && text[from] == '0') ++from;
    std::memmove(text + i + 2, text + from, length - from);
    return length - (from - i - 2);
  }
  return length;
}

}  // namespace

std::size_t spell_shortest(float number, char* to) noexcept {
  const float size = std::abs(number);
  // Plain digits where people expect them; to_chars alone would write 100000 as 1e+05.
  const bool plain = size == 0 || (size >= 1e-4f && size < 1e7f);
  const auto end = std::to_chars(to, to + longest_number, number,
                                 plain ? std::chars_format::fixed : std::chars_format::scientific);
  return with_point(to, with_bare_exponent(to, static_cast<std::size_t>(end.ptr - to)));
}

std::size_t spell_as_game(float number, char* to) noexcept {
  const auto end = std::to_chars(to, to + longest_number, number, std::chars_format::general, 8);
  return with_point(to, with_bare_exponent(to, static_cast<std::size_t>(end.ptr - to)));
}

void json_output::value(float number) {
  if (!std::isfinite(number)) {
    literal(std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    return;
  }
  separate();
  char* const to = room(longest_number);
  used_ += numbers_ == number_style::shortest ? spell_shortest(number, to) : spell_as_game(number, to);
}

void json_output::whole(std::int64_t number) {
  separate();
  char* const to = room(longest_number);
  used_ += static_cast<std::size_t>(std::to_chars(to, to + longest_number, number).ptr - to);
}

void json_output::whole(std::uint64_t number) {
  separate();
  char* const to = room(longest_number);
  used_ += static_cast<std::size_t>(std::to_chars(to, to + longest_number, number).ptr - to);
}

void json_output::value(std::string_view words) {
  static constexpr char hex[] = "0123456789abcdef";
  separate();
  put('"');
  for (const char c : words) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20 && c != '"' && c != '\\') {
      put(c);
      continue;
    }
    char* const to = room(6);
    to[0] = '\\';
    if (c == '"' || c == '\\') {
      to[1] = c;
      used_ += 2;
      continue;
    }
    to[1] = 'u';
    to[2] = to[3] = '0';
    to[4] = hex[code >> 4];
    to[5] = hex[code & 15];
    used_ += 6;
  }
  put('"');
}

}  // namespace tickreel::echo
