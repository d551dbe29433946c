#include "world_mirror.hpp"

#include "keyframe_notes.hpp"
#include "tickreel/bytes/reader.hpp"

namespace tickreel::game {

namespace {

std::uint64_t variable_slots(const std::vector<icrep::slot_description>& described) {
  std::uint64_t mask = 0;
  for (const auto& slot : described) {
    if (slot.size_bytes == 0 && slot.slot < 64) mask |= std::uint64_t{1} << slot.slot;
  }
  return mask;
}

analysis::unit_tag read_tag(byte_reader& in) {
  const std::uint16_t index = in.u16();
  return {index, in.u16()};
}

void assign(byte_vector& to, byte_reader& in) {
  const byte_span bytes = in.bytes(in.u32());
  to.assign(bytes.begin(), bytes.end());
}

}  // namespace

world_mirror::world_mirror(const icrep::schema& known, std::uint64_t seed, const icrep::digest& map_hash)
    : seed_(seed),
      map_hash_(map_hash),
      variable_components_(variable_slots(known.components)),
      variable_fields_(variable_slots(known.player_fields)),
      variable_singletons_(variable_slots(known.world)) {}

void world_mirror::apply(byte_span notes, bool whole) {
  if (whole) {
    entities_.clear();
    players_.clear();
    cells_.clear();
    singletons_.clear();
    generator_.clear();
  }
  entity* current = nullptr;
  for (byte_reader in(notes); in.ok() && !in.at_end();) {
    switch (static_cast<note>(in.u8())) {
      case note::entity: {
        current = &entities_[read_tag(in)];
        const std::uint32_t archetype = in.u32();
        if (archetype != no_archetype) current->archetype = archetype;
        break;
      }
      case note::component: {
        const std::uint8_t slot = in.u8();
        byte_vector ignored;
        assign(current != nullptr ? current->components[slot] : ignored, in);
        break;
      }
      case note::remove:
        entities_.erase(read_tag(in));
        current = nullptr;
        break;
      case note::player: {
        slots& fields = players_[in.u32()];
        assign(fields[in.u8()], in);
        break;
      }
      case note::singleton:
        assign(singletons_[in.u8()], in);
        break;
      case note::generator:
        assign(generator_, in);
        break;
      case note::cell: {
        icrep::cell_position at;
        at.x = in.i32();
        at.y = in.i32();
        at.z = in.i32();
        cell& content = cells_[at];
        content.terrain = in.u32();
        content.amount = in.i32();
        break;
      }
      case note::text: {
        const byte_span text = in.bytes(in.u32());
        texts_.emplace_back(as_text(text));
        break;
      }
    }
  }
}

world_mirror::flat world_mirror::flatten(const slots& from, std::uint64_t variable) {
  flat out;
  for (const auto& [slot, bytes] : from) {
    out.mask |= std::uint64_t{1} << slot;
    if ((variable >> slot & 1) != 0) append_numbers(out.bytes, static_cast<std::uint32_t>(bytes.size()));
    append_bytes(out.bytes, bytes);
  }
  return out;
}

icrep::sim_snapshot world_mirror::snapshot(std::uint64_t tick) const {
  icrep::sim_snapshot out;
  icrep::sim_core_snapshot& core = out.core;
  core.tick = tick;
  core.game_seed = seed_;
  core.map_hash = map_hash_;
  core.rng_state = generator_;
  core.intern_table = texts_;
  core.entities.reserve(entities_.size() + 1);
  for (const auto& [tag, content] : entities_) {
    flat components = flatten(content.components, variable_components_);
    core.entities.push_back({tag, content.archetype, components.mask, std::move(components.bytes)});
  }
  if (!singletons_.empty()) {
    flat world = flatten(singletons_, variable_singletons_);
    core.entities.push_back({icrep::world_tag, 0, world.mask, std::move(world.bytes)});
  }
  for (const auto& [player, fields] : players_) {
    flat values = flatten(fields, variable_fields_);
    core.player_states.push_back({player, static_cast<std::uint32_t>(values.mask), std::move(values.bytes)});
  }
  for (const auto& [at, content] : cells_) core.map_state.push_back({at, content.terrain, content.amount});
  return out;
}

}  // namespace tickreel::game
