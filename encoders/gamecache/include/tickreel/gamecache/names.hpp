// The names of a cache's numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tickreel::gamecache {

// Ids are the map's own unit numbers. Names are known for 0 to 90, spelled as in the published table; later
// maps use higher numbers. Empty for those.
[[nodiscard]] std::string_view hero_name(std::uint8_t hero) noexcept;

namespace lane {
inline constexpr std::uint8_t roaming = 0, top = 1, middle = 2, bottom = 3, away = 4;
}
// "roaming", "top", "middle", "bottom", "away"; empty for other numbers.
[[nodiscard]] std::string_view lane_name(std::uint8_t number) noexcept;

namespace team {
inline constexpr std::uint8_t sentinel = 0, scourge = 1;
}
// "sentinel", "scourge"; empty for other numbers.
[[nodiscard]] std::string_view team_name(std::uint8_t number) noexcept;

namespace winner {
inline constexpr std::int8_t unknown = 0, sentinel = 1, scourge = 2;
// Guesses, from the chat and from the positions of the players.
inline constexpr std::int8_t sentinel_by_chat = -1, scourge_by_chat = -2;
inline constexpr std::int8_t sentinel_by_position = -3, scourge_by_position = -4;
}  // namespace winner
// The names above; empty for other numbers.
[[nodiscard]] std::string_view winner_name(std::int8_t number) noexcept;
// The winning team, known or guessed. Empty if unknown.
[[nodiscard]] constexpr std::optional<std::uint8_t> winning_team(std::int8_t number) noexcept {
  if (number == 0 || number < -4 || number > 2) return std::nullopt;
  return number == 1 || number == -1 || number == -3 ? team::sentinel : team::scourge;
}

}  // namespace tickreel::gamecache
