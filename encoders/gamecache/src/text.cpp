#include "tickreel/gamecache/text.hpp"

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::gamecache {

namespace {

char32_t take_character(std::string_view& from) noexcept {
  const auto first = tickreel::text::first_character(from);
  from.remove_prefix(first.bytes);
  return first.code;
}

char32_t unit_at(std::string_view bytes, std::size_t at) noexcept {
  return static_cast<unsigned char>(bytes[at]) |
         static_cast<char32_t>(static_cast<unsigned char>(bytes[at + 1])) << 8;
}

void append_unit(char32_t unit, std::string& out) {
  out += static_cast<char>(static_cast<unsigned char>(unit & 0xFF));
  out += static_cast<char>(static_cast<unsigned char>(unit >> 8));
}

char folded(char letter) noexcept {
  return letter == '\\' ? '/' : tickreel::text::to_lower(letter);
}

}  // namespace

std::string to_utf8(std::string_view plain) {
  std::string out;
  out.reserve(plain.size());
  (void)tickreel::text::append_repaired(plain, out);
  return out;
}

std::string to_utf8(const text& from) {
  if (from.form == text_form::plain) return to_utf8(from.bytes);
  std::string out;
  for (std::size_t at = 0; at + 1 < from.bytes.size(); at += 2) {
    char32_t code = unit_at(from.bytes, at);
    if (code >= 0xD800 && code <= 0xDFFF) {
      const bool pair =
          code < 0xDC00 && at + 3 < from.bytes.size() && (unit_at(from.bytes, at + 2) & 0xFC00u) == 0xDC00u;
      if (pair) {
        code = 0x10000 + ((code & 0x3FF) << 10 | (unit_at(from.bytes, at + 2) & 0x3FF));
        at += 2;
      } else {
        code = tickreel::text::replacement_character;
      }
    }
    tickreel::text::append_utf8(code, out);
  }
  return out;
}

text from_utf8(std::string_view utf8, text_form form) {
  utf8 = utf8.substr(0, utf8.find('\0'));
  if (form == text_form::plain) return {form, std::string(utf8)};
  text out{form, {}};
  while (!utf8.empty()) {
    const char32_t code = take_character(utf8);
    if (code >= 0x10000) {
      append_unit(0xD800 + ((code - 0x10000) >> 10), out.bytes);
      append_unit(0xDC00 + ((code - 0x10000) & 0x3FF), out.bytes);
    } else {
      append_unit(code, out.bytes);
    }
  }
  return out;
}

std::size_t utf16_units(const text& from) noexcept {
  if (from.form == text_form::wide) return from.bytes.size() / 2;
  std::string_view rest = from.bytes;
  std::size_t units = 0;
  while (!rest.empty()) units += take_character(rest) >= 0x10000 ? 2u : 1u;
  return units;
}

bool same_path(std::string_view left, std::string_view right) noexcept {
  if (left.size() != right.size()) return false;
  for (std::size_t at = 0; at < left.size(); ++at) {
    if (folded(left[at]) != folded(right[at])) return false;
  }
  return true;
}

std::uint64_t path_hash(std::string_view path) noexcept {
  // FNV-1a with the constants of its 64-bit form; byte by byte, because letters are folded.
  std::uint64_t hash = 0xCBF29CE484222325u;
  for (const char letter : path) {
    hash = (hash ^ static_cast<unsigned char>(folded(letter))) * 0x100000001B3u;
  }
  return hash;
}

}  // namespace tickreel::gamecache
