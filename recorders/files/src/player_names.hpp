// Finds the player that a query names.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

// The number of the first player of that name, preferably with equal case; if there is none, the text parsed
// as a number. `number` is the member that contains it.
template <class Players, class Number>
std::optional<std::uint32_t> player_named(const std::string& words, const Players& players, Number number) {
  for (const auto& each : players) {
    if (each.name == words) return static_cast<std::uint32_t>(std::invoke(number, each));
  }
  for (const auto& each : players) {
    if (text::equal_ignoring_case(each.name, words))
      return static_cast<std::uint32_t>(std::invoke(number, each));
  }
  return text::parse_number<std::uint32_t>(words);
}

}  // namespace tickreel::files
