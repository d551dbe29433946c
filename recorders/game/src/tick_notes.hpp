// The message of the game's thread to the writer about a tick: a head and notes, in memory only.
//
//   head        u64 state hash, u8 flags
//   entity      u16 index, u16 generation, u32 archetype or no_archetype
//   component   u8 slot, u32 length, bytes; of the entity before
//   remove      u16 index, u16 generation
//   player      u32 player, u8 slot, u32 length, bytes
//   singleton   u8 slot, u32 length, bytes
//   generator   u32 length, bytes
//   cell        i32 x, y, z, u32 terrain, i32 amount
//   text        u32 length, bytes: the next interned text
//   order       u32 player, u32 sub-tick time, u16 type, u32 length, bytes
//   event       u32 length, BC1 of the event
//   voice       u32 length, BC1 of the voice record
//   described   u32 length, JSON: the layout of an order or of a custom event
//
// All but the last four belong to the tick's keyframe.
#pragma once

#include <cstdint>
#include <limits>

#include "tickreel/bytes/reader.hpp"
#include "tickreel/record/item_ring.hpp"

namespace tickreel::game {

enum class note : std::uint8_t {
  entity,
  component,
  remove,
  player,
  singleton,
  generator,
  cell,
  text,
  order,
  event,
  voice,
  described,
};
[[nodiscard]] inline bool is_of_keyframe(note kind) noexcept {
  return kind < note::order;
}
[[nodiscard]] inline bool is_record(note kind) noexcept {
  return kind >= note::event;
}

enum tick_flags : std::uint8_t {
  has_keyframe = 1,
  whole_world = 2,  // the notes mention the whole world
  no_tick = 4,      // events and voice that came before the first tick
};
inline constexpr std::size_t tick_head_bytes = 9;

inline constexpr std::uint32_t no_archetype = std::numeric_limits<std::uint32_t>::max();

// Skips the note whose kind has been read.
void skip_note(note kind, byte_reader& in) noexcept;
// Keeps the head and the notes for which `keep(kind)` is true.
template <class Keep>
void keep_notes(item_buffer& notes, Keep&& keep) noexcept {
  byte_reader in(notes.bytes());
  in.skip(tick_head_bytes);
  std::size_t kept = tick_head_bytes;
  while (in.ok() && !in.at_end()) {
    const std::size_t start = in.position();
    const auto kind = static_cast<note>(in.u8());
    skip_note(kind, in);
    if (!keep(kind)) continue;
    const std::size_t bytes = in.position() - start;
    std::memmove(notes.data() + kept, notes.data() + start, bytes);
    kept += bytes;
  }
  notes.shrink(kept);
}

}  // namespace tickreel::game
