#include "name_replacer.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::icrep {

namespace {

// A shorter name may occur by chance in bytes that are not text.
constexpr std::size_t shortest_in_bytes = 4;
// Identifiers consist of short words with '_' between: a shorter name beside one is most likely not a name.
constexpr std::size_t shortest_beside_underscore = 3;

// Every byte outside of ASCII belongs to a word.
bool in_word(char letter) noexcept {
  return text::is_letter(letter) || text::is_digit(letter) || static_cast<unsigned char>(letter) >= 0x80;
}

// A name that begins or ends with punctuation needs no word boundary there.
bool stands_alone(std::string_view text, std::size_t at, std::size_t size) noexcept {
  const auto joins = [size](char letter) {
    return in_word(letter) || (letter == '_' && size < shortest_beside_underscore);
  };
  const bool begins = at == 0 || !in_word(text[at]) || !joins(text[at - 1]);
  const std::size_t end = at + size;
  const bool ends = end == text.size() || !in_word(text[end - 1]) || !joins(text[end]);
  return begins && ends;
}

std::uint32_t hex_of(std::string_view digits) noexcept {
  std::uint32_t value = 0;
  (void)std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

// A valid JSON text, without its quotes, with escapes decoded.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\' || at + 1 == text.size()) {
      out += text[at];
      continue;
    }
    const char letter = text[++at];
    constexpr std::string_view from = "bfnrt";
    constexpr std::string_view to = "\b\f\n\r\t";
    if (const std::size_t known = from.find(letter); known != std::string_view::npos) {
      out += to[known];
    } else if (letter == 'u' && text.size() - at > 4) {
      std::uint32_t code = hex_of(text.substr(at + 1, 4));
      at += 4;
      const bool may_be_pair = code >= 0xD800 && code < 0xDC00 && text.size() - at > 6 &&
                               text[at + 1] == '\\' && text[at + 2] == 'u';
      const std::uint32_t second = may_be_pair ? hex_of(text.substr(at + 3, 4)) : 0;
      if (second >= 0xDC00 && second < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00);
        at += 6;
      }
      // Half of a surrogate pair cannot be a part of a word.
      if (code >= 0xD800 && code < 0xE000) code = '?';
      text::append_utf8(code, out);
    } else {
      out += letter;
    }
  }
  return out;
}

struct json_text {
  std::string_view inside;  // between the quotes
  bool is_key = false;
  std::size_t object = 0;  // number of its object, by their order; 0: none
};

// Calls each(json_text) for the texts of valid JSON, in their order.
template <class Each>
void for_each_text(std::string_view json, Each&& each) {
  std::vector<std::size_t> open;
  std::size_t objects = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '{') open.push_back(++objects);
    if (json[at] == '}' && !open.empty()) open.pop_back();
    if (json[at] != '"') continue;
    const std::size_t begin = ++at;
    while (at < json.size() && json[at] != '"') at += json[at] == '\\' ? 2u : 1u;
    at = std::min(at, json.size());
    const std::size_t next = json.find_first_not_of(" \t\r\n", std::min(at + 1, json.size()));
    const bool is_key = next != std::string_view::npos && json[next] == ':';
    each(json_text{json.substr(begin, at - begin), is_key, open.empty() ? 0 : open.back()});
  }
}

}  // namespace

name_replacer::name_replacer(const std::vector<player_entry>& players) {
  std::size_t number = 0;
  for (const player_entry& player : players) {
    ++number;
    const std::string instead = "Player " + std::to_string(number);
    if (!player.name.empty() && player.name != instead)
      names_.push_back({text::to_lower(player.name), instead});
  }
  std::ranges::stable_sort(names_, std::ranges::greater{},
                           [](const known_name& one) { return one.folded.size(); });
}

bool name_replacer::replace(std::string& text, std::size_t limit_bytes) {
  if (names_.empty() || text.empty()) return false;
  const std::string small = text::to_lower(text);
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
  // The unchanged keys of each object, so that no new key duplicates one.
  std::vector<std::set<std::string>> keys;
  const std::uint64_t counted = changes_;
  for_each_text(json, [&](const json_text& one) {
    if (!one.is_key) return;
    keys.resize(std::max(keys.size(), one.object + 1));
    std::string key = unescaped(one.inside);
    if (!replace(key, limit_bytes)) keys[one.object].insert(std::move(key));
  });
  changes_ = counted;

  std::string out;
  std::size_t copied = 0;
  for_each_text(json, [&](const json_text& one) {
    // A name may be written with escapes, in several ways.
    std::string inside = unescaped(one.inside);
    if (!replace(inside, limit_bytes)) return;
    if (one.is_key) inside = unused_key(inside, keys[one.object]);
    const auto at = static_cast<std::size_t>(one.inside.data() - json.data());
    out.append(json, copied, at - 1 - copied);
    text::append_json_text(inside, out);
    copied = std::min(at + one.inside.size() + 1, json.size());
  });
  if (copied == 0) return false;
  out.append(json, copied);
  json = std::move(out);
  return true;
}

std::string name_replacer::unused_key(const std::string& key, std::set<std::string>& used) {
  std::string tried = key;
  for (std::size_t number = 2; !used.insert(tried).second; ++number) {
    tried = key + " (" + std::to_string(number) + ")";
  }
  return tried;
}

bool name_replacer::is_in(byte_span bytes) const {
  const std::string_view text = as_text(bytes);
  const auto same = [](char letter, char of_name) { return text::to_lower(letter) == of_name; };
  return std::ranges::any_of(names_, [&](const known_name& one) {
    return one.folded.size() >= shortest_in_bytes &&
           std::search(text.begin(), text.end(), one.folded.begin(), one.folded.end(), same) != text.end();
  });
}

}  // namespace tickreel::icrep
