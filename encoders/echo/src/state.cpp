#include "tickreel/echo/state.hpp"

#include <cstddef>

namespace tickreel::echo {

mode mode_of(std::string_view map_name) noexcept {
  if (map_name == "mpl_arena_a") return mode::arena;
  if (map_name == "mpl_combat_fission" || map_name == "mpl_combat_combustion" ||
      map_name == "mpl_combat_dyson" || map_name == "mpl_combat_gauss") {
    return mode::combat;
  }
  return mode::other;
}

void copy_state(state& to, const state& from) noexcept {
  const std::size_t players = std::min<std::size_t>(from.match.player_count, max_players);
  const std::size_t bones = std::min<std::size_t>(from.bone_player_count, max_players);
  // In two blocks: everything up to the last player in use is contiguous.
  std::memcpy(static_cast<void*>(&to), &from, offsetof(state, players) + players * sizeof(player));
  std::memcpy(to.bone_players.data(), from.bone_players.data(), bones * sizeof(bone_player));
}

std::size_t first_player(const session& match, std::size_t team_index) noexcept {
  std::size_t first = 0;
  for (std::size_t i = 0; i < team_index && i < max_teams; ++i) first += match.teams[i].player_count;
  return first;
}

}  // namespace tickreel::echo
