#include "tickreel/text/utf8.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

namespace tickreel::text {

namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080u;

// The number of leading ASCII bytes, eight at a time.
std::size_t ascii_prefix(std::string_view text) noexcept {
  std::size_t at = 0;
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data() + at, sizeof eight);
    if ((eight & high_bits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

character first_character(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[at]));
  };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (bytes == 0 || bytes > text.size()) return {};
  char32_t code = lead & (0x7Fu >> bytes);
  for (std::size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(at) & 0x3F);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, bytes, true};
}

std::size_t utf8_prefix(std::string_view text) noexcept {
  for (std::size_t at = 0;;) {
    at += ascii_prefix(text.substr(at));
    if (at == text.size()) return at;
    const character next = first_character(text.substr(at));
    if (!next.valid) return at;
    at += next.bytes;
  }
}

bool is_utf8(std::string_view text) noexcept {
  return utf8_prefix(text) == text.size();
}

void append_utf8(char32_t code, std::string& out) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = replacement_character;
  const auto put = [&out](char32_t value) { out += static_cast<char>(static_cast<unsigned char>(value)); };
  if (code < 0x80) return put(code);
  if (code < 0x800) {
    put(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
  }
  put(0x80 | (code & 0x3F));
}

std::size_t append_repaired(std::string_view text, std::string& out) {
  for (std::size_t replaced = 0;; ++replaced) {
    const std::size_t good = utf8_prefix(text);
    out.append(text.substr(0, good));
    if (good == text.size()) return replaced;
    append_utf8(replacement_character, out);
    text.remove_prefix(good + 1);
  }
}

std::size_t repair(std::string& text) {
  if (is_utf8(text)) return 0;
  std::string repaired;
  repaired.reserve(text.size() + text.size() / 2);
  const std::size_t replaced = append_repaired(text, repaired);
  text = std::move(repaired);
  return replaced;
}

}  // namespace tickreel::text
