// What somebody meant who mistyped a word.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tickreel::cli {

// How many letters must be changed, added, left out or swapped with their neighbour to make one of the other.
[[nodiscard]] std::size_t letters_apart(std::string_view one, std::string_view other);

// The nearest of `known`, where one is near enough to be meant; else empty.
[[nodiscard]] std::string meant_by(std::string_view word, const std::vector<std::string>& known);

// "; did you mean 'info'?", or nothing.
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace tickreel::cli
