#include <algorithm>

#include "reader_state.hpp"
#include "tickreel/icrep/bc1.hpp"

namespace tickreel::icrep {

namespace {

// The exclusive upper bound of the block's ticks: the start of the next block.
std::uint64_t end_tick_of(std::span<const block> blocks, std::size_t number,
                          std::uint64_t end_tick) noexcept {
  const std::uint64_t first = blocks[number].head.first_tick;
  return std::max(first, number + 1 < blocks.size() ? blocks[number + 1].head.first_tick : end_tick);
}

}  // namespace

order_cursor::order_cursor(const reader_state& owner, std::uint64_t first_tick, std::uint64_t end_tick)
    : owner_(&owner), next_tick_(first_tick), end_tick_(end_tick) {
  const std::span<const block> blocks = owner.orders.blocks;
  const auto later =
      std::ranges::upper_bound(blocks, first_tick, {}, [](const block& one) { return one.head.first_tick; });
  block_ = static_cast<std::size_t>(later - blocks.begin());
  if (block_ != 0) --block_;
  for (const stream_damage& damage : owner.orders.damage) {
    if (damage.first_tick < end_tick && damage.end_tick > first_tick) damage_.push_back(damage);
  }
}

bool order_cursor::open_next() {
  const std::span<const block> blocks = owner_->orders.blocks;
  if (block_ >= blocks.size() || blocks[block_].head.first_tick >= end_tick_) return false;
  const block& opened = blocks[block_++];
  used_ = 0;
  frames_left_ = 0;
  content_ = {};
  if (const auto content = open_block(opened, buffer_)) {
    content_ = *content;
    frames_left_ = opened.head.count;
  } else {
    give_up(content.error(), opened.head.first_tick);
  }
  return true;
}

// The rest of the block is lost, because frames are not preceded by their length.
void order_cursor::give_up(const error& what, std::uint64_t first_lost_tick) {
  const std::uint64_t end = end_tick_of(owner_->orders.blocks, block_ - 1, owner_->total_ticks);
  damage_.push_back({what, first_lost_tick, std::max(first_lost_tick, end)});
  content_ = {};
  used_ = 0;
  frames_left_ = 0;
}

bool order_cursor::next(tick_frame& out) {
  while (true) {
    if (used_ == content_.size()) {
      if (frames_left_ != 0) {
        const block& opened = owner_->orders.blocks[block_ - 1];
        give_up({error_code::malformed,
                 opened.offset,
                 "an order block with {} frame{s} too few",
                 {frames_left_, 0}},
                std::max(next_tick_, opened.head.first_tick));
      }
      if (!open_next()) return false;
      continue;
    }
    const block& opened = owner_->orders.blocks[block_ - 1];
    bc1_reader in(content_.subspan(used_), owner_->options.most, opened.offset);
    in.read(out);
    if (in.ok() && (frames_left_ == 0 || out.tick < opened.head.first_tick)) {
      in.refuse(error_code::malformed, "a frame of tick {u} that its block does not announce", out.tick);
    }
    if (!in.ok()) {
      give_up(in.failure().value(), std::max(next_tick_, opened.head.first_tick));
      continue;
    }
    used_ += in.position();
    --frames_left_;
    if (out.tick >= end_tick_) return false;
    // Before the first requested one, or not later than the last returned one.
    if (out.tick < next_tick_) continue;
    next_tick_ = out.tick + 1;
    sort_orders(out);
    return true;
  }
}

std::uint64_t end_of_orders(const block_index& orders, const limits& most) {
  for (auto last = orders.blocks.rbegin(); last != orders.blocks.rend(); ++last) {
    byte_vector buffer;
    const auto content = open_block(*last, buffer);
    if (!content) continue;
    std::uint64_t end = 0;
    bc1_reader in(*content, most);
    tick_frame frame;
    while (in.ok() && !in.at_end()) {
      in.read(frame);
      if (in.ok()) end = std::max(end, frame.tick + 1);
    }
    if (end != 0) return end;
  }
  return 0;
}

void record_cursor::lose_block(const error& what) {
  const std::size_t number = block_ - 1;
  damage_.push_back({what, blocks_[number].head.first_tick, end_tick_of(blocks_, number, end_tick_)});
  content_ = {};
  used_ = 0;
}

void record_cursor::give_up(const error& what) {
  lose_block(what);
}

bool record_cursor::next(byte_span& record, std::uint64_t& offset) {
  while (true) {
    if (used_ == content_.size()) {
      if (block_ == blocks_.size()) return false;
      const block& opened = blocks_[block_++];
      used_ = 0;
      content_ = {};
      if (filter_.ends_before(opened.head.first_tick)) continue;
      if (const auto content = open_block(opened, buffer_)) {
        content_ = *content;
      } else {
        lose_block(content.error());
      }
      continue;
    }
    const block& opened = blocks_[block_ - 1];
    byte_reader in(content_.subspan(used_), opened.offset);
    record = in.bytes(in.u32());
    if (!in.ok()) {
      lose_block(in.failure("a record that ends outside its block").value());
      continue;
    }
    used_ += in.position();
    offset = opened.offset;
    return true;
  }
}

bool event_cursor::next(event_record& out) {
  while (records_.next(out.bytes, out.offset)) {
    // Type and tick come first, so other events are not decoded.
    byte_reader head(out.bytes, out.offset);
    out.type = head.u32();
    out.tick = head.u64();
    if (!head.ok()) {
      records_.give_up(head.failure("an event without type and tick").value());
      continue;
    }
    // Ticks of a damaged file may fall.
    const event_filter& filter = records_.filter_;
    if (out.tick < filter.first_tick || filter.ends_before(out.tick)) continue;
    if (out.type >= analysis::type_count || (filter.types >> out.type & 1u) != 0) return true;
  }
  return false;
}

bool event_cursor::next(analysis::event& out) {
  event_record record;
  while (next(record)) {
    if (record.type >= analysis::type_count) {
      if (record.type < first_game_event_type) ++unknown_;
      continue;
    }
    auto found = read_event(record.bytes, limits_, record.offset);
    if (!found) {
      // Its length is known, so the following records are not lost.
      records_.damage_.push_back({found.error(), record.tick, record.tick + 1});
      continue;
    }
    const auto& player = records_.filter_.player;
    if (player && !analysis::concerns(**found, *player)) continue;
    out = std::move(**found);
    out.derived = is_derived(record.type);
    return true;
  }
  return false;
}

}  // namespace tickreel::icrep
