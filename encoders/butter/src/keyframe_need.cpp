// Which states cannot be told as a difference.
#include "model.hpp"

namespace tickreel::butter {
namespace {

// The format's decoder adds what it reads, and what it reads is never negative.
bool any_falls(const echo::stats& next, const echo::stats& held) noexcept {
  if (same_counters(next, held)) return false;
  // Nearly always none does: looking at all of them costs less than deciding after each.
  const auto falls = [](std::int32_t wanted, std::int32_t has) {
    return static_cast<unsigned>(wanted < has) & static_cast<unsigned>(has > 0);
  };
  unsigned any = falls(next.stuns, held.stuns);
  for (const auto counter : counters) any |= falls(next.*counter, held.*counter);
  return any != 0;
}

}  // namespace

bool encoder::model::needs_keyframe(const echo::state& next) const noexcept {
  roster players;
  call_roster(next, players);
  return needs_keyframe(next, players);
}

bool encoder::model::needs_keyframe(const echo::state& next, const roster& players) const noexcept {
  if (!started_) return true;
  if (next.recorded_time_ms < held_.recorded_time_ms ||
      static_cast<std::uint64_t>(next.recorded_time_ms) - static_cast<std::uint64_t>(held_.recorded_time_ms) >
          65535) {
    return true;
  }
  // A decoder that holds no disc cannot take one in, and one that holds a disc or a score cannot forget it.
  if (table.mode() == echo::mode::arena) {
    const bool disc = (next.match.fields & echo::session::has_disc) != 0;
    const bool score = (next.match.fields & echo::session::has_last_score) != 0;
    if (disc != held_.has_disc || (held_.has_last_score && !score)) return true;
  }
  if (options.bones && held_.has_bones && next.bones == echo::bones_kind::present &&
      std::min<std::size_t>(next.bone_player_count, echo::max_players) != held_.bone_player_count) {
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
