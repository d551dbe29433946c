#include "name_replacer.hpp"

#include <algorithm>

namespace tickreel::icrep {

namespace {

// A shorter name may be a number or a type in bytes that are no text.
constexpr std::size_t shortest_in_bytes = 4;
// Identifiers are made of short words with '_' between: a shorter name beside one is most likely no name.
constexpr std::size_t shortest_beside_underscore = 3;

char folded(char letter) noexcept {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::string folded(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char letter) { return folded(letter); });
  return out;
}

// Everything outside ASCII belongs to a word.
bool in_word(char letter) noexcept {
  const char small = folded(letter);
  return (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') ||
         static_cast<unsigned char>(small) >= 0x80;
}

// A name that itself begins or ends with a sign needs no word's edge there.
bool stands_alone(std::string_view text, std::size_t at, std::size_t size) noexcept {
  const auto joins = [size](char letter) {
    return in_word(letter) || (letter == '_' && size < shortest_beside_underscore);
  };
  const bool begins = at == 0 || !in_word(text[at]) || !joins(text[at - 1]);
  const std::size_t end = at + size;
  const bool ends = end == text.size() || !in_word(text[end - 1]) || !joins(text[end]);
  return begins && ends;
}

}  // namespace

name_replacer::name_replacer(const std::vector<player_entry>& players) {
  std::size_t number = 0;
  for (const player_entry& player : players) {
    ++number;
    const std::string instead = "Player " + std::to_string(number);
    if (!player.name.empty() && player.name != instead) names_.push_back({folded(player.name), instead});
  }
  std::ranges::stable_sort(names_, std::ranges::greater{},
                           [](const known_name& one) { return one.folded.size(); });
}

bool name_replacer::replace(std::string& text, std::size_t limit_bytes) {
  if (names_.empty() || text.empty()) return false;
  const std::string small = folded(text);
  std::string out;
  bool any = false;
  for (std::size_t at = 0; at < small.size();) {
    const auto found = std::ranges::find_if(names_, [&](const known_name& one) {
      return small.compare(at, one.folded.size(), one.folded) == 0 &&
             stands_alone(small, at, one.folded.size());
    });
    if (found == names_.end()) {
      out += text[at++];
      continue;
    }
    out += found->instead;
    at += found->folded.size();
    any = true;
    ++changes_;
  }
  if (!any) return false;
  if (out.size() > limit_bytes) {
    std::size_t end = limit_bytes;
    while (end > 0 && (static_cast<unsigned char>(out[end]) & 0xC0u) == 0x80u) --end;
    out.resize(end);
  }
  text = std::move(out);
  return true;
}

bool name_replacer::replace_in_json(std::string& json, std::size_t limit_bytes) {
  std::string out;
  bool any = false;
  std::size_t at = 0;
  while (at < json.size()) {
    out += json[at];
    if (json[at++] != '"') continue;
    std::size_t end = at;
    while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2u : 1u;
    end = std::min(end, json.size());
    std::string inside = json.substr(at, end - at);
    any |= replace(inside, limit_bytes);
    out += inside;
    if (end < json.size()) out += '"';
    at = end + 1;
  }
  if (any) json = std::move(out);
  return any;
}

bool name_replacer::is_in(byte_span bytes) const {
  const std::string_view text = as_text(bytes);
  const auto same = [](char letter, char of_name) { return folded(letter) == of_name; };
  return std::ranges::any_of(names_, [&](const known_name& one) {
    return one.folded.size() >= shortest_in_bytes &&
           std::search(text.begin(), text.end(), one.folded.begin(), one.folded.end(), same) != text.end();
  });
}

}  // namespace tickreel::icrep
