// Interprets a layout: reads its fields and passes them to a sink, or writes the values of a source.
#pragma once

#include "tickreel/bytes/bits.hpp"
#include "tickreel/sc2replay/layout.hpp"

namespace tickreel::sc2replay {

using packed_reader = bit_reader<bit_order::high_first>;
using packed_writer = bit_writer<bit_order::high_first>;

// A sink that ignores everything; derive and hide the functions that you need. Each call passes the
// operation; field_name() is empty for the content of an optional or array.
struct packed_sink {
  void number(const layout_op&, std::int64_t) noexcept {}  // number, signed_number and flag
  void blob(const layout_op&, byte_span) noexcept {}       // blob and bytes, in place
  // `bits` is at the first of `count` bits.
  void bit_array(const layout_op&, packed_reader /*bits*/, unsigned /*count*/) noexcept {}
  void nothing(const layout_op&) noexcept {}
  void begin_structure(const layout_op&) noexcept {}
  void end_structure(const layout_op&) noexcept {}
  void begin_optional(const layout_op&, bool /*present*/) noexcept {}
  void end_optional(const layout_op&) noexcept {}
  void begin_array(const layout_op&, unsigned /*count*/) noexcept {}
  void end_array(const layout_op&) noexcept {}
  void begin_choice(const layout_op&, const layout_op& /*alternative*/) noexcept {}
  void end_choice(const layout_op&) noexcept {}
};

// The alternative `number` of a choice; null if there is none.
[[nodiscard]] inline const layout_op* alternative_of(const layout_op& choice, std::uint64_t number) noexcept {
  const layout_op* const choice_end = &choice + 1 + choice.size;
  for (const layout_op* each = &choice + 1; each != choice_end; each += 1 + each->size) {
    if (each->extra == number) return each;
  }
  return nullptr;
}

// Reads the fields of `ops`. On failure `from` is not ok(), and the sink has received the fields before.
// malformed: a choice has no such alternative.
template <class Sink>
void read_layout(std::span<const layout_op> ops, packed_reader& from, Sink& sink) noexcept;

namespace layout_parts {

template <class Sink>
void read_optional(const layout_op& op, packed_reader& from, Sink& sink) noexcept {
  const bool present = from.flag();
  if (!from.ok()) return;
  sink.begin_optional(op, present);
  if (present) read_layout({&op + 1, op.size}, from, sink);
  if (from.ok()) sink.end_optional(op);
}

template <class Sink>
void read_array(const layout_op& op, packed_reader& from, Sink& sink) noexcept {
  const auto count = static_cast<unsigned>(from.bits(op.bits));
  if (!from.ok()) return;
  sink.begin_array(op, count);
  for (unsigned i = 0; i < count; ++i) {
    read_layout({&op + 1, op.size}, from, sink);
    if (!from.ok()) return;
  }
  sink.end_array(op);
}

template <class Sink>
void read_choice(const layout_op& op, packed_reader& from, Sink& sink) noexcept {
  const std::uint64_t number = from.bits(op.bits);
  if (!from.ok()) return;
  const layout_op* const alternative = alternative_of(op, number);
  if (alternative == nullptr) return from.fail_with(error_code::malformed);
  sink.begin_choice(op, *alternative);
  read_layout({alternative + 1, alternative->size}, from, sink);
  if (from.ok()) sink.end_choice(op);
}

}  // namespace layout_parts

template <class Sink>
void read_layout(std::span<const layout_op> ops, packed_reader& from, Sink& sink) noexcept {
  const layout_op* op = ops.data();
  const layout_op* const end = op + ops.size();
  while (op != end) {
    switch (op->kind) {
      case layout_kind::number: {
        const std::uint64_t value = from.bits(op->bits);
        if (!from.ok()) return;
        sink.number(*op, static_cast<std::int64_t>(value + op->extra));
        break;
      }
      case layout_kind::signed_number: {
        const auto value = static_cast<std::int64_t>(from.bits(op->bits));
        if (!from.ok()) return;
        sink.number(*op, value - (std::int64_t{1} << (op->bits - 1)));
        break;
      }
      case layout_kind::flag: {
        const bool value = from.flag();
        if (!from.ok()) return;
        sink.number(*op, value ? 1 : 0);
        break;
      }
      case layout_kind::blob: {
        const auto size = static_cast<std::size_t>(from.bits(op->bits));
        const byte_span bytes = from.aligned_bytes(size);
        if (!from.ok()) return;
        sink.blob(*op, bytes);
        break;
      }
      case layout_kind::bytes: {
        const byte_span bytes = from.aligned_bytes(op->bits);
        if (!from.ok()) return;
        sink.blob(*op, bytes);
        break;
      }
      case layout_kind::bit_array: {
        const auto count = static_cast<unsigned>(from.bits(op->bits));
        const packed_reader bits = from;
        from.skip_bits(count);
        if (!from.ok()) return;
        sink.bit_array(*op, bits, count);
        break;
      }
      case layout_kind::nothing:
        sink.nothing(*op);
        break;
      case layout_kind::structure:
        sink.begin_structure(*op);
        read_layout({op + 1, op->size}, from, sink);
        if (!from.ok()) return;
        sink.end_structure(*op);
        op += op->size;
        break;
      case layout_kind::optional:
        layout_parts::read_optional(*op, from, sink);
        if (!from.ok()) return;
        op += op->size;
        break;
      case layout_kind::array:
        layout_parts::read_array(*op, from, sink);
        if (!from.ok()) return;
        op += op->size;
        break;
      case layout_kind::choice:
        layout_parts::read_choice(*op, from, sink);
        if (!from.ok()) return;
        op += op->size;
        break;
      case layout_kind::alternative:
        op += op->size;
        break;  // not reached: read by its choice
    }
    ++op;
  }
}

// The inverse. A source supplies values in the order in which a sink receives them:
//   std::int64_t number(op)            number, signed_number and flag
//   byte_span blob(op)                 blob and bytes, of a size that fits
//   unsigned bit_array(op)             how many bits; then bool bit(op) for each of them
//   bool optional(op)                  whether it is present
//   unsigned array(op)                 the number of elements
//   unsigned choice(op)                the number of the alternative
// The writer overflows if there is no space, or if a value does not fit its field.
template <class Source>
void write_layout(std::span<const layout_op> ops, packed_writer& to, Source& source) noexcept {
  const auto fits = [&to](std::uint64_t value, unsigned bits) {
    if (bits < 64 && value >> bits != 0) to.bits(0, 65);
    return to.ok();
  };
  const layout_op* op = ops.data();
  const layout_op* const end = op + ops.size();
  while (op != end && to.ok()) {
    switch (op->kind) {
      case layout_kind::number: {
        const auto value = static_cast<std::uint64_t>(source.number(*op)) - op->extra;
        if (fits(value, op->bits)) to.bits(value, op->bits);
        break;
      }
      case layout_kind::signed_number: {
        const auto value =
            static_cast<std::uint64_t>(source.number(*op)) + (std::uint64_t{1} << (op->bits - 1));
        if (fits(value, op->bits)) to.bits(value, op->bits);
        break;
      }
      case layout_kind::flag:
        to.flag(source.number(*op) != 0);
        break;
      case layout_kind::blob: {
        const byte_span bytes = source.blob(*op);
        if (!fits(bytes.size(), op->bits)) break;
        to.bits(bytes.size(), op->bits);
        to.aligned_bytes(bytes);
        break;
      }
      case layout_kind::bytes: {
        const byte_span bytes = source.blob(*op);
        if (fits(bytes.size() == op->bits ? 0 : 1, 0)) to.aligned_bytes(bytes);
        break;
      }
      case layout_kind::bit_array: {
        const unsigned count = source.bit_array(*op);
        if (!fits(count, op->bits)) break;
        to.bits(count, op->bits);
        for (unsigned i = 0; i < count; ++i) to.flag(source.bit(*op));
        break;
      }
      case layout_kind::nothing:
        break;
      case layout_kind::structure:
        write_layout({op + 1, op->size}, to, source);
        op += op->size;
        break;
      case layout_kind::optional: {
        const bool present = source.optional(*op);
        to.flag(present);
        if (present) write_layout({op + 1, op->size}, to, source);
        op += op->size;
        break;
      }
      case layout_kind::array: {
        const unsigned count = source.array(*op);
        if (!fits(count, op->bits)) break;
        to.bits(count, op->bits);
        for (unsigned i = 0; i < count && to.ok(); ++i) write_layout({op + 1, op->size}, to, source);
        op += op->size;
        break;
      }
      case layout_kind::choice: {
        const unsigned number = source.choice(*op);
        to.bits(number, op->bits);
        const layout_op* const alternative = alternative_of(*op, number);
        if (fits(alternative == nullptr ? 1 : 0, 0)) {
          write_layout({alternative + 1, alternative->size}, to, source);
        }
        op += op->size;
        break;
      }
      case layout_kind::alternative:
        op += op->size;
        break;
    }
    ++op;
  }
}

}  // namespace tickreel::sc2replay
