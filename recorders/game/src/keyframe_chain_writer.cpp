#include <algorithm>
#include <bit>

#include "keyframe_chain.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::game {

namespace {

// Of an entity in a delta, beside its components.
constexpr std::uint64_t mention_bytes = 22;
// Of an empty delta.
constexpr std::uint64_t delta_bytes = 96;

constexpr auto tag_of = &icrep::entity_snapshot::entity;

}  // namespace

keyframe_chain_writer::keyframe_chain_writer(const icrep::metadata& facts, const icrep::slot_table& slots)
    : known_(facts), slots_(slots), writer_(known_.shapes) {}

void keyframe_chain_writer::begin(icrep::sim_snapshot whole) {
  base_ = std::move(whole);
  mentioned_.clear();
  mentioned_bytes_ = delta_bytes;
  state_bytes_ = icrep::bc1_size(*base_);
  writer_.restart();
}

result<void> keyframe_chain_writer::add(const world_mirror& now, std::uint64_t tick, bool hash_is_made,
                                        byte_vector& out) {
  std::byte head[1 + prefix_varint_max_size];
  byte_writer flags(head);
  flags.u8(hash_is_made ? static_cast<std::uint8_t>(hash_is_made_flag) : std::uint8_t{0});
  write_prefix_varint(flags, tick - base_->core.tick);
  out.insert(out.end(), flags.written().begin(), flags.written().end());
  find(now);
  if (auto done = add_rest(now, tick, out); !done) {
    drop();
    return done;
  }
  add_values(out);
  base_->core.tick = tick;
  return {};
}

// Separates mentioned entities into changed values and other changes.
void keyframe_chain_writer::find(const world_mirror& now) {
  now_.clear();
  changes_.clear();
  others_before_.clear();
  others_now_.clear();
  const auto& entities = base_->core.entities;
  auto before = entities.begin();
  auto end = entities.end();
  if (before != end && std::prev(end)->entity == icrep::world_tag) --end;
  if (now.is_whole()) {
    now.each_entity(one_, [&](const icrep::entity_snapshot& alive) {
      while (before != end && before->entity < alive.entity) look_at(&*before++, nullptr);
      const bool is_known = before != end && before->entity == alive.entity;
      look_at(is_known ? &*before++ : nullptr, &alive);
    });
    while (before != end) look_at(&*before++, nullptr);
    return;
  }
  tags_.assign(now.touched().begin(), now.touched().end());
  std::sort(tags_.begin(), tags_.end());
  tags_.erase(std::unique(tags_.begin(), tags_.end()), tags_.end());
  for (const analysis::unit_tag tag : tags_) {
    before = std::ranges::lower_bound(before, end, tag, {}, tag_of);
    const bool is_known = before != end && before->entity == tag;
    look_at(is_known ? &*before : nullptr, now.entity_at(tag, one_) ? &one_ : nullptr);
  }
}

void keyframe_chain_writer::look_at(const icrep::entity_snapshot* before, const icrep::entity_snapshot* now) {
  if (before != nullptr && now != nullptr && only_values_changed(*before, *now)) {
    if (!changes_.empty() && changes_.back().entity == now_.size()) now_.push_back(*now);
    return;
  }
  if (before != nullptr) others_before_.push_back(*before);
  if (now == nullptr && before != nullptr) mentioned_.erase(before->entity);
  if (now != nullptr) others_now_.push_back(*now);
}

// Notes the changed values.
bool keyframe_chain_writer::only_values_changed(const icrep::entity_snapshot& before,
                                                const icrep::entity_snapshot& now) {
  if (before.archetype != now.archetype || before.component_mask != now.component_mask) return false;
  if (before.components == now.components) return true;
  const std::size_t noted = changes_.size();
  std::size_t at = 0;
  std::size_t at_before = 0;
  for (std::uint64_t rest = now.component_mask; rest != 0; rest &= rest - 1) {
    const auto slot = static_cast<unsigned>(std::countr_zero(rest));
    const byte_span one = byte_span(now.components).subspan(at);
    const byte_span other = byte_span(before.components).subspan(at_before);
    std::size_t size = known_.sizes[slot];
    std::size_t size_before = size;
    if (size == 0) {
      size = sizeof(std::uint32_t) + byte_reader(one).u32();
      size_before = sizeof(std::uint32_t) + byte_reader(other).u32();
    }
    at += size;
    at_before += size_before;
    if (std::ranges::equal(one.first(size), other.first(size_before))) continue;
    if (known_.kinds[slot] == chained_components::none) {
      changes_.resize(noted);
      return false;
    }
    changes_.push_back({now_.size(), known_.kinds[slot]});
  }
  return true;
}

// Encodes other changes as a delta of the format.
result<void> keyframe_chain_writer::add_rest(const world_mirror& now, std::uint64_t tick, byte_vector& out) {
  std::byte room[prefix_varint_max_size];
  byte_writer length(room);
  const bool texts = now.text_count() != base_->core.intern_table.size();
  if (others_before_.empty() && others_now_.empty() && !now.rest_changed() && !texts) {
    write_prefix_varint(length, 0);
    out.insert(out.end(), length.written().begin(), length.written().end());
    return {};
  }
  const auto take_world = [](std::vector<icrep::entity_snapshot>& into,
                             const std::vector<icrep::entity_snapshot>& from) {
    if (!from.empty() && from.back().entity == icrep::world_tag) into.push_back(from.back());
  };
  icrep::sim_snapshot before;
  before.core.tick = base_->core.tick;
  before.core.game_seed = base_->core.game_seed;
  before.core.map_hash = base_->core.map_hash;
  before.core.rng_state = base_->core.rng_state;
  before.core.intern_table = base_->core.intern_table;
  before.core.player_states = base_->core.player_states;
  before.core.map_state = base_->core.map_state;
  take_world(others_before_, base_->core.entities);
  before.core.entities = std::move(others_before_);
  icrep::sim_snapshot after = now.rest(tick);
  take_world(others_now_, after.core.entities);
  after.core.entities = std::move(others_now_);
  auto group = icrep::delta_group::begin(std::move(before), icrep::digest{}, slots_);
  if (!group) return fail(group.error());
  auto delta = group->delta(after);
  if (!delta) return fail(delta.error());
  delta->core.baseline_tick = 0;
  const std::size_t bytes = icrep::bc1_size(*delta);
  mentioned_bytes_ += bytes;
  write_prefix_varint(length, bytes);
  out.insert(out.end(), length.written().begin(), length.written().end());
  icrep::append_bc1(out, *delta);
  // Applies it as a reader does, so that both have the same state.
  if (auto done = icrep::apply(base_->core, delta->core, slots_); !done) return done;
  state_bytes_ = icrep::bc1_size(*base_);
  return {};
}

void keyframe_chain_writer::add_values(byte_vector& out) {
  records_.clear();
  auto& entities = base_->core.entities;
  auto at = entities.begin();
  auto found = mentioned_.begin();
  for (const change& one : changes_) {
    const icrep::entity_snapshot& now = now_[one.entity];
    at = std::ranges::lower_bound(at, entities.end(), now.entity, {}, tag_of);
    const unsigned slot = known_.slots[one.kind];
    const std::size_t size = known_.sizes[slot];
    // If all of them change, they are in sequence.
    if (found != mentioned_.end() && found->first < now.entity) ++found;
    if (found == mentioned_.end() || found->first != now.entity)
      found = mentioned_.try_emplace(now.entity).first;
    std::uint64_t& mentioned = found->second;
    if (mentioned == 0) mentioned_bytes_ += mention_bytes;
    if ((mentioned >> slot & 1) == 0) mentioned_bytes_ += size;
    mentioned |= std::uint64_t{1} << slot;
    // Equal in both: values without a known size did not change.
    const std::size_t offset = known_.offset(now, slot);
    records_.push_back({static_cast<std::uint32_t>(at - entities.begin()), one.kind,
                        byte_span(at->components).subspan(offset, size),
                        byte_span(now.components).subspan(offset, size)});
  }
  writer_.write(records_, out);
  for (const tracks::record_change& one : records_) {
    icrep::entity_snapshot& entity = entities[one.record];
    const auto offset = one.before.data() - entity.components.data();
    std::ranges::copy(one.now, entity.components.begin() + offset);
  }
}

}  // namespace tickreel::game
