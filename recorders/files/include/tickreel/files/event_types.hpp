// The types of events that recordings hold.
#pragma once

#include <string_view>
#include <vector>

namespace tickreel::files {

// Of StarCraft II, besides those that all matches have: what has no counterpart among those, in the order of
// the alphabet. Static storage.
[[nodiscard]] std::vector<std::string_view> sc2_event_types();

}  // namespace tickreel::files
