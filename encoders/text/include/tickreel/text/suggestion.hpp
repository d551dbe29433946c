// What somebody meant who mistyped a word.
#pragma once

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::text {

// How many letters must be changed, added, left out or swapped with their neighbour to make one of the other;
// bytes, in time in proportion to both lengths.
[[nodiscard]] std::size_t letters_apart(std::string_view one, std::string_view other);

// The nearest of `names`, where one is near enough to be meant, or begins with what was typed; else empty.
// Case, hyphens, underscores and spaces are not counted. Words over 40 letters mean none.
[[nodiscard]] std::string_view meant_by(std::string_view word, std::span<const std::string_view> names);

// "; did you mean 'info'?", or nothing. `Names` is a range of what converts to std::string_view.
template <class Names>
[[nodiscard]] std::string suggestion(std::string_view word, const Names& names) {
  const std::vector<std::string_view> known(std::begin(names), std::end(names));
  const std::string_view meant = meant_by(word, known);
  return meant.empty() ? std::string() : "; did you mean '" + std::string(meant) + "'?";
}

}  // namespace tickreel::text
