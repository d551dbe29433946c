// Numbers of an Echo VR tick without its JSON, for scans: writing and parsing a tick costs four times its
// decoding.
#pragma once

#include <optional>
#include <span>

#include "tickreel/echo/state.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::viewer {

using step = files::path_step;

// The same number as in the tick's line, for the most requested ones: the disc, the score, the clock, players
// and their statistics. Whole numbers of the API are integers. Empty for any other path, which must be read from the
// line; a value without content if the tick has no such number.
[[nodiscard]] std::optional<tick_value> echo_number(const echo::state& of, std::span<const step> path);

}  // namespace tickreel::viewer
