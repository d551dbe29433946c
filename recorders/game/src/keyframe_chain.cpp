#include "keyframe_chain.hpp"

#include <algorithm>
#include <bit>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/game/recorded_types.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::game {

namespace {

enum chain_flags : std::uint8_t { hash_is_made_flag = 1 };

// The longest that a column can be.
constexpr std::uint32_t max_component_bytes = 65'537;

tracks::shape shape_of(const slot_layout& of) {
  const std::uint32_t size = of.slot.size_bytes;
  tracks::shape out;
  out.row_bytes = size;
  std::uint64_t found = 0;
  for (const value_layout& one : of.values) {
    out.columns.push_back({one.kind, one.offset, one.size_bytes, {}});
    found += one.size_bytes;
  }
  // A type that is not described completely is one column of bytes.
  if (found != size || !out.validate()) out.columns = {{value_kind::text, 0, size, {}}};
  return out;
}

icrep::digest digest_of(std::uint64_t state_hash) noexcept {
  icrep::digest out{};
  tickreel::detail::store<std::endian::little>(out.data(), state_hash);
  return out;
}

// Of an entity in a delta, beside its components.
constexpr std::uint64_t mention_bytes = 22;
// Of an empty delta.
constexpr std::uint64_t delta_bytes = 96;

// Reading a world takes 7 GB per second. Texts are fragmented, and decoding changes through models is slower,
// bit by bit; a link may contain any number of them.
constexpr std::uint64_t bytes_of_text = 64;
constexpr std::uint64_t bytes_of_changed_byte = 256;
// Of a column: models restart after a full keyframe.
constexpr std::uint64_t bytes_of_models = 4096;

constexpr auto tag_of = &icrep::entity_snapshot::entity;

}  // namespace

chained_components::chained_components(const icrep::metadata& facts) {
  kinds.fill(none);
  for (const slot_layout& one : recorded_layout(facts).components) {
    const std::uint32_t slot = one.slot.slot;
    const std::uint32_t size = one.slot.size_bytes;
    if (slot >= kinds.size()) continue;
    sizes[slot] = size;
    if (size == 0 || size > max_component_bytes || kinds[slot] != none) continue;
    kinds[slot] = static_cast<std::uint8_t>(shapes.size());
    slots.push_back(static_cast<std::uint8_t>(slot));
    shapes.push_back(shape_of(one));
  }
}

std::size_t chained_components::offset(const icrep::entity_snapshot& in, unsigned slot) const noexcept {
  std::size_t at = 0;
  const std::uint64_t before = in.component_mask & ((std::uint64_t{1} << slot) - 1);
  for (std::uint64_t rest = before; rest != 0; rest &= rest - 1) {
    const auto one = static_cast<unsigned>(std::countr_zero(rest));
    at += sizes[one] != 0 ? sizes[one]
                          : sizeof(std::uint32_t) + byte_reader(byte_span(in.components).subspan(at)).u32();
  }
  return at;
}

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

chain_limits chain_limits::of(std::uint64_t reel_bytes) noexcept {
  constexpr std::uint64_t of_any = std::uint64_t{8} << 30;
  constexpr std::uint64_t of_each_byte = 512u << 10;
  chain_limits out;
  out.looked_through_bytes = of_any + std::min(reel_bytes, std::uint64_t{1} << 40) * of_each_byte;
  return out;
}

keyframe_chain_reader::keyframe_chain_reader(const icrep::metadata& facts, const chain_limits& most)
    : known_(facts), reader_(known_.shapes), most_(most) {
  if (facts.schema) {
    if (auto slots = icrep::slot_table::create(*facts.schema)) slots_ = std::move(*slots);
  }
}

void keyframe_chain_reader::begin_scan() noexcept {
  drop();
  made_bytes_ = looked_through_bytes_ = 0;
  is_spent_ = false;
}

void keyframe_chain_reader::drop() noexcept {
  has_whole_ = false;
  state_.reset();
  group_.reset();
}

void keyframe_chain_reader::begin(const framed_keyframe& whole, std::uint64_t tick,
                                  std::optional<std::uint64_t> state_hash) {
  drop();
  whole_.assign(whole.bytes.begin(), whole.bytes.end());
  whole_hash_ = state_hash;
  has_whole_ = true;
  tick_ = tick;
}

// Most full keyframes have no links that depend on them.
result<void> keyframe_chain_reader::start(bool hash_is_made) {
  has_whole_ = false;
  auto whole = icrep::read_snapshot(whole_);
  if (!whole) return fail(whole.error());
  if (!slots_) return fail(error_code::malformed, error::no_offset, "a chain without a schema");
  if (whole->core.tick != tick_)
    return fail(error_code::malformed, error::no_offset, "a keyframe of another tick");
  const icrep::digest hash =
      hash_is_made ? icrep::core_hash(whole->core) : digest_of(whole_hash_.value_or(0));
  state_bytes_ = full_bytes_ = whole_.size();
  auto group = icrep::delta_group::begin(*whole, hash, *slots_);
  if (!group) return fail(group.error());
  group_ = std::move(*group);
  state_ = std::move(*whole);
  reader_.restart();
  return {};
}

result<framed_keyframe> keyframe_chain_reader::next(byte_span chain, std::uint64_t tick,
                                                    std::optional<std::uint64_t> state_hash) {
  auto made = make(chain, tick, state_hash);
  if (!made) drop();
  return made;
}

// Checked before the work is done.
result<void> keyframe_chain_reader::look_through(std::uint64_t bytes) noexcept {
  looked_through_bytes_ += bytes;
  is_spent_ = looked_through_bytes_ > most_.looked_through_bytes;
  if (!is_spent_) return {};
  return fail(error_code::over_limit, error::no_offset,
              "keyframes as links of a world that is too large for a reel of this size: above {} bytes",
              static_cast<std::int64_t>(most_.looked_through_bytes));
}

result<framed_keyframe> keyframe_chain_reader::make(byte_span chain, std::uint64_t tick,
                                                    std::optional<std::uint64_t> state_hash) {
  const bool hash_is_made = !chain.empty() && (chain.front() & std::byte{hash_is_made_flag}) != std::byte{0};
  if (has_whole_) {
    std::uint64_t columns = 0;
    for (const tracks::shape& one : known_.shapes) columns += one.columns.size();
    if (auto may = look_through(columns * bytes_of_models); !may) return fail(may.error());
    if (auto done = start(hash_is_made); !done) return fail(done.error());
  }
  if (!state_) return fail(error_code::missing_keyframe);
  if (auto may = look_through(full_bytes_ + state_bytes_ + state_->core.intern_table.size() * bytes_of_text);
      !may)
    return fail(may.error());
  if (auto done = apply(chain, tick); !done) return fail(done.error());
  auto made = as_in_a_file(state_hash, hash_is_made);
  if (!made) return made;
  made_bytes_ += made->raw_bytes;
  is_spent_ = made_bytes_ > most_.made_bytes;
  if (is_spent_) {
    return fail(error_code::over_limit, error::no_offset,
                "keyframes as links of more than {} bytes in a file",
                static_cast<std::int64_t>(most_.made_bytes));
  }
  return made;
}

result<void> keyframe_chain_reader::apply(byte_span chain, std::uint64_t tick) {
  byte_reader in(chain);
  const std::uint8_t flags = in.u8();
  const std::uint64_t distance = read_prefix_varint(in);
  const std::uint64_t rest_bytes = read_prefix_varint(in);
  if (!in.ok() || flags > hash_is_made_flag || distance != tick - tick_ || rest_bytes > in.remaining())
    return fail(error_code::malformed, error::no_offset, "a chain of keyframes");
  icrep::sim_core_snapshot& core = state_->core;
  if (rest_bytes != 0) {
    const icrep::limits most;
    auto delta = icrep::read_delta(in.bytes(static_cast<std::size_t>(rest_bytes)), most);
    if (!delta) return fail(delta.error());
    if (delta->core.tick != tick || delta->campaign_state || delta->script_state)
      return fail(error_code::malformed, error::no_offset, "a delta in a chain of keyframes");
    if (auto done = icrep::apply(core, delta->core, *slots_, most); !done) return done;
    state_bytes_ = icrep::bc1_size(*state_);
    if (state_bytes_ > most.snapshot_bytes) return fail(error_code::over_limit);
  }
  core.tick = tick;
  tick_ = tick;
  const std::uint64_t most = std::uint64_t{core.entities.size()} * known_.shapes.size();
  if (auto opened = reader_.open(in.rest(), most); !opened) return opened;
  tracks::record_change one;
  for (;;) {
    const auto more = reader_.next(one);
    if (!more) return fail(more.error());
    if (!*more) return {};
    const unsigned slot = known_.slots[one.kind];
    const bool is_there = one.record < core.entities.size() &&
                          core.entities[one.record].entity != icrep::world_tag &&
                          (core.entities[one.record].component_mask >> slot & 1) != 0;
    if (!is_there) return fail(error_code::malformed, error::no_offset, "an empty change");
    icrep::entity_snapshot& entity = core.entities[one.record];
    const std::size_t offset = known_.offset(entity, slot);
    const std::size_t size = known_.sizes[slot];
    if (auto may = look_through(size * bytes_of_changed_byte); !may) return may;
    if (auto done = reader_.apply(mutable_byte_span(entity.components).subspan(offset, size)); !done)
      return done;
  }
}

// The recorder of a file makes the same choice.
result<framed_keyframe> keyframe_chain_reader::as_in_a_file(std::optional<std::uint64_t> state_hash,
                                                            bool hash_is_made) {
  framed_keyframe out;
  const auto delta = group_->delta(*state_);
  if (delta) bytes_ = icrep::to_bytes(*delta);
  if (delta && bytes_.size() <= std::min<std::uint64_t>(2 * state_bytes_, icrep::limits{}.snapshot_bytes)) {
    out.baseline_tick = group_->full().core.tick;
  } else if (delta || delta.error().code == error_code::unsupported_operation) {
    bytes_ = icrep::to_bytes(*state_);
    const icrep::digest hash =
        hash_is_made ? icrep::core_hash(state_->core) : digest_of(state_hash.value_or(0));
    auto group = icrep::delta_group::begin(*state_, hash, *slots_);
    if (!group) return fail(group.error());
    group_ = std::move(*group);
    full_bytes_ = bytes_.size();
    out.full = true;
  } else {
    return fail(delta.error());
  }
  out.raw_bytes = static_cast<std::uint32_t>(bytes_.size());
  out.bytes = bytes_;
  return out;
}

}  // namespace tickreel::game
