// A block's members in file order, converted from and to bytes.
#pragma once

#include <string_view>
#include <type_traits>

#include "tickreel/bytes/flatten.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"
#include "tickreel/describe/describe.hpp"

namespace tickreel::samp_rec::detail {

template <class T>
constexpr void read_field(byte_reader& from, T& to) noexcept {
  if constexpr (std::is_arithmetic_v<T>) {
    to = from.little<T>();
  } else {
    visit_fields(to, [&](std::string_view, auto& member) { read_field(from, member); });
  }
}

template <class T>
constexpr void write_field(byte_writer& to, const T& from) noexcept {
  if constexpr (std::is_arithmetic_v<T>) {
    to.little(from);
  } else {
    visit_fields(from, [&](std::string_view, const auto& member) { write_field(to, member); });
  }
}

// Flattened, so that the compiler knows every field's offset and needs no bounds checks; otherwise each field
// is checked, at half the speed. Compilers without the attribute ignore it. One bounds check covers the whole
// block, whose size is a constant.
template <class Block>
TICKREEL_FLATTEN void read_block(byte_reader& from, Block& to) noexcept {
  const byte_span raw = from.bytes(Block::wire_bytes);
  if (raw.empty()) return;
  byte_reader fields(raw.first<Block::wire_bytes>());
  read_field(fields, to);
}

template <class Block>
TICKREEL_FLATTEN void write_block(byte_writer& to, const Block& from) noexcept {
  const mutable_byte_span room = to.reserve(Block::wire_bytes);
  if (room.empty()) return;
  byte_writer fields(room.first<Block::wire_bytes>());
  write_field(fields, from);
}

}  // namespace tickreel::samp_rec::detail
