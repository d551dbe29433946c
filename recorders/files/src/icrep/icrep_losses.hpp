// What lies between the states of a match and is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/game/replay.hpp"

namespace tickreel::files {

// Sentences about ticks from `first_tick` on, before `end_tick`, whose orders are missing, and why; with
// `events` also about damaged blocks of events there. Reads all orders there.
void append_losses_between(const game::replay& match, std::uint64_t first_tick, std::uint64_t end_tick,
                           bool events, std::vector<std::string>& to);

}  // namespace tickreel::files
