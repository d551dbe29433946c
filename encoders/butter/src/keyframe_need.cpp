// Decides which states cannot be expressed as a difference.
#include <algorithm>

#include "bone_grid.hpp"
#include "model.hpp"

namespace tickreel::butter {
namespace {

// The format's decoder adds what it reads, which is never negative.
bool any_falls(const echo::stats& next, const echo::stats& held) noexcept {
  if (same_counters(next, held)) return false;
  // A fall is rare: checking all costs less than a branch after each.
  const auto falls = [](std::int32_t wanted, std::int32_t has) {
    return static_cast<unsigned>(wanted < has) & static_cast<unsigned>(has > 0);
  };
  unsigned any = falls(next.stuns, held.stuns);
  for (const auto counter : counters) any |= falls(next.*counter, held.*counter);
  return any != 0;
}

}  // namespace

bool encoder::model::bones_exceed_grid(const echo::state& next) const noexcept {
  const auto too_far = [](float wanted, float held) {
    const float way = std::clamp(wanted, bone_grid::lowest, bone_grid::highest) - held;
    return way < bone_grid::lowest || way > bone_grid::highest;
  };
  const std::size_t players = std::min<std::size_t>(next.bone_player_count, echo::max_players);
  for (std::size_t i = 0; i < players; ++i) {
    const held_bones::positions_by_component& held = bones_[i].positions;
    for (std::size_t b = 0; b < echo::bone_count; ++b) {
      const echo::vec3& wanted = next.bone_players[i].positions[b];
      if (too_far(wanted.x, held.x[b]) || too_far(wanted.y, held.y[b]) || too_far(wanted.z, held.z[b])) {
        return true;
      }
    }
  }
  return false;
}

bool encoder::model::needs_keyframe(const echo::state& next) const noexcept {
  roster players;
  match_roster(next, players);
  return needs_keyframe(next, players);
}

bool encoder::model::needs_keyframe(const echo::state& next, const roster& players) const noexcept {
  if (!started_) return true;
  if (next.recorded_time_ms < held_.recorded_time_ms ||
      static_cast<std::uint64_t>(next.recorded_time_ms) - static_cast<std::uint64_t>(held_.recorded_time_ms) >
          65535) {
    return true;
  }
  // A decoder without a disc cannot accept one, and a decoder with a disc or a score cannot remove it.
  if (table.mode() == echo::mode::arena) {
    const bool disc = (next.match.fields & echo::session::has_disc) != 0;
    const bool score = (next.match.fields & echo::session::has_last_score) != 0;
    if (disc != held_.has_disc || (held_.has_last_score && !score)) return true;
  }
  if (options.bones && held_.has_bones && next.bones == echo::bones_kind::present &&
      std::min<std::size_t>(next.bone_player_count, echo::max_players) != held_.bone_player_count) {
    return true;
  }
  // A difference reaches two metres at most. Bones of a body never move that far in a tick, except from an
  // impossible position.
  if (options.bones && held_.has_bones && held_.has_bent_bones && next.bones == echo::bones_kind::present &&
      bones_exceed_grid(next)) {
    return true;
  }
  for (std::size_t i = 0; i < players.total; ++i) {
    const echo::player& player = next.players[i];
    const held_player* held = players.bases[i];
    if (held == nullptr || !held->has_stats || (player.fields & echo::player::has_stats) == 0) continue;
    if (any_falls(player.stats, held->stats)) return true;
  }
  return false;
}

}  // namespace tickreel::butter
