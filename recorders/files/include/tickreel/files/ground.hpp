// The ground below what a viewer draws of a recording, from the game's own file of the map.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/bytes/span.hpp"
#include "tickreel/files/info.hpp"
#include "tickreel/io/byte_source.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// What a recording states about its map, as in its facts "map_file" and "map_size". Empty: nothing.
struct played_map {
  std::string file;
  std::string size;
};
[[nodiscard]] played_map played_map_of(const summary& of);

struct ground_picture {
  // In map units, which presentation::position_units relates to positions.
  std::uint32_t left = 0, bottom = 0, right = 0, top = 0;
  // Rows from the top, three bytes a pixel: blue, green, red.
  std::uint32_t width = 0, height = 0;
  byte_vector pixels;
  // Why the map may not be the recording's; empty if its file is the one that the recording names. Static text.
  std::string_view doubt;
};

// By the format that has such maps. Fails if the recording states another size than the map's.
result<ground_picture> read_ground(const byte_source& map, const played_map& played);
// Why read_ground() refuses the map, for users; of another size, both sizes.
[[nodiscard]] std::string refusal_text(const error& why, const played_map& played);
// "left bottom right top".
[[nodiscard]] std::string edges_text(const ground_picture& of);
// As a .bmp file, which every browser shows.
[[nodiscard]] std::string bitmap_of(const ground_picture& of);

}  // namespace tickreel::files
