#include "world_mirror.hpp"

#include <algorithm>

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

void world_mirror::begin(bool whole) {
  current_ = nullptr;
  whole_ = whole;
  rest_changed_ = false;
  touched_.clear();
  if (!whole) return;
  entities_.clear();
  players_.clear();
  cells_.clear();
  singletons_.clear();
  generator_.clear();
}

void world_mirror::apply(note kind, byte_reader& in) {
  switch (kind) {
    case note::entity: {
      const analysis::unit_tag tag = read_tag(in);
      touched_.push_back(tag);
      current_ = &entities_[tag];
      const std::uint32_t archetype = in.u32();
      if (archetype != no_archetype) current_->archetype = archetype;
      return;
    }
    case note::component: {
      const std::uint8_t slot = in.u8();
      byte_vector ignored;
      return assign(current_ != nullptr ? current_->components[slot] : ignored, in);
    }
    case note::remove:
      touched_.push_back(read_tag(in));
      entities_.erase(touched_.back());
      current_ = nullptr;
      return;
    case note::player: {
      const std::size_t known = players_.size();
      slots& fields = players_[in.u32()];
      rest_changed_ = rest_changed_ || players_.size() != known;
      return assign_rest(fields[in.u8()], in);
    }
    case note::singleton:
      return assign_rest(singletons_[in.u8()], in);
    case note::generator:
      return assign_rest(generator_, in);
    case note::cell: {
      icrep::cell_position at;
      at.x = in.i32();
      at.y = in.i32();
      at.z = in.i32();
      const std::size_t known = cells_.size();
      cell& content = cells_[at];
      const cell before = content;
      content.terrain = in.u32();
      content.amount = in.i32();
      rest_changed_ = rest_changed_ || cells_.size() != known || content.terrain != before.terrain ||
                      content.amount != before.amount;
      return;
    }
    case note::text: {
      const byte_span text = in.bytes(in.u32());
      texts_.emplace_back(as_text(text));
      rest_changed_ = true;
      return;
    }
    case note::order:
    case note::event:
    case note::voice:
    case note::described:
      return skip_note(kind, in);
  }
}

void world_mirror::flatten(const slots& from, std::uint64_t variable, std::uint64_t& mask,
                           byte_vector& bytes) {
  mask = 0;
  bytes.clear();
  std::size_t size = 0;
  for (const auto& [slot, content] : from)
    size += content.size() + ((variable >> slot & 1) != 0 ? sizeof(std::uint32_t) : 0);
  bytes.reserve(size);
  for (const auto& [slot, content] : from) {
    mask |= std::uint64_t{1} << slot;
    if ((variable >> slot & 1) != 0) {
      std::byte length[sizeof(std::uint32_t)];
      tickreel::detail::store<std::endian::little>(length, static_cast<std::uint32_t>(content.size()));
      bytes.insert(bytes.end(), std::begin(length), std::end(length));
    }
    bytes.insert(bytes.end(), content.begin(), content.end());
  }
}

// A previously empty value counts as changed if it is mentioned, even with no bytes.
void world_mirror::assign_rest(byte_vector& to, byte_reader& in) {
  const byte_span bytes = in.bytes(in.u32());
  rest_changed_ = rest_changed_ || to.empty() || !std::ranges::equal(to, bytes);
  to.assign(bytes.begin(), bytes.end());
}

void world_mirror::flatten(analysis::unit_tag tag, const entity& content, icrep::entity_snapshot& out) const {
  out.entity = tag;
  out.archetype = content.archetype;
  flatten(content.components, variable_components_, out.component_mask, out.components);
}

bool world_mirror::entity_at(analysis::unit_tag tag, icrep::entity_snapshot& out) const {
  const auto found = entities_.find(tag);
  if (found == entities_.end()) return false;
  flatten(tag, found->second, out);
  return true;
}

icrep::sim_snapshot world_mirror::snapshot(std::uint64_t tick) const {
  icrep::sim_snapshot out = rest(tick);
  std::vector<icrep::entity_snapshot> entities;
  entities.reserve(entities_.size() + 1);
  for (const auto& [tag, content] : entities_) flatten(tag, content, entities.emplace_back());
  if (!out.core.entities.empty()) entities.push_back(std::move(out.core.entities.back()));
  out.core.entities = std::move(entities);
  return out;
}

icrep::sim_snapshot world_mirror::rest(std::uint64_t tick) const {
  icrep::sim_snapshot out;
  icrep::sim_core_snapshot& core = out.core;
  core.tick = tick;
  core.game_seed = seed_;
  core.map_hash = map_hash_;
  core.rng_state = generator_;
  core.intern_table = texts_;
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
