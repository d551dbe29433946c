// The state of a simulation at a tick, whole (sim_snapshot) or as the difference to an earlier one
// (delta_snapshot). A snapshot at tick T is the state before the orders of T.
//
// Components and player fields are the game's own bytes. A mask lists the present ones; they follow each other
// by ascending slot, with the sizes of schema.hpp.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "tickreel/analysis/types.hpp"
#include "tickreel/bytes/span.hpp"
#include "tickreel/describe/describe.hpp"
#include "tickreel/icrep/digest.hpp"
#include "tickreel/icrep/limits.hpp"
#include "tickreel/result.hpp"

namespace tickreel::icrep {

using analysis::unit_tag;
using analysis::world_position;

// The entity with data of no other entity: slot 0 is the random generator's state in deltas, the others are
// singletons that the schema lists under "world". In a whole snapshot the generator's state is a separate
// field, and the world is an ordinary entity with its other slots, absent if it has none.
inline constexpr unit_tag world_tag{0xFFFF, 0xFFFF};

struct entity_snapshot {
  unit_tag entity;
  std::uint32_t archetype = 0;  // an interned id
  std::uint64_t component_mask = 0;
  byte_vector components;
  bool operator==(const entity_snapshot&) const = default;
};
TICKREEL_DESCRIBE(entity_snapshot, entity, archetype, component_mask, components);

struct player_state {
  std::uint32_t player = 0;
  std::uint32_t field_mask = 0;
  byte_vector player_fields;
  bool operator==(const player_state&) const = default;
};
TICKREEL_DESCRIBE(player_state, player, field_mask, player_fields);

struct cell_position {
  std::int32_t x = 0;
  std::int32_t y = 0;
  std::int32_t z = 0;
  bool operator==(const cell_position&) const = default;
  // Lists of cells ascend by z, then y, then x.
  friend constexpr std::strong_ordering operator<=>(const cell_position& a, const cell_position& b) noexcept {
    if (const auto order = a.z <=> b.z; order != 0) return order;
    if (const auto order = a.y <=> b.y; order != 0) return order;
    return a.x <=> b.x;
  }
};
TICKREEL_DESCRIBE(cell_position, x, y, z);

// A cell that differs from the map file.
struct map_cell {
  cell_position cell;
  std::uint32_t terrain = 0;  // an interned id
  std::int32_t resource_amount = 0;
  bool operator==(const map_cell&) const = default;
};
TICKREEL_DESCRIBE(map_cell, cell, terrain, resource_amount);

namespace script {

struct boolean {
  bool value = false;
  bool operator==(const boolean&) const = default;
};
TICKREEL_DESCRIBE(boolean, value);
struct integer {
  std::int64_t value = 0;
  bool operator==(const integer&) const = default;
};
TICKREEL_DESCRIBE(integer, value);
struct fixed_point {
  std::int32_t value = 0;
  bool operator==(const fixed_point&) const = default;
};
TICKREEL_DESCRIBE(fixed_point, value);
struct text {
  std::string value;
  bool operator==(const text&) const = default;
};
TICKREEL_DESCRIBE(text, value);
using value = std::variant<boolean, integer, fixed_point, text>;

}  // namespace script

struct script_state {
  std::map<std::string, byte_vector> lua_states;
  std::map<std::string, byte_vector> wasm_states;
  std::map<std::string, script::value> mission_vars;
  bool operator==(const script_state&) const = default;
};
TICKREEL_DESCRIBE(script_state, lua_states, wasm_states, mission_vars);

// Entities ascend by tag, players by number, cells by position, without duplicates.
struct sim_core_snapshot {
  std::uint64_t tick = 0;
  std::uint64_t game_seed = 0;
  digest map_hash{};
  byte_vector rng_state;
  std::vector<std::string> intern_table;  // a string's index is its id; it only grows
  std::vector<entity_snapshot> entities;
  std::vector<player_state> player_states;
  std::vector<map_cell> map_state;
  bool operator==(const sim_core_snapshot&) const = default;
};
TICKREEL_DESCRIBE(sim_core_snapshot, tick, game_seed, map_hash, rng_state, intern_table, entities,
                  player_states, map_state);

struct sim_snapshot {
  sim_core_snapshot core;
  std::optional<byte_vector> campaign_state;
  std::optional<icrep::script_state> script_state;
  bool operator==(const sim_snapshot&) const = default;
};
TICKREEL_DESCRIBE(sim_snapshot, core, campaign_state, script_state);

struct intern_table_delta {
  std::uint32_t start_id = 0;
  std::vector<std::string> new_entries;
  bool operator==(const intern_table_delta&) const = default;
};
TICKREEL_DESCRIBE(intern_table_delta, start_id, new_entries);

// New: changed_components is a u32 archetype and all components; replaces an entity of the same tag. Removed:
// no mask, no bytes. Neither: the components of the mask, whole; the others stay.
struct entity_delta {
  unit_tag entity;
  std::uint64_t change_mask = 0;
  byte_vector changed_components;
  bool is_new = false;
  bool is_removed = false;
  bool operator==(const entity_delta&) const = default;
};
TICKREEL_DESCRIBE(entity_delta, entity, change_mask, changed_components, is_new, is_removed);

struct player_state_delta {
  std::uint32_t player = 0;
  std::uint32_t change_mask = 0;
  byte_vector changed_fields;
  bool operator==(const player_state_delta&) const = default;
};
TICKREEL_DESCRIBE(player_state_delta, player, change_mask, changed_fields);

// Entities ascend by index; removed ones precede others of the same index; then by generation.
struct sim_core_delta {
  std::uint64_t baseline_tick = 0;
  digest baseline_hash{};
  std::uint64_t tick = 0;
  std::optional<icrep::intern_table_delta> intern_table_delta;
  std::vector<entity_delta> changed_entities;
  std::vector<player_state_delta> changed_players;
  std::optional<std::vector<map_cell>> changed_map;
  bool operator==(const sim_core_delta&) const = default;
};
TICKREEL_DESCRIBE(sim_core_delta, baseline_tick, baseline_hash, tick, intern_table_delta, changed_entities,
                  changed_players, changed_map);

// Campaign and script state: empty means unchanged.
struct delta_snapshot {
  sim_core_delta core;
  std::optional<byte_vector> campaign_state;
  std::optional<icrep::script_state> script_state;
  bool operator==(const delta_snapshot&) const = default;
};
TICKREEL_DESCRIBE(delta_snapshot, core, campaign_state, script_state);

inline std::uint64_t item_limit(const limits& most, std::type_identity<entity_snapshot>) noexcept {
  return most.entities;
}
// A delta may remove as many entities again.
inline std::uint64_t item_limit(const limits& most, std::type_identity<entity_delta>) noexcept {
  return std::uint64_t{most.entities} * 2;
}

// Converts to and from BC1. Reading checks the invariants of the types: order, no duplicates, masks; errors
// contain an offset into the input. Components are not interpreted.
[[nodiscard]] byte_vector to_bytes(const sim_snapshot& snapshot);
[[nodiscard]] byte_vector to_bytes(const delta_snapshot& delta);
[[nodiscard]] result<sim_snapshot> read_snapshot(byte_span input, const limits& most = {});
[[nodiscard]] result<delta_snapshot> read_delta(byte_span input, const limits& most = {});

// The checks of read_snapshot() for a state from another source, including texts and limits (entry.hpp).
[[nodiscard]] result<void> validate(const sim_core_snapshot& core);

// SHA-256 of the core's BC1 bytes: the state hash of games without their own. The metadata of files that use
// it state that.
[[nodiscard]] digest core_hash(const sim_core_snapshot& core);

}  // namespace tickreel::icrep
