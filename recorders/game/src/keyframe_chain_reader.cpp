#include <algorithm>

#include "keyframe_chain.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/varint.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::game {

namespace {

icrep::digest digest_of(std::uint64_t state_hash) noexcept {
  icrep::digest out{};
  tickreel::detail::store<std::endian::little>(out.data(), state_hash);
  return out;
}

// Reading a world takes 7 GB per second. Texts are fragmented, and decoding changes through models is slower,
// bit by bit; a link may contain any number of them.
constexpr std::uint64_t bytes_of_text = 64;
constexpr std::uint64_t bytes_of_changed_byte = 256;
// Of a column: models restart after a full keyframe.
constexpr std::uint64_t bytes_of_models = 4096;

}  // namespace

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
