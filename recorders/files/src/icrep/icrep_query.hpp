// Converts the query of `events` to one of the .icrep reader.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "icrep_clock.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/game/world_layout.hpp"
#include "tickreel/icrep/metadata.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::files {

// Empty: nothing can match. invalid_argument for unknown types and players. Events of the game's own types
// are filtered by tick only.
[[nodiscard]] result<std::optional<icrep::event_filter>> event_filter_of(const event_query& query,
                                                                         const icrep::metadata& facts,
                                                                         const game::world_layout& types,
                                                                         const icrep_clock& clock);

// The types of all matches, and the game's own.
std::vector<std::string> event_types_of(const game::world_layout& types);

}  // namespace tickreel::files
