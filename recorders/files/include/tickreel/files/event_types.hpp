// Types of events in recordings.
#pragma once

#include <string_view>
#include <vector>

namespace tickreel::files {

// Types that only StarCraft II has, in alphabetical order. Static storage.
[[nodiscard]] std::vector<std::string_view> sc2_event_types();

}  // namespace tickreel::files
