#include "arena_tick.hpp"

#include <algorithm>
#include <bit>

namespace tickreel::bench {

namespace {

std::array<float, 3> numbers(const echo::vec3& from) noexcept {
  return {from.x, from.y, from.z};
}

directed_place place_of(const echo::pose& from) noexcept {
  return {numbers(from.position), numbers(from.forward), numbers(from.up), numbers(from.left)};
}

arena_player player_of(const echo::player& from) noexcept {
  arena_player to;
  to.head = place_of(from.head);
  to.body = place_of(from.body);
  to.left_hand = place_of(from.lhand);
  to.right_hand = place_of(from.rhand);
  to.velocity = numbers(from.velocity);
  to.packet_loss = from.packetlossratio;
  to.ping = from.ping;
  const echo::stats& all = from.stats;
  to.possession_time = all.possession_time;
  to.points = all.points;
  to.saves = all.saves;
  to.goals = all.goals;
  to.stuns = all.stuns;
  to.passes = all.passes;
  to.catches = all.catches;
  to.steals = all.steals;
  to.blocks = all.blocks;
  to.interceptions = all.interceptions;
  to.assists = all.assists;
  to.shots_taken = all.shots_taken;
  to.holding_left = from.holding_left.what;
  to.holding_right = from.holding_right.what;
  to.stunned = from.stunned;
  to.invulnerable = from.invulnerable;
  to.blocking = from.blocking;
  to.possession = from.possession;
  return to;
}

}  // namespace

arena_tick arena_tick_of(const echo::state& from) noexcept {
  arena_tick to;
  const echo::session& match = from.match;
  to.game_clock = match.game_clock;
  to.disc = place_of(match.disc.at);
  to.disc_velocity = numbers(match.disc.velocity);
  to.bounces = match.disc.bounce_count;
  to.headset = place_of(match.vr.at);
  static_assert(sizeof match.last_throw == sizeof to.last_throw);
  to.last_throw = std::bit_cast<std::array<float, 13>>(match.last_throw);
  to.blue_points = static_cast<std::int32_t>(match.blue_points);
  to.orange_points = static_cast<std::int32_t>(match.orange_points);
  const std::size_t players = std::min<std::size_t>(match.player_count, to.players.size());
  for (std::size_t i = 0; i < players; ++i) to.players[i] = player_of(from.players[i]);
  return to;
}

}  // namespace tickreel::bench
