#include "tickreel/gamecache/names.hpp"

#include <array>
#include <cstddef>

namespace tickreel::gamecache {

namespace {

// From the published description of the format, with its spelling.
constexpr std::array<std::string_view, 91> hero_names = {"No Hero",
                                                         "Vengeful Spirit",
                                                         "Lord of Olympia",
                                                         "Enchantress",
                                                         "Morphling",
                                                         "Crystal Maiden",
                                                         "Rogue Knight",
                                                         "Naga Siren",
                                                         "Earthshaker",
                                                         "Stealth Assasin",
                                                         "Lone Druid",
                                                         "Slayer",
                                                         "Juggernaut",
                                                         "Silencer",
                                                         "Treant Protector",
                                                         "Enigma",
                                                         "Keeper of the Light",
                                                         "Ursa Warrior",
                                                         "Ogre Magi",
                                                         "Tinker",
                                                         "Prophet",
                                                         "Phantom Lancer",
                                                         "Stone Giant",
                                                         "Goblin Techies",
                                                         "Holy Knight",
                                                         "Moon Rider",
                                                         "Dwarven Sniper",
                                                         "Troll Warlord",
                                                         "Shadow Shaman",
                                                         "Bristleback",
                                                         "Pandaren Brewmaster",
                                                         "Centaur Warchief",
                                                         "Bounty Hunter",
                                                         "Dragon Knight",
                                                         "Anti-Mage",
                                                         "Drow Ranger",
                                                         "Omniknight",
                                                         "Beastmaster",
                                                         "Twin Head Dragon",
                                                         "Alchemist",
                                                         "Priestess of the Moon",
                                                         "Storm Spirit",
                                                         "Sacred Warrior",
                                                         "Templar Assasin",
                                                         "Faerie Dragon",
                                                         "Soul Keeper",
                                                         "Tormented Soul",
                                                         "Lich",
                                                         "Death Prophet",
                                                         "Demon Witch",
                                                         "Venomancer",
                                                         "Magnataur",
                                                         "Necro'lic",
                                                         "Chaos Knight",
                                                         "Lycanthrope",
                                                         "Broodmother",
                                                         "Phantom Assasin",
                                                         "Gorgon",
                                                         "Night Stalker",
                                                         "Skeleton King",
                                                         "Doom Bringer",
                                                         "Nerubian Assasin",
                                                         "Slithereen Guard",
                                                         "Queen of Pain",
                                                         "Bone Fletcher",
                                                         "Faceless Void",
                                                         "Netherdrake",
                                                         "Lightning Revenant",
                                                         "Lifestealer",
                                                         "Oblivion",
                                                         "Tidehunter",
                                                         "Bane Elemental",
                                                         "Necrolyte",
                                                         "Butcher",
                                                         "Spiritbreaker",
                                                         "Nerubian Weaver",
                                                         "Shadow Fiend",
                                                         "Sand King",
                                                         "Axe",
                                                         "Bloodseeker",
                                                         "Lord of Avernus",
                                                         "Spectre",
                                                         "Witch Doctor",
                                                         "Obsidian Destroyer",
                                                         "Warlock",
                                                         "Geomancer",
                                                         "Shadow Priest",
                                                         "Pit Lord",
                                                         "Undying",
                                                         "Dark Seer",
                                                         "Invoker"};

constexpr std::array<std::string_view, 5> lane_names = {"roaming", "top", "middle", "bottom", "away"};
constexpr std::array<std::string_view, 2> team_names = {"sentinel", "scourge"};
// From -4 to 2.
constexpr std::array<std::string_view, 7> winner_names = {"scourge_by_position",
                                                          "sentinel_by_position",
                                                          "scourge_by_chat",
                                                          "sentinel_by_chat",
                                                          "unknown",
                                                          "sentinel",
                                                          "scourge"};
constexpr int first_winner = -4;

template <std::size_t Count>
std::string_view at_place(std::size_t number, const std::array<std::string_view, Count>& names) noexcept {
  return number < Count ? names[number] : std::string_view();
}

}  // namespace

std::string_view hero_name(std::uint8_t hero) noexcept {
  return at_place(hero, hero_names);
}

std::string_view lane_name(std::uint8_t number) noexcept {
  return at_place(number, lane_names);
}

std::string_view team_name(std::uint8_t number) noexcept {
  return at_place(number, team_names);
}

std::string_view winner_name(std::int8_t number) noexcept {
  if (number < first_winner) return {};
  return at_place(static_cast<std::size_t>(number - first_winner), winner_names);
}

}  // namespace tickreel::gamecache
