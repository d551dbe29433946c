// Suggestions for mistyped words.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::text {

// The edit distance: letters that must be changed, inserted, removed or swapped with their neighbour. Works
// on bytes, in time proportional to both lengths.
[[nodiscard]] std::size_t edit_distance(std::string_view one, std::string_view other);
[[deprecated("edit_distance")]] inline std::size_t letters_apart(std::string_view one,
                                                                 std::string_view other) {
  return edit_distance(one, other);
}

// The nearest of `names`, if it is near enough or begins with the input; otherwise empty. Case, hyphens,
// underscores and spaces are ignored. Words over 40 letters have no suggestion.
[[nodiscard]] std::string_view nearest_name(std::string_view word, std::span<const std::string_view> names);
[[deprecated("nearest_name")]] inline std::string_view meant_by(std::string_view word,
                                                                std::span<const std::string_view> names) {
  return nearest_name(word, names);
}

// "; did you mean 'info'?", or nothing. `Names` is a range of types convertible to std::string_view.
template <class Names>
[[nodiscard]] std::string suggestion(std::string_view word, const Names& names) {
  const std::vector<std::string_view> known(std::begin(names), std::end(names));
  const std::string_view meant = nearest_name(word, known);
  return meant.empty() ? std::string() : "; did you mean '" + std::string(meant) + "'?";
}

}  // namespace tickreel::text
