// Stores the values of an event in its slots.
#pragma once

#include "tickreel/sc2replay/interpret.hpp"

namespace tickreel::sc2replay {

template <class Event>
class slot_sink {
 public:
  slot_sink(Event& out, const std::byte* stream) noexcept : out_(&out), stream_(stream) {}

  void number(const layout_op& op, std::int64_t value) noexcept {
    if (op.slot != layout_op::no_slot) {
      fill(op, value);
    } else if (listing_) {
      out_->list[listed_++] = static_cast<std::uint32_t>(value);
    }
  }
  void blob(const layout_op& op, byte_span bytes) noexcept {
    if (op.slot != layout_op::no_slot) fill(op, (bytes.data() - stream_) << 16 | std::ssize(bytes));
  }
  void bit_array(const layout_op& op, const packed_reader& bits, unsigned count) noexcept {
    // The reader began at a byte boundary; its offset is the byte of the stream.
    if (op.slot == layout_op::no_slot) return;
    fill(op, static_cast<std::int64_t>((bits.offset() * 8 + (bits.bit_position() & 7)) << 16 | count));
  }
  void nothing(const layout_op&) noexcept {}
  void begin_structure(const layout_op&) noexcept {}
  void end_structure(const layout_op&) noexcept {}
  void begin_optional(const layout_op&, bool) noexcept {}
  void end_optional(const layout_op&) noexcept {}
  void begin_array(const layout_op& op, unsigned) noexcept {
    listing_ = op.slot != layout_op::no_slot;
    list_start_ = listed_;
  }
  void end_array(const layout_op& op) noexcept {
    if (listing_)
      fill(op,
           static_cast<std::int64_t>(list_start_) << 16 | static_cast<std::int64_t>(listed_ - list_start_));
    listing_ = false;
  }
  void begin_choice(const layout_op& op, const layout_op& alternative) noexcept {
    if (op.slot != layout_op::no_slot) fill(op, alternative.extra);
  }
  void end_choice(const layout_op&) noexcept {}

 private:
  void fill(const layout_op& op, std::int64_t value) noexcept {
    out_->slots[op.slot] = value;
    out_->filled |= std::uint64_t{1} << op.slot;
  }

  Event* out_;
  const std::byte* stream_;
  std::size_t listed_ = 0;
  std::size_t list_start_ = 0;
  bool listing_ = false;
};

}  // namespace tickreel::sc2replay
