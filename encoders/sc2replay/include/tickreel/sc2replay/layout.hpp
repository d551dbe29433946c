// What stands in the bit-packed streams of a replay: for each event, message or member and each base build,
// a list of operations that one interpreter (interpret.hpp) follows to read or write it.
//
// The lists are made when the project is built, from encoders/sc2replay/layouts/bit_packed.txt.
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
  blob,           // a count of `bits` bits, a byte border, so many bytes
  bytes,          // a byte border, `bits` bytes
  bit_array,      // a count of `bits` bits, so many bits
  nothing,
  structure,    // the next `size` operations
  optional,     // one bit: whether the next `size` operations follow
  array,        // a count of `bits` bits: how often the next `size` operations follow
  choice,       // a number of `bits` bits: which of the alternatives among the next `size` operations follows
  alternative,  // number `extra` of a choice: the next `size` operations
};

struct layout_op {
  static constexpr std::uint16_t no_name = 0xFFFF;
  static constexpr std::uint8_t no_slot = 0xFF;

  layout_kind kind = layout_kind::nothing;
  std::uint8_t bits = 0;
  // Where a game event or message keeps the value, see game_event::slot().
  std::uint8_t slot = no_slot;
  std::uint8_t extra = 0;
  // Of a field; what an optional or array holds has none of its own.
  std::uint16_t name = no_name;
  // How many of the operations behind this one belong to it.
  std::uint16_t size = 0;
};

struct layout {
  std::string_view name;  // of the event, "camera_update"
  std::uint8_t id = 0;    // 0 where a stream is one thing
  std::uint32_t first_base_build = 0;
  std::uint32_t end_base_build = 0;  // not included
  std::span<const layout_op> ops;
};

// Ascending by id, then by build. Static storage.
[[nodiscard]] std::span<const layout> layouts(layout_stream stream) noexcept;

// Null when no such thing is known to that build.
[[nodiscard]] const layout* find_layout(layout_stream stream, std::uint8_t id,
                                        std::uint32_t base_build) noexcept;

// Of a field in snake_case, "unit_link"; empty for no_name. Static storage.
[[nodiscard]] std::string_view field_name(const layout_op& op) noexcept;

}  // namespace tickreel::sc2replay
