#include "tickreel/text/json_repair.hpp"

#include <cstdint>
#include <optional>

#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

namespace {

constexpr std::size_t unicode_escape_bytes = 6;
constexpr std::string_view replacement_escape = "\\ufffd";

// The code unit of an escape \uXXXX at the front of `text`.
std::optional<std::uint32_t> code_unit(std::string_view text) noexcept {
  if (text.size() < unicode_escape_bytes || !text.starts_with("\\u")) return std::nullopt;
  std::uint32_t unit = 0;
  for (const char c : text.substr(2, 4)) {
    const char lower = static_cast<char>(c | 0x20);
    const bool digit = c >= '0' && c <= '9';
    if (!digit && !(lower >= 'a' && lower <= 'f')) return std::nullopt;
    unit = unit << 4 | static_cast<std::uint32_t>(digit ? c - '0' : lower - 'a' + 10);
  }
  return unit;
}

constexpr bool is_high(std::uint32_t unit) noexcept {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
constexpr bool is_low(std::uint32_t unit) noexcept {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

// The first escape of half a pair from `from` on, or npos.
std::size_t find_lone_surrogate(std::string_view json, std::size_t from) noexcept {
  for (std::size_t at = json.find('\\', from); at != std::string_view::npos; at = json.find('\\', at)) {
    const auto unit = code_unit(json.substr(at));
    if (!unit) {
      // The second of two backslashes begins no escape.
      at += 2;
    } else if (is_high(*unit)) {
      const auto next = code_unit(json.substr(at + unicode_escape_bytes));
      if (!next || !is_low(*next)) return at;
      at += 2 * unicode_escape_bytes;
    } else if (is_low(*unit)) {
      return at;
    } else {
      at += unicode_escape_bytes;
    }
    if (at >= json.size()) break;
  }
  return std::string_view::npos;
}

}  // namespace

bool has_lone_surrogate(std::string_view json) noexcept {
  return find_lone_surrogate(json, 0) != std::string_view::npos;
}

std::size_t append_repaired_json(std::string_view json, std::string& out, std::vector<std::size_t>* places) {
  std::size_t replaced = 0;
  std::size_t at = 0;
  std::size_t surrogate = find_lone_surrogate(json, 0);
  const auto note = [&] {
    ++replaced;
    if (places != nullptr) places->push_back(out.size());
  };
  for (;;) {
    // Up to the next escape to replace, or to the end.
    const std::size_t end = surrogate == std::string_view::npos ? json.size() : surrogate;
    for (;;) {
      const std::size_t good = utf8_prefix(json.substr(at, end - at));
      out.append(json, at, good);
      at += good;
      if (at == end) break;
      note();
      append_utf8(replacement_character, out);
      ++at;
    }
    if (surrogate == std::string_view::npos) return replaced;
    note();
    out += replacement_escape;
    at = surrogate + unicode_escape_bytes;
    surrogate = find_lone_surrogate(json, at);
  }
}

}  // namespace tickreel::text
