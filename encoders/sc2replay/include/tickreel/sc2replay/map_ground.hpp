// Map files of StarCraft II (.SC2Map, .s2ma): the picture of the ground, and where it lies.
#pragma once

#include <cstdint>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"
#include "tickreel/result.hpp"

namespace tickreel::sc2replay {

struct map_ground {
  // Of the whole map, in map units: lobby::map_size_x and map_size_y of its replays.
  std::uint32_t map_width = 0, map_height = 0;
  // The playable part, in the units of positions in replays.
  std::uint32_t left = 0, bottom = 0, right = 0, top = 0;
  // Its picture: rows from the top, three bytes a pixel: blue, green, red.
  std::uint32_t width = 0, height = 0;
  byte_vector pixels;
};

// The map's minimap ("Minimap.tga"), cut to the playable part, whose edges "MapInfo" states. bad_magic if the file is
// no map, unsupported_version if it has no minimap, or one of a kind that the editor does not write.
result<map_ground> read_map_ground(byte_span file, const mpq::limits& limits = {});
// The same from the two members.
result<map_ground> read_map_ground(byte_span map_info, byte_span minimap);

}  // namespace tickreel::sc2replay
