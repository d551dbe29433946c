// What the game's thread tells the writer about a keyframe: notes one after the other, in memory only.
//
//   entity      u16 index, u16 generation, u32 archetype or no_archetype
//   component   u8 slot, u32 length, bytes; of the entity before
//   remove      u16 index, u16 generation
//   player      u32 player, u8 slot, u32 length, bytes
//   singleton   u8 slot, u32 length, bytes
//   generator   u32 length, bytes
//   cell        i32 x, y, z, u32 terrain, i32 amount
//   text        u32 length, bytes: the next interned text
#pragma once

#include <cstdint>
#include <limits>

#include "tickreel/bytes/endian.hpp"

namespace tickreel::game {

enum class note : std::uint8_t { entity, component, remove, player, singleton, generator, cell, text };

inline constexpr std::uint32_t no_archetype = std::numeric_limits<std::uint32_t>::max();

// Puts numbers behind each other; allocates only when the capacity is used up.
template <class... Number>
void append_numbers(byte_vector& out, Number... numbers) {
  std::size_t at = out.size();
  out.resize(at + (sizeof(Number) + ...));
  ((detail::store<std::endian::little>(out.data() + at, numbers), at += sizeof(Number)), ...);
}
inline void append_bytes(byte_vector& out, byte_span bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace tickreel::game
