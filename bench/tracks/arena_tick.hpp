// The numbers of the API in an arena match, as a described struct: all poses, speeds, states and statistics; no names.
#pragma once

#include <array>
#include <cstdint>

#include "tickreel/describe/declare.hpp"
#include "tickreel/echo/state.hpp"

namespace tickreel::bench {

struct directed_place {
  std::array<float, 3> position{}, forward{}, up{}, left{};
};
TICKREEL_DESCRIBE(directed_place, position, forward, up, left);
TICKREEL_DECLARE(directed_place, (forward, unit_vector), (up, orthogonal("forward")),
                 (left, cross("up", "forward")));

struct arena_player {
  directed_place head, body, left_hand, right_hand;
  std::array<float, 3> velocity{};
  float packet_loss = 0, possession_time = 0;
  std::int32_t ping = 0, points = 0, saves = 0, goals = 0, stuns = 0, passes = 0, catches = 0, steals = 0;
  std::int32_t blocks = 0, interceptions = 0, assists = 0, shots_taken = 0;
  std::uint8_t holding_left = 0, holding_right = 0;
  bool stunned = false, invulnerable = false, blocking = false, possession = false;
};
TICKREEL_DESCRIBE(arena_player, head, body, left_hand, right_hand, velocity, packet_loss, possession_time,
                  ping, points, saves, goals, stuns, passes, catches, steals, blocks, interceptions, assists,
                  shots_taken, holding_left, holding_right, stunned, invulnerable, blocking, possession);
TICKREEL_DECLARE(arena_player, (body, relative_to("head")), (left_hand, relative_to("head")),
                 (right_hand, relative_to("head")));

struct arena_tick {
  float game_clock = 0;
  directed_place disc;
  std::array<float, 3> disc_velocity{};
  std::int32_t bounces = 0;
  directed_place headset;
  std::array<float, 13> last_throw{};
  std::int32_t blue_points = 0, orange_points = 0;
  std::array<arena_player, 10> players{};
};
TICKREEL_DESCRIBE(arena_tick, game_clock, disc, disc_velocity, bounces, headset, last_throw, blue_points,
                  orange_points, players);

// Players after the tenth are left out.
[[nodiscard]] arena_tick arena_tick_of(const echo::state& from) noexcept;

}  // namespace tickreel::bench
