#include <algorithm>

#include "slots.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/delta.hpp"

namespace tickreel::icrep {

namespace {

// `old` with the slots of `mask` replaced; both become those of the result.
void replace_slots(std::uint64_t& old_mask, byte_vector& old, slot_spans& slots, std::uint64_t mask,
                   const slot_spans& changed) {
  for (std::uint64_t rest = mask; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<std::size_t>(std::countr_zero(rest));
    slots[slot] = changed[slot];
  }
  byte_vector joined;
  joined.reserve(old.size());
  append_slots(joined, old_mask | mask, slots);
  old_mask |= mask;
  old = std::move(joined);
}

result<void> apply_strings(std::vector<std::string>& table, const intern_table_delta& delta,
                           const limits& most) {
  if (delta.start_id > table.size()) {
    return fail(error_code::malformed, error::no_offset, "strings from {} on, of a table of {}",
                delta.start_id, static_cast<std::int64_t>(table.size()));
  }
  if (delta.new_entries.size() > most.strings - std::min<std::size_t>(delta.start_id, most.strings)) {
    return fail(error_code::over_limit, error::no_offset, "interned strings");
  }
  for (std::size_t i = 0; i < delta.new_entries.size(); ++i) {
    const std::size_t id = delta.start_id + i;
    if (id == table.size()) {
      table.push_back(delta.new_entries[i]);
    } else if (table[id] != delta.new_entries[i]) {
      return fail(error_code::malformed, error::no_offset, "interned string {} becomes another",
                  static_cast<std::int64_t>(id));
    }
  }
  return {};
}

// Slot 0 is the generator's state, a separate field of a whole snapshot.
result<void> apply_world(sim_core_snapshot& state, std::optional<entity_snapshot>& world,
                         const entity_delta& change, const slot_table& slots) {
  byte_span bytes = change.changed_components;
  if (change.is_new) {
    byte_reader in(bytes);
    const std::uint32_t archetype = in.u32();
    if (!in.ok()) return fail(error_code::malformed, error::no_offset, "the new world has no archetype");
    bytes = in.rest();
    world = entity_snapshot{world_tag, archetype, 0, {}};
  }
  slot_spans changed;
  if (auto fits = slots.split_world(change.change_mask, bytes, changed); !fits) return fits;
  if ((change.change_mask & 1) != 0) {
    const byte_span generator = changed[0].subspan(sizeof(std::uint64_t));
    state.rng_state.assign(generator.begin(), generator.end());
  }
  const std::uint64_t singletons = change.change_mask & ~std::uint64_t{1};
  if (singletons == 0) return {};
  if (!world) world = entity_snapshot{world_tag, 0, 0, {}};
  slot_spans present;
  if (auto fits = slots.split_world(world->component_mask, world->components, present); !fits) return fits;
  replace_slots(world->component_mask, world->components, present, singletons, changed);
  return {};
}

result<void> apply_entity(std::optional<entity_snapshot>& entity, const entity_delta& change,
                          const slot_table& slots) {
  if (change.is_removed) {
    entity.reset();
    return {};
  }
  slot_spans changed;
  if (change.is_new) {
    byte_reader in(change.changed_components);
    const std::uint32_t archetype = in.u32();
    if (!in.ok()) return fail(error_code::malformed, error::no_offset, "a new entity without archetype");
    const byte_span components = in.rest();
    if (auto fits = slots.split_components(change.change_mask, components, changed); !fits) return fits;
    entity =
        entity_snapshot{change.entity, archetype, change.change_mask, {components.begin(), components.end()}};
    return {};
  }
  if (!entity) {
    return fail(error_code::malformed, error::no_offset, "a change to entity {}:{}, which is not there",
                change.entity.index, change.entity.generation);
  }
  if (auto fits = slots.split_components(change.change_mask, change.changed_components, changed); !fits) {
    return fits;
  }
  slot_spans present;
  if (auto fits = slots.split_components(entity->component_mask, entity->components, present); !fits) {
    return fits;
  }
  replace_slots(entity->component_mask, entity->components, present, change.change_mask, changed);
  return {};
}

result<void> apply_entities(sim_core_snapshot& state, const std::vector<entity_delta>& changes,
                            const slot_table& slots) {
  // By tag alone, so that both lists can be merged. A removed and a new entity of one tag keep that order.
  std::vector<const entity_delta*> by_tag;
  by_tag.reserve(changes.size());
  for (const entity_delta& change : changes) by_tag.push_back(&change);
  std::ranges::stable_sort(by_tag, {}, [](const entity_delta* change) { return change->entity; });

  std::vector<entity_snapshot> after;
  after.reserve(state.entities.size() + changes.size());
  auto old = state.entities.begin();
  for (auto change = by_tag.begin(); change != by_tag.end();) {
    const unit_tag tag = (*change)->entity;
    for (; old != state.entities.end() && old->entity < tag; ++old) after.push_back(std::move(*old));
    std::optional<entity_snapshot> entity;
    if (old != state.entities.end() && old->entity == tag) entity = std::move(*old++);
    for (; change != by_tag.end() && (*change)->entity == tag; ++change) {
      auto done = tag == world_tag ? apply_world(state, entity, **change, slots)
                                   : apply_entity(entity, **change, slots);
      if (!done) return done;
    }
    if (entity) after.push_back(std::move(*entity));
  }
  std::move(old, state.entities.end(), std::back_inserter(after));
  state.entities = std::move(after);
  return {};
}

result<void> apply_players(sim_core_snapshot& state, const std::vector<player_state_delta>& changes,
                           const slot_table& slots) {
  for (const player_state_delta& change : changes) {
    auto place = std::ranges::lower_bound(state.player_states, change.player, {}, &player_state::player);
    if (place == state.player_states.end() || place->player != change.player) {
      place = state.player_states.insert(place, player_state{change.player, 0, {}});
    }
    slot_spans changed;
    if (auto fits = slots.split_player_fields(change.change_mask, change.changed_fields, changed); !fits) {
      return fits;
    }
    slot_spans present;
    if (auto fits = slots.split_player_fields(place->field_mask, place->player_fields, present); !fits) {
      return fits;
    }
    std::uint64_t mask = place->field_mask;
    replace_slots(mask, place->player_fields, present, change.change_mask, changed);
    place->field_mask = static_cast<std::uint32_t>(mask);
  }
  return {};
}

void apply_cells(std::vector<map_cell>& cells, const std::vector<map_cell>& changed) {
  std::vector<map_cell> after;
  after.reserve(cells.size() + changed.size());
  auto old = cells.begin();
  for (const map_cell& cell : changed) {
    for (; old != cells.end() && old->cell < cell.cell; ++old) after.push_back(*old);
    if (old != cells.end() && old->cell == cell.cell) ++old;
    after.push_back(cell);
  }
  after.insert(after.end(), old, cells.end());
  cells = std::move(after);
}

}  // namespace

result<void> apply(sim_core_snapshot& state, const sim_core_delta& delta, const slot_table& slots,
                   const limits& most) {
  if (delta.intern_table_delta) {
    if (auto done = apply_strings(state.intern_table, *delta.intern_table_delta, most); !done) return done;
  }
  if (auto done = apply_entities(state, delta.changed_entities, slots); !done) return done;
  if (state.entities.size() > most.entities) {
    return fail(error_code::over_limit, error::no_offset, "{} entities",
                static_cast<std::int64_t>(state.entities.size()));
  }
  if (auto done = apply_players(state, delta.changed_players, slots); !done) return done;
  if (delta.changed_map) apply_cells(state.map_state, *delta.changed_map);
  state.tick = delta.tick;
  return {};
}

}  // namespace tickreel::icrep
