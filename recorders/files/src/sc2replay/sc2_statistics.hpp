// What a replay says about its players, as rows.
#pragma once

#include <string>
#include <vector>

#include "tickreel/files/statistics.hpp"
#include "tickreel/sc2replay/replay.hpp"

namespace tickreel::files {

// The events must be unpacked. What cannot be read of them is added to `losses`; damage elsewhere is known.
[[nodiscard]] match_rows statistics_of(const sc2replay::replay& of, std::vector<std::string>& losses);

}  // namespace tickreel::files
