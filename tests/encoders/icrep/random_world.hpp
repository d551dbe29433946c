// A random world with every kind of change between keyframes: created and removed entities, reused tags, values that change and
// change back, components that are added and removed, texts that grow.
#pragma once

#include <algorithm>
#include <random>

#include "example.hpp"

namespace tickreel::test {

class random_world {
 public:
  explicit random_world(std::mt19937_64& random) : random_(random) {
    state_.core.game_seed = random();
    state_.core.map_hash = example_map();
    state_.core.rng_state = bytes(8);
    state_.core.intern_table = {"rifle"};
    for (std::uint16_t index = 0; index < 12; ++index) {
      if (chance(60)) bear({index, 1});
    }
    for (std::uint32_t player = 0; player < 3; ++player) {
      state_.core.player_states.push_back({player, 1, int32s(static_cast<std::int32_t>(player))});
    }
  }

  static icrep::schema schema() {
    return {{{0, "position", 4}, {5, "name", 0}, {63, "health", 1}},
            {{0, "money", 4}, {31, "name", 0}},
            {{3, "weather", 2}}};
  }

  const sim_snapshot& state() const { return state_; }

  // Advances to a later tick.
  void change(std::uint64_t tick) {
    state_.core.tick = tick;
    for (int count = below(8); count > 0; --count) change_entities();
    if (chance(50))
      state_.core.rng_state = chance(30) ? byte_vector{} : bytes(static_cast<std::size_t>(below(12)));
    if (chance(20))
      state_.core.intern_table.push_back("string " + std::to_string(state_.core.intern_table.size()));
    if (chance(40)) change_player();
    if (chance(40)) change_cell();
    if (chance(15)) change_weather();
    if (chance(15)) state_.campaign_state = bytes(static_cast<std::size_t>(below(3)));
    if (chance(20)) {
      if (!state_.script_state) state_.script_state.emplace();
      state_.script_state->mission_vars["wave"] = script::integer{below(3)};
    }
  }

 private:
  bool chance(int percent) { return below(100) < percent; }
  int below(int end) { return static_cast<int>(random_() % static_cast<std::uint64_t>(end)); }
  byte_vector bytes(std::size_t count) {
    byte_vector made(count);
    for (std::byte& byte : made) byte = static_cast<std::byte>(below(3));
    return made;
  }

  // Values from a small range, so that they often return to an earlier value.
  void fill(entity_snapshot& entity, bool named) {
    entity.component_mask = (std::uint64_t{1} << 63) | 1u | (named ? 1u << 5 : 0u);
    entity.components = int32s(below(3));
    if (named) {
      const int length = below(3);
      const byte_vector size = int32s(length);
      const byte_vector name = bytes(static_cast<std::size_t>(length));
      entity.components.insert(entity.components.end(), size.begin(), size.end());
      entity.components.insert(entity.components.end(), name.begin(), name.end());
    }
    entity.components.push_back(static_cast<std::byte>(below(2)));
  }

  void bear(unit_tag tag) {
    auto& all = state_.core.entities;
    const auto place = std::ranges::lower_bound(all, tag, {}, &entity_snapshot::entity);
    if (place != all.end() && place->entity == tag) return;
    entity_snapshot born{tag, static_cast<std::uint32_t>(below(2)), 0, {}};
    fill(born, chance(50));
    all.insert(place, born);
  }

  void change_entities() {
    auto& all = state_.core.entities;
    // A reused index, sometimes even with the same generation.
    if (chance(30))
      return bear({static_cast<std::uint16_t>(below(12)), static_cast<std::uint16_t>(below(3))});
    const auto units =
        static_cast<int>(std::ranges::count_if(all, [](const auto& one) { return one.entity != world_tag; }));
    if (units == 0) return;
    const auto chosen = all.begin() + below(units);
    if (chance(30)) {
      all.erase(chosen);
    } else if (chance(20)) {
      chosen->archetype = static_cast<std::uint32_t>(below(2));
    } else {
      fill(*chosen, (chosen->component_mask & 1u << 5) != 0 ? !chance(20) : chance(20));
    }
  }

  void change_player() {
    auto& players = state_.core.player_states;
    if (chance(10)) players.push_back({static_cast<std::uint32_t>(players.size()), 0, {}});
    player_state& player = players[static_cast<std::size_t>(below(static_cast<int>(players.size())))];
    const bool named = (player.field_mask >> 31) != 0 || chance(20);
    player.field_mask = 1u | (named ? 1u << 31 : 0u);
    player.player_fields = int32s(below(3));
    if (named) {
      const byte_vector name = int32s(0);
      player.player_fields.insert(player.player_fields.end(), name.begin(), name.end());
    }
  }

  void change_cell() {
    auto& cells = state_.core.map_state;
    const map_cell cell{{below(3), below(3), below(2)}, static_cast<std::uint32_t>(below(2)), below(2)};
    const auto place = std::ranges::lower_bound(cells, cell.cell, {}, &map_cell::cell);
    if (place != cells.end() && place->cell == cell.cell) {
      *place = cell;
    } else {
      cells.insert(place, cell);
    }
  }

  void change_weather() {
    auto& all = state_.core.entities;
    if (all.empty() || all.back().entity != world_tag) all.push_back({world_tag, 0, 8, {}});
    all.back().components = bytes(2);
  }

  std::mt19937_64& random_;
  sim_snapshot state_;
};

}  // namespace tickreel::test
