// A table of the matches of a fleet.
#pragma once

#include <string>
#include <vector>

#include "tickreel/fleet/status.hpp"

namespace tickreel::cli {

// One line per match, with common column widths.
[[nodiscard]] std::string table_of(const std::vector<fleet::fleet_match>& matches);

}  // namespace tickreel::cli
