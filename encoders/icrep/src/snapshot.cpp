#include "tickreel/icrep/snapshot.hpp"

#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/entry.hpp"

namespace tickreel::icrep {

namespace {

// Removed entities precede others of the same index, so a place is free before it is used again.
constexpr auto delta_order(const entity_delta& delta) noexcept {
  return (std::uint64_t{delta.entity.index} << 17) | (std::uint64_t{delta.is_removed ? 0u : 1u} << 16) |
         delta.entity.generation;
}

template <class List, class Key>
bool ascends(const List& list, Key key) noexcept {
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (!(key(list[i - 1]) < key(list[i]))) return false;
  }
  return true;
}

constexpr auto cell_of = [](const map_cell& cell) { return cell.cell; };

result<void> check_order(const sim_core_delta& core) {
  const auto refuse = [](const char* detail) {
    return fail(error_code::malformed, error::no_offset, detail);
  };
  if (core.tick <= core.baseline_tick) return refuse("a delta that is not later than its baseline");
  if (!ascends(core.changed_entities, delta_order)) return refuse("changed entities out of order");
  if (!ascends(core.changed_players, [](const auto& change) { return change.player; })) {
    return refuse("changed players out of order");
  }
  if (core.changed_map && !ascends(*core.changed_map, cell_of)) return refuse("changed cells out of order");
  for (const entity_delta& change : core.changed_entities) {
    if (change.is_new && change.is_removed) return refuse("an entity both new and removed");
    if (change.is_removed && (change.change_mask != 0 || !change.changed_components.empty())) {
      return refuse("a removed entity with components");
    }
    if (change.is_removed && change.entity == world_tag) return refuse("the world removed");
  }
  return {};
}

result<void> check_order(const sim_core_snapshot& core) {
  const auto refuse = [](const char* detail) {
    return fail(error_code::malformed, error::no_offset, detail);
  };
  if (!ascends(core.entities, [](const auto& entity) { return entity.entity; })) {
    return refuse("entities out of order, or one twice");
  }
  if (!ascends(core.player_states, [](const auto& player) { return player.player; })) {
    return refuse("players out of order, or one twice");
  }
  if (!ascends(core.map_state, cell_of)) return refuse("map cells out of order, or one twice");
  if (!core.entities.empty() && core.entities.back().entity == world_tag &&
      (core.entities.back().component_mask & 1) != 0) {
    return refuse("the random generator's state as a component of a whole snapshot");
  }
  return {};
}
template <class Snapshot>
result<Snapshot> read(byte_span input, const limits& most) {
  if (input.size() > most.snapshot_bytes) {
    return fail(error_code::over_limit, 0, "a snapshot of {} bytes", static_cast<std::int64_t>(input.size()));
  }
  auto snapshot = read_bc1<Snapshot>(input, most);
  if (!snapshot) return snapshot;
  if (const auto sound = check_order(snapshot->core); !sound) return fail(sound.error());
  return snapshot;
}

}  // namespace

result<void> validate(const sim_core_snapshot& core) {
  if (auto sound = check_bc1(core); !sound) return sound;
  return check_order(core);
}

byte_vector to_bytes(const sim_snapshot& snapshot) {
  byte_vector out;
  append_bc1(out, snapshot);
  return out;
}

byte_vector to_bytes(const delta_snapshot& delta) {
  byte_vector out;
  append_bc1(out, delta);
  return out;
}

result<sim_snapshot> read_snapshot(byte_span input, const limits& most) {
  return read<sim_snapshot>(input, most);
}

result<delta_snapshot> read_delta(byte_span input, const limits& most) {
  return read<delta_snapshot>(input, most);
}

digest core_hash(const sim_core_snapshot& core) {
  byte_vector bytes;
  append_bc1(bytes, core);
  return sha256(bytes);
}

}  // namespace tickreel::icrep
