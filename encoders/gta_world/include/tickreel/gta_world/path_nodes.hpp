// The path nodes of GTA San Andreas: NODES0.DAT to NODES63.DAT, one for each square of 750 m, along which the
// game drives its traffic. The GTAMods wiki describes them (https://gtamods.com/wiki/Paths_(GTA_SA)). Only the
// fields that a route needs are stored here.
//
// | size               | section                                                                       |
// | 20                 | u32 nodes, u32 of them for vehicles, u32 for people, u32 navi nodes, u32 links |
// | 28 each            | nodes, those for vehicles first                                                |
// | 14 each            | navi nodes: between two nodes, with the lanes of the road                      |
// | 4 each             | links: u16 area, u16 node, to which a node is joined                           |
// | 768                | filler                                                                         |
// | 2 each             | for each link its navi node: low 10 bits number, high 6 bits area              |
// | 1 each, then flags | lengths of links and flags of crossings, which are not read                    |
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/result.hpp"

namespace tickreel::gta_world {

inline constexpr std::uint32_t max_nodes = 65'536;  // numbers have 16 bits
inline constexpr std::uint32_t max_links = 65'536;

// | offset | type   | field                                              |
// |      0 | u32[2] | address and zero, without a meaning                |
// |      8 | i16[3] | position, eighths of a metre                       |
// |     14 | i16    | 0x7FFE                                             |
// |     16 | u16    | first link                                         |
// |     18 | u16    | area                                               |
// |     20 | u16    | number in the area                                 |
// |     22 | u8     | width, sixteenths of a metre                       |
// |     23 | u8     | type                                               |
// |     24 | u32    | flags: low 4 bits the number of links; bit 7 water |
struct path_node {
  static constexpr std::size_t wire_bytes = 28;
  float x_m = 0, y_m = 0, z_m = 0;
  std::uint16_t first_link = 0;
  std::uint16_t area = 0;
  std::uint16_t number = 0;
  std::uint8_t width = 0;
  std::uint8_t type = 1;
  std::uint32_t flags = 0;

  [[nodiscard]] std::uint32_t links() const noexcept { return flags & 0xF; }
  [[nodiscard]] bool on_water() const noexcept { return (flags & 0x80) != 0; }
};

// | offset | type   | field                                                                          |
// |      0 | i16[2] | position, eighths of a metre                                                   |
// |      4 | u16[2] | area and number of the node that it belongs to, towards which the direction is |
// |      8 | i8[2]  | direction, hundredths                                                          |
// |     10 | u32    | flags: bits 8-10 lanes against the direction, 11-13 lanes along it             |
struct navi_node {
  static constexpr std::size_t wire_bytes = 14;
  float x_m = 0, y_m = 0;
  std::uint16_t area = 0;
  std::uint16_t number = 0;
  std::int8_t direction_x = 0, direction_y = 0;
  std::uint32_t flags = 0;

  [[nodiscard]] std::uint32_t lanes_against() const noexcept { return flags >> 8 & 7; }
  [[nodiscard]] std::uint32_t lanes_along() const noexcept { return flags >> 11 & 7; }
};

struct node_link {
  std::uint16_t area = 0;
  std::uint16_t number = 0;
  std::uint16_t navi = 0;  // low 10 bits number, high 6 bits area
  [[nodiscard]] std::uint16_t navi_number() const noexcept { return navi & 0x3FF; }
  [[nodiscard]] std::uint16_t navi_area() const noexcept { return static_cast<std::uint16_t>(navi >> 10); }
};

struct node_area {
  std::vector<path_node> nodes;  // for vehicles first
  std::uint32_t vehicle_nodes = 0;
  std::vector<navi_node> navi_nodes;
  std::vector<node_link> links;
};

// over_limit above the format's largest number, malformed for contradictory counts or links beyond the list,
// truncated.
result<node_area> read_path_nodes(byte_span file);

}  // namespace tickreel::gta_world
