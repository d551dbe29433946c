// Computes rows of player statistics from a replay.
#pragma once

#include <string>
#include <vector>

#include "tickreel/files/statistics.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

// The events must be decompressed. Unreadable events are added to `losses`; damage elsewhere is already
// reported.
[[nodiscard]] match_rows statistics_of(const sc2replay::replay& of, std::vector<std::string>& losses);

}  // namespace tickreel::files
