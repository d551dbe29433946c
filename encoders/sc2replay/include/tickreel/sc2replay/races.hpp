// The three races in the languages of the game.
#pragma once

#include <string_view>

namespace tickreel::sc2replay {

// "Terran", "Zerg" or "Protoss" for that race in any language of the game's details, or for the short forms
// of attributes and metadata ("Terr", "Prot"). Empty otherwise. Static storage.
[[nodiscard]] std::string_view english_race(std::string_view race) noexcept;

}  // namespace tickreel::sc2replay
