// replay.attributes.events: the settings of the lobby's controls, for the game and for each player.
//
//   header  4 bytes before base build 17326; later u8 source, u32 map namespace
//   u32     count, then so many of
//           u32 namespace, u32 id, u8 scope, 4 x u8 value, last letter first, filled up with 0
// Little-endian. Not in the beta.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

// Lower scopes are player numbers.
inline constexpr std::uint8_t game_scope = 16;

// Some of the ids of the game's own namespace, 999.
enum class attribute_id : std::uint32_t {
  controller = 500,   // "Humn", "Comp", "Open", "Clsd"
  game_type = 2000,   // "t2", ...
  teams = 2001,       // "1v1"
  game_speed = 3000,  // "Slor", "Slow", "Norm", "Fast", "Fasr"
  race = 3001,        // as chosen: "Terr", "Zerg", "Prot", "RAND"
  color = 3002,       // "tc01"
  handicap = 3003,    // " 100"
  game_mode = 3009,   // "Amm" for matched games, "Priv", "Pub", or nothing
};

struct attribute {
  std::uint32_t name_space = 999;
  std::uint32_t id = 0;
  std::uint8_t scope = game_scope;
  std::string value;  // at most 4 bytes
  bool operator==(const attribute&) const = default;
};

struct attributes {
  byte_vector header;  // 4 or 5 bytes, unchanged
  std::vector<attribute> list;

  // Empty if there is no such attribute.
  [[nodiscard]] std::string_view value(attribute_id id, std::uint8_t scope = game_scope) const noexcept;
  bool operator==(const attributes&) const = default;
};

result<attributes> read_attributes(byte_span bytes, std::uint32_t base_build);

// invalid_argument if the header has another size than in that build, or a value more than 4 bytes.
result<byte_vector> write_attributes(const attributes& what, std::uint32_t base_build);

}  // namespace tickreel::sc2replay
