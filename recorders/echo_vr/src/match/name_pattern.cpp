#include "tickreel/echo_vr/name_pattern.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "tickreel/echo/time.hpp"
#include "tickreel/io/windows_names.hpp"
#include "tickreel/text/suggestion.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::echo_vr {
namespace {

constexpr std::size_t max_pattern_bytes = 120;
// File systems allow 255 bytes; the extension, ".reel" and the suffix of a temporary name follow it.
constexpr std::size_t max_stem_bytes = 200;
constexpr std::size_t max_word_bytes = 40;
constexpr std::size_t session_bytes = 8;

constexpr std::array<std::string_view, 11> placeholders = {
    "date", "time", "map", "session", "type", "blue", "orange", "client", "host", "round", "n"};

// Values come from the network: only characters that every file system allows stay.
std::string safe(std::string_view text, std::size_t max_bytes) {
  std::string out(text.substr(0, max_bytes));
  for (char& c : out) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    if (!plain) c = '_';
  }
  return out.empty() ? "unknown" : out;
}

std::string word_for(std::string_view placeholder, const name_values& words, std::uint32_t number) {
  const std::array<char, 23> time = echo::format_time(words.time_ms);  // "2022/07/16 20:04:58.159"
  const auto part_of_time = [&](std::size_t from, std::size_t size) {
    std::string text(time.data() + from, size);
    std::replace_if(text.begin(), text.end(), [](char c) { return c == '/' || c == ':'; }, '-');
    return text;
  };
  if (placeholder == "date") return part_of_time(0, 10);
  if (placeholder == "time") return part_of_time(11, 8);
  if (placeholder == "map") return safe(words.map, max_word_bytes);
  if (placeholder == "session") return safe(words.session, session_bytes);
  if (placeholder == "type") return safe(words.type, max_word_bytes);
  if (placeholder == "blue") return safe(words.blue, max_word_bytes);
  if (placeholder == "orange") return safe(words.orange, max_word_bytes);
  if (placeholder == "client") return safe(words.client, max_word_bytes);
  if (placeholder == "host") return safe(words.host, max_word_bytes);
  if (placeholder == "round") return std::to_string(words.round);
  return std::to_string(number);
}

// Up to `max_bytes` of complete characters.
std::string_view cut(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  while (end != 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;
  return text.substr(0, end);
}

std::string filled_in(std::string_view pattern, const name_values& words, std::uint32_t number) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t open = std::min(pattern.find('{', at), pattern.size());
    out += pattern.substr(at, open - at);
    const std::size_t close = std::min(pattern.find('}', open), pattern.size());
    if (open == pattern.size() || close == pattern.size()) break;
    out += word_for(pattern.substr(open + 1, close - open - 1), words, number);
    at = close + 1;
  }
  return out;
}

std::string wrong_literal(std::string_view text) {
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '/' || c == '\\') return "a file name must not contain folders; --out names the folder";
    if (code < 0x20 || code == 0x7F) return "a file name must not contain control characters";
    if (std::string_view("<>:\"|?*").find(c) != std::string_view::npos) {
      return std::string("a file name must not contain '") + c + "', which some systems refuse";
    }
  }
  return {};
}

}  // namespace

std::string check_name_pattern(std::string_view pattern) {
  if (pattern.empty()) return "the file name is empty";
  if (pattern.size() > max_pattern_bytes) return "it is longer than 120 bytes";
  if (!text::is_utf8(pattern)) return "it is not UTF-8";
  if (pattern.front() == '.' || pattern.front() == ' ' || pattern.front() == '-') {
    return "a file name must not begin with a dot, space or hyphen";
  }
  for (std::size_t at = 0; at < pattern.size();) {
    const std::size_t brace = std::min(pattern.find_first_of("{}", at), pattern.size());
    if (std::string wrong = wrong_literal(pattern.substr(at, brace - at)); !wrong.empty()) return wrong;
    if (brace == pattern.size()) break;
    const std::size_t close = pattern.find('}', brace);
    if (pattern[brace] == '}' || close == std::string_view::npos) return "unmatched brace";
    const std::string_view name = pattern.substr(brace + 1, close - brace - 1);
    if (std::find(placeholders.begin(), placeholders.end(), name) == placeholders.end()) {
      return "unknown placeholder {" + std::string(name) + "}" + text::suggestion(name, placeholders);
    }
    at = close + 1;
  }
  return {};
}

std::string file_stem(std::string_view pattern, const name_values& words, std::uint32_t number) {
  std::string end;
  if (number > 1 && pattern.find(number_placeholder) == std::string_view::npos) {
    end = '-' + std::to_string(number);
  }
  std::string stem = filled_in(pattern, words, number);
  if (stem.size() > max_stem_bytes) {
    // The number must not be truncated, or every file would have the same name.
    end = number > 1 ? '-' + std::to_string(number) : std::string();
    stem = cut(stem, max_stem_bytes - end.size());
  }
  stem += end;
  while (!stem.empty() && (stem.back() == ' ' || stem.back() == '.')) stem.back() = '_';
  // Programs would interpret such a name as an option.
  const bool is_option = stem.starts_with('-');
  return is_option || is_windows_device(stem) ? '_' + stem : stem;
}

}  // namespace tickreel::echo_vr
