// The recorded part of the strategy game, and how to restore it.
#pragma once

#include <tickreel/game/replay.hpp>

#include "07_rts_game.hpp"

namespace game = tickreel::game;
using world = game::world_types<game::components<rts::position, rts::task, rts::body>,
                                game::player_fields<rts::economy>, game::singletons<rts::births>>;

inline void describe(const rts::game& match, game::game_recorder<world>& keyframe) {
  static constexpr const char* names[] = {"base", "worker", "soldier"};
  for (const auto& [number, one] : match.units) {
    keyframe.entity({number, 0}, names[int(one.body.kind)]).set(one.at).set(one.body).set(one.task);
  }
  for (std::uint32_t i = 0; i < rts::game::players; ++i) keyframe.player(i).set(match.economies[i]);
  for (int i = 0; i < int(match.ore.size()); ++i) keyframe.cell({i, 0, 0}, "ore", match.ore[std::size_t(i)]);
  keyframe.world(match.births);
  keyframe.generator(tickreel::to_component_bytes(match.random));
}

inline rts::game rebuild(const game::replay& replay, const tickreel::icrep::sim_snapshot& state) {
  rts::game match(0);
  match.units.clear();
  for (const auto& one : state.core.entities) {
    if (one.entity == tickreel::icrep::world_tag) continue;
    match.units[one.entity.index] = {*replay.get<world, rts::position>(one),
                                     *replay.get<world, rts::body>(one), *replay.get<world, rts::task>(one)};
  }
  for (const auto& one : state.core.player_states) {
    match.economies.at(one.player) = *replay.get<world, rts::economy>(one);
  }
  for (const auto& one : state.core.map_state) match.ore.at(std::size_t(one.cell.x)) = one.resource_amount;
  match.births = *replay.get<world, rts::births>(state);
  match.random = *tickreel::read_component<std::uint64_t>(state.core.rng_state);
  return match;
}

inline std::vector<rts::given> orders_of(const tickreel::icrep::tick_frame& frame) {
  std::vector<rts::given> orders;
  for (const auto& one : frame.orders) {
    const auto& bytes = std::get<tickreel::icrep::order::game_order>(one.order).payload;
    orders.push_back({one.player, *tickreel::read_component<rts::command>(bytes)});
  }
  return orders;
}
