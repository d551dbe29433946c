// The keyframes of a match: full ones, deltas of a group, links of a chain, and those that are lost or too large.
#include <algorithm>

#include "match_encoder.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/keyframe.hpp"

namespace tickreel::game {

namespace {

// A frame's chunk must not exceed the readers' limit, including orders.
constexpr std::size_t max_keyframe_bytes = 60u << 20;

}  // namespace

std::optional<error> match_status::too_large() const noexcept {
  const std::int64_t count = crowd.load(std::memory_order_relaxed);
  if (count == 0) return std::nullopt;
  const icrep::limits most;
  if (count > 0) {
    return error{error_code::over_limit,
                 error::no_offset,
                 "a keyframe of {} entities; readers accept {}",
                 {count, most.entities}};
  }
  return error{error_code::over_limit,
               error::no_offset,
               "a keyframe of {} bytes; readers accept {}",
               {-count, most.snapshot_bytes}};
}

void match_encoder::make_keyframe(std::uint64_t tick, std::uint64_t state_hash, bool wanted,
                                  item_output& out) {
  // Events before the keyframe's tick come first: event ticks never decrease.
  if (tick != 0) write_events(tick - 1, out);
  const bool has_own_hash = state_hash != 0;
  has_own_hashes_ = has_own_hashes_ || has_own_hash;
  // By tick and not by count, so that after a lost full keyframe the next one begins a group.
  const std::uint64_t number =
      tick / options_.keyframe_interval_ticks / std::max(1u, options_.full_keyframe_interval);
  // The hashes of a group are of one kind, which its full keyframe states, even if the recorder dies.
  const bool continues =
      has_base() && number == group_number_ && has_own_hash == group_has_own_hashes_ && !wanted;
  group_number_ = number;
  group_has_own_hashes_ = has_own_hash;
  const bool done = chain_ && continues && make_chained(tick, has_own_hash);
  if (!done) make_whole_or_delta(tick, state_hash, continues);
  if (parts_.keyframe) {
    framed_keyframe& keyframe = *parts_.keyframe;
    const std::uint64_t state_bytes = keyframe.chained ? chain_->state_bytes() : raw_.size();
    keyframe.stored = options_.file == container::icrep;
    keyframe.raw_bytes = static_cast<std::uint32_t>(raw_.size());
    keyframe.bytes = keyframe.stored ? icrep::pack_snapshot(raw_, packed_) : byte_span(raw_);
    // A chained keyframe may need all of it in a file.
    const std::uint64_t max_state = keyframe.chained ? max_keyframe_bytes : icrep::limits{}.snapshot_bytes;
    if (state_bytes > max_state || keyframe.bytes.size() > max_keyframe_bytes) {
      refuse_keyframe(keyframe.full, 0, state_bytes);
    } else {
      talk_->crowd.store(0, std::memory_order_relaxed);
    }
  }
  write_found(out);
  // Sealing may have failed: the baseline of the delta is then lost.
  if (parts_.keyframe && !parts_.keyframe->full && !has_base()) lose_keyframe(false);
}

// Encodes the changes since the previous keyframe. False if a full one is needed.
bool match_encoder::make_chained(std::uint64_t tick, bool has_own_hash) {
  raw_.clear();
  if (const auto added = chain_->add(world_, tick, !has_own_hash, raw_); !added) {
    if (added.error().code == error_code::unsupported_operation) return false;
    refuse_keyframe(false, world_.entity_count(), 0);
    return true;
  }
  if (!has_own_hash) take_hash(tick, chain_->state().core);
  if (watcher_) watcher_->look(chain_->state(), found_);
  parts_.keyframe.emplace().chained = true;
  return true;
}

void match_encoder::make_whole_or_delta(std::uint64_t tick, std::uint64_t state_hash, bool continues) {
  icrep::sim_snapshot now = world_.snapshot(tick);
  if (state_hash == 0) take_hash(tick, now.core);
  const icrep::digest hash = state_hash != 0 ? digest_of_hash(state_hash) : made_hash_;
  if (watcher_) watcher_->look(now, found_);
  const std::size_t entities = now.core.entities.size();
  const auto delta = continues && group_
                         ? group_->delta(now)
                         : result<icrep::delta_snapshot>(fail(error_code::unsupported_operation));
  if (delta) raw_ = icrep::to_bytes(*delta);
  // Deltas of a group grow with every entity that was added or removed. A delta of twice the world's size is
  // useless.
  const bool is_small = delta && raw_.size() <= 2 * icrep::bc1_size(now);
  if (is_small) {
    parts_.keyframe.emplace();
    parts_.keyframe->baseline_tick = group_->full().core.tick;
  } else if (delta || delta.error().code == error_code::unsupported_operation) {
    // A delta cannot express it: a player, a cell or a singleton was removed, or a group begins.
    take_full(std::move(now), hash);
  } else {
    refuse_keyframe(false, entities, 0);
  }
}

// For games without hashes.
void match_encoder::take_hash(std::uint64_t tick, const icrep::sim_core_snapshot& core) {
  hashed_tick_ = tick;
  made_hash_ = icrep::core_hash(core);
}

void match_encoder::take_full(icrep::sim_snapshot now, const icrep::digest& hash) {
  drop_base();
  const std::size_t entities = now.core.entities.size();
  // Readers would reject it.
  if (entities > icrep::limits{}.entities) return refuse_keyframe(false, entities, 0);
  raw_ = icrep::to_bytes(now);
  if (chain_) {
    if (!icrep::validate(now.core) || !slots_.validate(now.core)) return lose_keyframe(false);
    chain_->begin(std::move(now));
  } else {
    auto group = icrep::delta_group::begin(std::move(now), hash, slots_);
    if (!group) return lose_keyframe(false);
    group_ = std::move(*group);
  }
  parts_.keyframe.emplace().full = true;
}

void match_encoder::drop_base() noexcept {
  group_.reset();
  if (chain_) chain_->drop();
}

void match_encoder::lose_keyframe(bool was_full) {
  // Links of a chain depend on each other, deltas on the full keyframe.
  if (was_full || chain_) drop_base();
  parts_.keyframe.reset();
  match_status::count(talk_->by_writer.keyframes);
  if (wants_next_part_) talk_->requests.fetch_or(match_status::keyframe_wanted, std::memory_order_relaxed);
}

// A keyframe beyond the readers' limits, by its entities or its bytes.
void match_encoder::refuse_keyframe(bool was_full, std::size_t entities, std::size_t bytes) {
  lose_keyframe(was_full);
  if (entities > icrep::limits{}.entities) {
    talk_->crowd.store(static_cast<std::int64_t>(entities), std::memory_order_relaxed);
  } else if (bytes != 0) {
    talk_->crowd.store(-static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  } else {
    return;
  }
  refused_ = talk_->too_large();
}

}  // namespace tickreel::game
