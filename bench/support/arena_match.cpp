#include "arena_match.hpp"

#include <cstddef>

#include "tickreel/echo_vr/simulator.hpp"

namespace tickreel::bench {

std::vector<echo::state> arena_match(const match_options& options) {
  echo_vr::match_simulator simulator({.seed = 20220716,
                                      .rate_hz = options.rate_hz,
                                      .players_per_team = 4,
                                      .spectators = 1,
                                      .private_match = false,
                                      .bones = options.bones,
                                      .incidents = false});
  // After the start, where all players stand still.
  echo::state skipped;
  for (std::uint32_t i = 0; i < 20 * options.rate_hz; ++i) (void)simulator.next(skipped);
  std::vector<echo::state> ticks(options.ticks);
  for (echo::state& tick : ticks) {
    if (!simulator.next(tick)) break;
  }
  return ticks;
}

std::size_t used_bytes(const echo::state& state) noexcept {
  return offsetof(echo::state, players) + state.match.player_count * sizeof(echo::player) +
         state.bone_player_count * sizeof(echo::bone_player);
}

}  // namespace tickreel::bench
