// Numbers of an Echo VR tick without its JSON, for walks over all of them: writing a tick and reading it back
// costs four times what decoding it does.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "tickreel/echo/state.hpp"

namespace tickreel::viewer {

// A member's name or an element's number, on the way to a number in a tick's line.
using step = std::variant<std::string, std::size_t>;

// Columns that no line has: the speed of the disc and of players, and how far from the disc a player is.
inline constexpr std::string_view speed_column = "speed";
inline constexpr std::string_view disc_distance_column = "disc_distance";

// The same number that is read from the line of a tick that stands in no text: of what is asked of most, the
// disc, the score, the clock, players and their statistics. The outer one is empty for whatever else, which
// has to be read from the line; the inner one where the tick has no such number.
[[nodiscard]] std::optional<std::optional<double>> echo_number(const echo::state& of,
                                                               std::span<const step> path);

}  // namespace tickreel::viewer
