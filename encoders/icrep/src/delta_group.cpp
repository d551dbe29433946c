#include <algorithm>

#include "slots.hpp"
#include "tickreel/bytes/endian.hpp"
#include "tickreel/icrep/delta.hpp"

namespace tickreel::icrep {

namespace {

tl::unexpected<error> needs_full(const char* why, std::int64_t first = 0, std::int64_t second = 0) noexcept {
  return fail(error_code::unsupported_operation, error::no_offset, why, first, second);
}

const entity_snapshot* world_of(const sim_core_snapshot& core) noexcept {
  const bool there = !core.entities.empty() && core.entities.back().entity == world_tag;
  return there ? &core.entities.back() : nullptr;
}

// The entities without the world.
std::span<const entity_snapshot> units_of(const sim_core_snapshot& core) noexcept {
  return std::span(core.entities).first(core.entities.size() - (world_of(core) != nullptr ? 1 : 0));
}

result<void> add_strings(const std::vector<std::string>& before, const std::vector<std::string>& now,
                         sim_core_delta& out) {
  if (now.size() < before.size() || !std::equal(before.begin(), before.end(), now.begin())) {
    return needs_full("interned strings changed");
  }
  if (now.size() == before.size()) return {};
  out.intern_table_delta.emplace();
  out.intern_table_delta->start_id = static_cast<std::uint32_t>(before.size());
  out.intern_table_delta->new_entries.assign(now.begin() + static_cast<std::ptrdiff_t>(before.size()),
                                             now.end());
  return {};
}

// The part of `now` to write: everything that was written before or differs now.
template <class State>
result<void> add_optional(const std::optional<State>& before, const std::optional<State>& now,
                          bool& mentioned, std::optional<State>& out, const char* gone) {
  mentioned = mentioned || now != before;
  if (!mentioned) return {};
  if (!now) return needs_full(gone);
  out = now;
  return {};
}

result<void> check_argument(const sim_core_snapshot& core, const slot_table& slots) {
  auto sound = validate(core);
  if (sound) sound = slots.validate(core);
  if (!sound) {
    error what = sound.error();
    if (what.code != error_code::over_limit) what.code = error_code::invalid_argument;
    return fail(what);
  }
  return {};
}

}  // namespace

result<delta_group> delta_group::begin(sim_snapshot full, const digest& state_hash, const slot_table& slots) {
  if (auto fits = check_argument(full.core, slots); !fits) return fail(fits.error());
  delta_group group;
  group.last_tick_ = full.core.tick;
  group.full_ = std::move(full);
  group.full_hash_ = state_hash;
  group.slots_ = slots;
  return group;
}

result<delta_group> delta_group::begin(sim_snapshot full, const slot_table& slots) {
  const digest state_hash = core_hash(full.core);
  return begin(std::move(full), state_hash, slots);
}

result<delta_snapshot> delta_group::delta(const sim_snapshot& now) {
  if (now.core.tick <= last_tick_) {
    return fail(error_code::invalid_argument, error::no_offset, "tick {} after tick {}",
                static_cast<std::int64_t>(now.core.tick), static_cast<std::int64_t>(last_tick_));
  }
  if (auto fits = check_argument(now.core, slots_); !fits) return fail(fits.error());
  if (now.core.game_seed != full_.core.game_seed || now.core.map_hash != full_.core.map_hash) {
    return needs_full("another map or seed");
  }
  delta_snapshot out;
  out.core.baseline_tick = full_.core.tick;
  out.core.baseline_hash = full_hash_;
  out.core.tick = now.core.tick;
  auto done = add_strings(full_.core.intern_table, now.core.intern_table, out.core);
  if (done) done = add_entities(now.core, out.core);
  if (done) done = add_world(now.core, out.core);
  if (done) done = add_players(now.core, out.core);
  if (done) done = add_cells(now.core, out.core);
  if (done) {
    done = add_optional(full_.campaign_state, now.campaign_state, campaign_, out.campaign_state,
                        "the campaign state is gone");
  }
  if (done) {
    done = add_optional(full_.script_state, now.script_state, script_, out.script_state,
                        "the script state is gone");
  }
  if (!done) return fail(done.error());
  // Entities added or removed in the group are mentioned until its end, which also has a limit.
  if (out.core.changed_entities.size() > item_limit(limits{}, std::type_identity<entity_delta>{})) {
    return needs_full("more changed entities than a delta may have");
  }
  last_tick_ = now.core.tick;
  return out;
}

result<void> delta_group::add_entities(const sim_core_snapshot& now, sim_core_delta& out) {
  const auto before = units_of(full_.core);
  const auto current = units_of(now);
  std::vector<entity_delta> removed;
  std::vector<entity_delta> present;
  std::vector<entity_mention> mentions;
  auto b = before.begin();
  auto c = current.begin();
  auto m = entities_.begin();
  // The three lists ascend by tag and are merged.
  while (b != before.end() || c != current.end() || m != entities_.end()) {
    unit_tag tag = world_tag;
    if (b != before.end()) tag = std::min(tag, b->entity);
    if (c != current.end()) tag = std::min(tag, c->entity);
    if (m != entities_.end()) tag = std::min(tag, m->entity);
    const entity_snapshot* old = b != before.end() && b->entity == tag ? &*b++ : nullptr;
    const entity_snapshot* alive = c != current.end() && c->entity == tag ? &*c++ : nullptr;
    entity_mention said{tag, 0, false};
    if (m != entities_.end() && m->entity == tag) said = *m++;
    if (alive == nullptr) {
      removed.push_back({tag, 0, {}, false, true});
      // If it returns, all of it is written.
      said.is_new = true;
    } else if (auto done = add_entity(old, said, *alive, present); !done) {
      return done;
    }
    if (said.is_new || said.slots != 0) mentions.push_back(said);
  }
  entities_ = std::move(mentions);

  out.changed_entities.reserve(removed.size() + present.size() + 1);
  std::ranges::merge(std::make_move_iterator(removed.begin()), std::make_move_iterator(removed.end()),
                     std::make_move_iterator(present.begin()), std::make_move_iterator(present.end()),
                     std::back_inserter(out.changed_entities), [](const auto& one, const auto& other) {
                       return one.entity.index < other.entity.index;
                     });
  return {};
}

result<void> delta_group::add_entity(const entity_snapshot* before, entity_mention& said,
                                     const entity_snapshot& now, std::vector<entity_delta>& out) const {
  // A delta cannot remove a component, only replace the whole entity.
  const std::uint64_t must_stay = before != nullptr ? before->component_mask | said.slots : 0;
  said.is_new = said.is_new || before == nullptr || before->archetype != now.archetype ||
                (must_stay & ~now.component_mask) != 0;
  if (said.is_new) {
    entity_delta whole{now.entity, now.component_mask, byte_vector(sizeof(std::uint32_t)), true, false};
    tickreel::detail::store<std::endian::little>(whole.changed_components.data(), now.archetype);
    whole.changed_components.insert(whole.changed_components.end(), now.components.begin(),
                                    now.components.end());
    out.push_back(std::move(whole));
    return {};
  }
  const bool same = before->component_mask == now.component_mask && before->components == now.components;
  if (said.slots == 0 && same) return {};
  slot_spans new_slots;
  if (auto fits = slots_.split_components(now.component_mask, now.components, new_slots); !fits) return fits;
  if (!same) {
    slot_spans old_slots;
    if (auto fits = slots_.split_components(before->component_mask, before->components, old_slots); !fits) {
      return fits;
    }
    said.slots |= (now.component_mask & ~before->component_mask) |
                  differing_slots(before->component_mask, old_slots, new_slots);
  }
  entity_delta change{now.entity, said.slots, {}, false, false};
  append_slots(change.changed_components, said.slots, new_slots);
  out.push_back(std::move(change));
  return {};
}

result<void> delta_group::add_world(const sim_core_snapshot& now, sim_core_delta& out) {
  static const entity_snapshot nothing{world_tag, 0, 0, {}};
  const entity_snapshot* old = world_of(full_.core);
  const entity_snapshot* current = world_of(now);
  if (old == nullptr) old = &nothing;
  if (current == nullptr) current = &nothing;
  if (((old->component_mask | (world_slots_ & ~std::uint64_t{1})) & ~current->component_mask) != 0) {
    return needs_full("a component of the world is gone");
  }
  if (old->archetype != current->archetype) return needs_full("the world's archetype changed");
  slot_spans old_slots;
  slot_spans new_slots;
  if (auto fits = slots_.split_world(old->component_mask, old->components, old_slots); !fits) return fits;
  if (auto fits = slots_.split_world(current->component_mask, current->components, new_slots); !fits)
    return fits;
  world_slots_ |= (current->component_mask & ~old->component_mask) |
                  differing_slots(old->component_mask, old_slots, new_slots);
  if (now.rng_state != full_.core.rng_state) world_slots_ |= 1;
  if (world_slots_ == 0) return {};

  entity_delta change{world_tag, world_slots_, {}, false, false};
  if ((world_slots_ & 1) != 0) {
    change.changed_components.resize(sizeof(std::uint64_t));
    tickreel::detail::store<std::endian::little>(change.changed_components.data(),
                                                 std::uint64_t{now.rng_state.size()});
    change.changed_components.insert(change.changed_components.end(), now.rng_state.begin(),
                                     now.rng_state.end());
  }
  append_slots(change.changed_components, world_slots_ & ~std::uint64_t{1}, new_slots);
  out.changed_entities.push_back(std::move(change));
  return {};
}

result<void> delta_group::add_players(const sim_core_snapshot& now, sim_core_delta& out) {
  const auto& before = full_.core.player_states;
  auto b = before.begin();
  std::vector<player_mention> mentions;
  auto m = players_.begin();
  for (const player_state& player : now.player_states) {
    if (b != before.end() && b->player < player.player) break;
    if (m != players_.end() && m->player < player.player) break;
    const player_state* old = b != before.end() && b->player == player.player ? &*b++ : nullptr;
    player_mention said{player.player, 0};
    const bool mentioned = m != players_.end() && m->player == player.player;
    if (mentioned) said = *m++;
    const std::uint32_t old_mask = old != nullptr ? old->field_mask : 0;
    if (((old_mask | said.slots) & ~player.field_mask) != 0)
      return needs_full("a field of player {} is gone", player.player);
    slot_spans old_slots;
    slot_spans new_slots;
    old_slots.fill({});
    if (old != nullptr) {
      if (auto fits = slots_.split_player_fields(old_mask, old->player_fields, old_slots); !fits) return fits;
    }
    if (auto fits = slots_.split_player_fields(player.field_mask, player.player_fields, new_slots); !fits) {
      return fits;
    }
    said.slots |= (player.field_mask & ~old_mask) |
                  static_cast<std::uint32_t>(differing_slots(old_mask, old_slots, new_slots));
    // A new player without fields is also a change.
    if (said.slots == 0 && old != nullptr) continue;
    player_state_delta change{player.player, said.slots, {}};
    append_slots(change.changed_fields, said.slots, new_slots);
    out.changed_players.push_back(std::move(change));
    mentions.push_back(said);
  }
  if (b != before.end()) return needs_full("player {} is gone", b->player);
  if (m != players_.end()) return needs_full("player {} is gone", m->player);
  players_ = std::move(mentions);
  return {};
}

result<void> delta_group::add_cells(const sim_core_snapshot& now, sim_core_delta& out) {
  const auto& before = full_.core.map_state;
  auto b = before.begin();
  auto m = cells_.begin();
  std::vector<map_cell> changed;
  std::vector<cell_position> mentions;
  for (const map_cell& cell : now.map_state) {
    if (b != before.end() && b->cell < cell.cell) break;
    if (m != cells_.end() && *m < cell.cell) break;
    const map_cell* old = b != before.end() && b->cell == cell.cell ? &*b++ : nullptr;
    const bool mentioned = m != cells_.end() && *m == cell.cell;
    if (mentioned) ++m;
    if (!mentioned && old != nullptr && *old == cell) continue;
    changed.push_back(cell);
    mentions.push_back(cell.cell);
  }
  if (b != before.end()) return needs_full("cell {}, {} is gone", b->cell.x, b->cell.y);
  if (m != cells_.end()) return needs_full("cell {}, {} is gone", m->x, m->y);
  cells_ = std::move(mentions);
  if (!changed.empty()) out.changed_map = std::move(changed);
  return {};
}

}  // namespace tickreel::icrep
