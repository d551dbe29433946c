#include "tickreel/text/json.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>

#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

namespace {

// Characters that are valid in a text without context.
constexpr auto needs_no_escape = [] {
  std::array<bool, 256> all{};
  for (std::size_t code = 0x20; code < 0x7F; ++code) all[code] = code != '"' && code != '\\';
  return all;
}();

std::size_t plain_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size() && needs_no_escape[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

// Longer than any number: -2.2250738585072014e-308 has 24 characters.
constexpr std::size_t number_room = 40;

char* with_point(char* text, char* end) noexcept {
  for (const char* at = text; at != end; ++at) {
    if (*at == '.' || *at == 'e') return end;
  }
  *end++ = '.';
  *end++ = '0';
  return end;
}

// e-7, not e-07.
char* with_bare_exponent(char* text, char* end) noexcept {
  for (char* at = text; at + 2 < end; ++at) {
    if (*at != 'e') continue;
    char* const digits = at + 2;
    char* from = digits;
    while (from + 1 < end && *from == '0') ++from;
    std::memmove(digits, from, static_cast<std::size_t>(end - from));
    return end - (from - digits);
  }
  return end;
}

template <class Float>
char* spell_with_point(Float number, bool eight_digits, char* to) noexcept {
  std::to_chars_result spelled{};
  if (eight_digits) {
    spelled = std::to_chars(to, to + number_room, number, std::chars_format::general, 8);
  } else {
    // Plain digits in the usual range; to_chars alone would write 100000 as 1e+05.
    const Float size = std::abs(number);
    const bool fixed = size == 0 || (size >= Float(1e-4) && size < Float(1e7));
    spelled = std::to_chars(to, to + number_room, number,
                            fixed ? std::chars_format::fixed : std::chars_format::scientific);
  }
  return with_point(to, with_bare_exponent(to, spelled.ptr));
}

}  // namespace

void append_json_text(std::string_view text, std::string& out) {
  out += '"';
  for (;;) {
    const std::size_t good = plain_prefix(text);
    out.append(text.data(), good);
    if (good == text.size()) break;
    text.remove_prefix(good);
    const char first = text.front();
    const auto code = static_cast<unsigned char>(first);
    std::size_t taken = 1;
    if (first == '"' || first == '\\') {
      out += '\\';
      out += first;
    } else if (code < 0x80) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\u00";
      out += digits[code >> 4];
      out += digits[code & 15];
    } else if (const character next = first_character(text); next.valid) {
      out.append(text.data(), next.bytes);
      taken = next.bytes;
    } else {
      out += "\\ufffd";
    }
    text.remove_prefix(taken);
  }
  out += '"';
}

// A float has at most nine digits, and a double holds them and the powers of ten up to 22 exactly: one division or
// product of both equals the result of a parser.
std::optional<double> read_shortest(float number) noexcept {
  char text[32];
  const auto written =
      std::to_chars(std::begin(text), std::end(text), std::abs(number), std::chars_format::scientific);
  double digits = 0;
  int fraction_digits = 0;
  bool point = false;
  const char* at = text;
  for (; at != written.ptr && *at != 'e'; ++at) {
    if (*at == '.') {
      point = true;
      continue;
    }
    digits = digits * 10 + (*at - '0');
    if (point) ++fraction_digits;
  }
  int exponent = 0;
  for (const char* digit = at + 2; digit < written.ptr; ++digit) exponent = exponent * 10 + (*digit - '0');
  if (at + 1 < written.ptr && at[1] == '-') exponent = -exponent;
  exponent -= fraction_digits;
  constexpr int max_exact = 22;
  if (exponent > max_exact || exponent < -max_exact) return std::nullopt;
  double power = 1;
  for (int left = std::abs(exponent); left > 0; --left) power *= 10;
  return std::copysign(exponent < 0 ? digits / power : digits * power, static_cast<double>(number));
}

template <class Spell>
json_writer& json_writer::append_number(Spell&& spell) {
  char text[1 + number_room];
  text[0] = ',';
  char* const from = text + 1;
  const char* const begin = comma_ ? text : from;
  const char* const end = spell(from);
  out_->append(begin, static_cast<std::size_t>(end - begin));
  comma_ = true;
  return *this;
}

template <std::floating_point Float>
json_writer& json_writer::append_float(Float number) {
  const bool pointed = floats_ != json_floats::shortest;
  if (!std::isfinite(number)) {
    if (!pointed) return null();
    return raw(std::isnan(number) ? "\"NaN\"" : number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
  }
  return append_number([&](char* to) {
    if (!pointed) return std::to_chars(to, to + number_room, number).ptr;
    return spell_with_point(number, floats_ == json_floats::eight_digits_with_point, to);
  });
}

json_writer& json_writer::key(std::string_view name) {
  separate();
  append_json_text(name, *out_);
  *out_ += ':';
  comma_ = false;
  return *this;
}

json_writer& json_writer::value(std::string_view text) {
  separate();
  append_json_text(text, *out_);
  return *this;
}

json_writer& json_writer::value(float number) {
  return append_float(number);
}

json_writer& json_writer::value(double number) {
  return append_float(number);
}

json_writer& json_writer::whole(std::int64_t number) {
  return append_number([number](char* to) { return std::to_chars(to, to + number_room, number).ptr; });
}

json_writer& json_writer::whole(std::uint64_t number) {
  return append_number([number](char* to) { return std::to_chars(to, to + number_room, number).ptr; });
}

}  // namespace tickreel::text
