// The layouts of a replay's bit-packed streams: for each event, message or member and each base build,
// a list of operations that one interpreter (interpret.hpp) executes to read or write it.
//
// The lists are generated from encoders/sc2replay/layouts/bit_packed.txt when the project is built.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tickreel::sc2replay {

// Base builds up to this one have a published layout. Newer ones are read with the newest layouts, which may
// fail.
inline constexpr std::uint32_t newest_known_base_build = 97425;
inline constexpr std::uint32_t oldest_known_base_build = 13891;

enum class layout_stream : std::uint8_t {
  header,     // before base build 15133; later ones are versioned data
  info,       // replay.info, likewise
  init_data,  // replay.initData
  message,    // replay.message.events
  game,       // replay.game.events
};

enum class layout_kind : std::uint8_t {
  number,         // `bits` wide, unsigned; `extra` is added to it
  signed_number,  // `bits` wide, stored plus 2^(bits - 1)
  flag,           // one bit
  blob,           // a count of `bits` bits, a byte boundary, that many bytes
  bytes,          // a byte boundary, `bits` bytes
  bit_array,      // a count of `bits` bits, that many bits
  nothing,
  structure,    // the next `size` operations
  optional,     // one bit: whether the next `size` operations follow
  array,        // a count of `bits` bits: the number of repetitions of the next `size` operations
  choice,       // a number of `bits` bits: selects one of the alternatives among the next `size` operations
  alternative,  // number `extra` of a choice: the next `size` operations
};

struct layout_op {
  static constexpr std::uint16_t no_name = 0xFFFF;
  static constexpr std::uint8_t no_slot = 0xFF;

  layout_kind kind = layout_kind::nothing;
  std::uint8_t bits = 0;
  // Where a game event or message stores the value, see game_event::slot().
  std::uint8_t slot = no_slot;
  std::uint8_t extra = 0;
  // Of a field; the content of an optional or array has no name.
  std::uint16_t name = no_name;
  // The number of following operations that belong to it.
  std::uint16_t size = 0;
};

struct layout {
  std::string_view name;  // of the event, "camera_update"
  std::uint8_t id = 0;    // 0 for a stream without ids
  std::uint32_t first_base_build = 0;
  std::uint32_t end_base_build = 0;  // not included
  std::span<const layout_op> ops;
};

// Ascending by id, then by build. Static storage.
[[nodiscard]] std::span<const layout> layouts(layout_stream stream) noexcept;

// Null if that build has no such entry.
[[nodiscard]] const layout* find_layout(layout_stream stream, std::uint8_t id,
                                        std::uint32_t base_build) noexcept;

// Of a field in snake_case, "unit_link"; empty for no_name. Static storage.
[[nodiscard]] std::string_view field_name(const layout_op& op) noexcept;

}  // namespace tickreel::sc2replay
