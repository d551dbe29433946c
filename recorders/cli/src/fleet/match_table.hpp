// Matches of a fleet, for people.
#pragma once

#include <string>
#include <vector>

#include "tickreel/fleet/status.hpp"

namespace tickreel::cli {

// A line for each, the same widths in all.
[[nodiscard]] std::string table_of(const std::vector<fleet::fleet_match>& matches);
// Microseconds since 1970 UTC.
[[nodiscard]] std::int64_t now_us();

}  // namespace tickreel::cli
