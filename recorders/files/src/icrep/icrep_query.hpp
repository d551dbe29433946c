// What `events` is asked for, as the reader of .icrep wants it.
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

// Empty: nothing can be meant. invalid_argument for types and players that there are not. What is the game's
// own passes the filter by its tick alone.
[[nodiscard]] result<std::optional<icrep::event_filter>> event_filter_of(const event_query& query,
                                                                         const icrep::metadata& facts,
                                                                         const game::world_layout& types,
                                                                         const icrep_clock& clock);

// Those of all matches, and the game's own.
std::vector<std::string> event_types_of(const game::world_layout& types);

}  // namespace tickreel::files
