// Finds "1 ticks" and the like in sentences.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace tickreel::test {

// The first such place with its surroundings; empty if there is none. Verbs and units that end with s are no nouns.
inline std::string wrong_plural_in(std::string_view text) {
  constexpr std::string_view no_nouns[] = {
      "is",  "was",     "has",    "does",  // "tick 1 is lost"
      "ms",                                // a unit
      "as",                                // "1 as it was"
      "its", "repeats", "begins", "ends"   // "tick 1 begins"
  };
  constexpr std::string_view adjectives[] = {"damaged", "empty",    "error",   "fraction", "further",
                                             "invalid", "later",    "missing", "more",     "other",
                                             "path",    "trailing", "unknown", "complete"};
  const auto is_letter = [](char each) { return each >= 'a' && each <= 'z'; };
  for (std::size_t at = text.find("1 "); at != std::string_view::npos; at = text.find("1 ", at + 1)) {
    // Neither 11 nor 0.1 nor "0:01"; and no name such as "v1".
    const char before = at == 0 ? ' ' : text[at - 1];
    if (std::string_view(" \n\t(\"[>").find(before) == std::string_view::npos) continue;
    std::size_t begin = at + 2;
    std::string_view word;
    do {
      std::size_t end = begin;
      while (end < text.size() && is_letter(text[end])) ++end;
      word = text.substr(begin, end - begin);
      begin = end + 1;
    } while (std::ranges::find(adjectives, word) != std::end(adjectives) && begin <= text.size());
    if (word.size() < 2 || word.back() != 's') continue;
    if (std::ranges::find(no_nouns, word) != std::end(no_nouns)) continue;
    const std::size_t from = at < 40 ? 0 : at - 40;
    return std::string(text.substr(from, 100));
  }
  return {};
}

}  // namespace tickreel::test
