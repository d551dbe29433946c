// Iterates over the content of blocks: frames of orders, records of events and voice. Writes items of other files.
#pragma once

#include <span>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/block.hpp"
#include "tickreel/icrep/order.hpp"

namespace tickreel::icrep {

struct block_item {
  const block* from = nullptr;
  std::uint64_t tick = 0;
  byte_span bytes;           // including a record's length; valid until the next item
  std::uint32_t number = 0;  // in its block
  bool last = false;         // of its block
};

class item_measure {
 public:
  item_measure(block_kind kind, const limits& most) noexcept : kind_(kind), most_(most) {}

  // The size and the tick of the first item of `rest`.
  result<std::size_t> measure(byte_span rest, std::uint64_t offset) {
    return kind_ == block_kind::orders ? frame(rest, offset) : record(rest, offset);
  }
  [[nodiscard]] std::uint64_t tick() const noexcept { return tick_; }

 private:
  result<std::size_t> frame(byte_span rest, std::uint64_t offset) {
    bc1_reader in(rest, most_, offset);
    in.read(frame_);
    if (!in.ok()) return in.failure();
    tick_ = frame_.tick;
    return in.position();
  }
  // Records consist of their length, a type or player, and their tick. Voice tracks have no tick.
  result<std::size_t> record(byte_span rest, std::uint64_t offset) {
    byte_reader in(rest, offset);
    byte_reader content(in.bytes(in.u32()));
    if (!in.ok()) return in.failure("a record that ends outside its block");
    content.skip(sizeof(std::uint32_t));
    const std::uint64_t tick = content.u64();
    if (content.ok()) tick_ = tick;
    return in.position();
  }

  block_kind kind_;
  const limits& most_;
  tick_frame frame_;
  std::uint64_t tick_ = 0;
};

// each(const block_item&), result<void>. Stops at the first failure.
template <class Each>
result<void> for_each_item(std::span<const block> blocks, block_kind kind, const limits& most, Each&& each) {
  item_measure items(kind, most);
  byte_vector buffer;
  for (const block& one : blocks) {
    const auto content = open_block(one, buffer);
    if (!content) return fail(content.error());
    byte_span rest = *content;
    for (std::uint32_t number = 0; !rest.empty(); ++number) {
      const auto size = items.measure(rest, one.offset);
      if (!size) return fail(size.error());
      const block_item item{&one, items.tick(), rest.first(*size), number, *size == rest.size()};
      if (auto done = each(item); !done) return done;
      rest = rest.subspan(*size);
    }
  }
  return {};
}

// Falling ticks are damage of the file that the item is from.
inline result<void> add_in_order(block_stream_writer& writer, std::uint64_t tick, byte_span item,
                                 std::uint64_t offset, byte_vector& out) {
  auto added = writer.add(tick, item, out);
  if (added) return added;
  error what = added.error();
  if (what.code == error_code::invalid_argument) what.code = error_code::malformed;
  what.offset = offset;
  return fail(what);
}

}  // namespace tickreel::icrep
