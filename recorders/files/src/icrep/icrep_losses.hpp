// What lies between the states of a match and is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/game/replay.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::files {

// Sentences about ticks from `first_tick` on, before `end_tick`, whose orders are missing, and why; with
// `events` also about damaged blocks of events there. Reads all orders there.
void append_losses_between(const game::replay& match, std::uint64_t first_tick, std::uint64_t end_tick,
                           bool events, std::vector<std::string>& to);

// What the file says of its own losses, wherever they are: of its recorder, and of whoever made a copy since.
void append_told_losses(const icrep::reader& match, std::vector<std::string>& to);

// Damage that opening the file has found, where nothing in `to` says it.
void append_damage_found(const icrep::reader& match, std::vector<std::string>& to);

}  // namespace tickreel::files
