// Finds the player that a query names.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace tickreel::files {

// Ignores the case of ASCII letters, as the library's filters do.
inline bool equal_names(std::string_view left, std::string_view right) noexcept {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

// The number of the first player of that name, preferably with equal case; if there is none, the text parsed
// as a number. `number` is the member that contains it.
template <class Players, class Number>
std::optional<std::uint32_t> player_named(const std::string& words, const Players& players, Number number) {
  for (const auto& each : players) {
    if (each.name == words) return static_cast<std::uint32_t>(std::invoke(number, each));
  }
  for (const auto& each : players) {
    if (equal_names(each.name, words)) return static_cast<std::uint32_t>(std::invoke(number, each));
  }
  std::uint32_t value = 0;
  const char* const end = words.data() + words.size();
  const auto [stopped, code] = std::from_chars(words.data(), end, value);
  if (code != std::errc{} || stopped != end) return std::nullopt;
  return value;
}

}  // namespace tickreel::files
