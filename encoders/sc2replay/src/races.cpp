#include "tickreel/sc2replay/races.hpp"

#include <algorithm>
#include <array>

namespace tickreel::sc2replay {

namespace {

struct spelling {
  std::string_view text;
  std::string_view english;
};

// From the game's own text files (UI/Race/...): the Latin spellings cover most languages.
constexpr std::array spellings = {
    spelling{"Terran", "Terran"},    spelling{"Terraner", "Terran"},  // German
    spelling{"Terrano", "Terran"},                                    // Spanish, Portuguese, Italian
    spelling{"Terrani", "Terran"},   spelling{"Terranie", "Terran"},  // Polish
    spelling{"Terranos", "Terran"},  spelling{"Terr", "Terran"},
    spelling{"Терраны", "Terran"},                                // Russian
    spelling{"Терран", "Terran"},    spelling{"테란", "Terran"},  // Korean
    spelling{"人类", "Terran"},                                   // Chinese, simplified
    spelling{"人類", "Terran"},                                   // Chinese, traditional
    spelling{"Zerg", "Zerg"},        spelling{"Zergi", "Zerg"},
    spelling{"Zergowie", "Zerg"},    spelling{"Зерги", "Zerg"},
    spelling{"Зерг", "Zerg"},        spelling{"저그", "Zerg"},
    spelling{"异虫", "Zerg"},        spelling{"蟲族", "Zerg"},
    spelling{"虫族", "Zerg"},        spelling{"異蟲", "Zerg"},
    spelling{"Protoss", "Protoss"},  spelling{"Protosi", "Protoss"},
    spelling{"Protossi", "Protoss"}, spelling{"Prot", "Protoss"},
    spelling{"Протоссы", "Protoss"}, spelling{"Протосс", "Protoss"},
    spelling{"프로토스", "Protoss"}, spelling{"星灵", "Protoss"},
    spelling{"星靈", "Protoss"},     spelling{"神族", "Protoss"},
};

}  // namespace

std::string_view english_race(std::string_view race) noexcept {
  const auto found = std::ranges::find(spellings, race, &spelling::text);
  return found == spellings.end() ? std::string_view() : found->english;
}

}  // namespace tickreel::sc2replay
