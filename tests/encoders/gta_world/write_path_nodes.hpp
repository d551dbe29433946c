// Writes path nodes. Fields that are not stored get the values of the game's files.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "tickreel/bytes/writer.hpp"
#include "tickreel/gta_world/path_nodes.hpp"

namespace tickreel::test {

using namespace tickreel::gta_world;

inline std::int16_t units(float metres) noexcept {
  return static_cast<std::int16_t>(std::lround(metres * 8));
}

inline void write_node(byte_writer& to, const path_node& node) noexcept {
  to.u32(0);
  to.u32(0);
  to.i16(units(node.x_m));
  to.i16(units(node.y_m));
  to.i16(units(node.z_m));
  to.i16(0x7FFE);
  to.u16(node.first_link);
  to.u16(node.area);
  to.u16(node.number);
  to.u8(node.width);
  to.u8(node.type);
  to.u32(node.flags);
}

inline void write_navi(byte_writer& to, const navi_node& node) noexcept {
  to.i16(units(node.x_m));
  to.i16(units(node.y_m));
  to.u16(node.area);
  to.u16(node.number);
  to.u8(static_cast<std::uint8_t>(node.direction_x));
  to.u8(static_cast<std::uint8_t>(node.direction_y));
  to.u32(node.flags);
}

inline byte_vector write_path_nodes(const node_area& area) {
  constexpr std::size_t header_bytes = 20, filler_bytes = 768, end_bytes = 192;
  byte_vector bytes(header_bytes + area.nodes.size() * path_node::wire_bytes +
                    area.navi_nodes.size() * navi_node::wire_bytes + area.links.size() * 8 + filler_bytes +
                    end_bytes);
  byte_writer to(bytes);
  to.u32(static_cast<std::uint32_t>(area.nodes.size()));
  to.u32(area.vehicle_nodes);
  to.u32(static_cast<std::uint32_t>(area.nodes.size()) - area.vehicle_nodes);
  to.u32(static_cast<std::uint32_t>(area.navi_nodes.size()));
  to.u32(static_cast<std::uint32_t>(area.links.size()));
  for (const path_node& each : area.nodes) write_node(to, each);
  for (const navi_node& each : area.navi_nodes) write_navi(to, each);
  for (const node_link& each : area.links) {
    to.u16(each.area);
    to.u16(each.number);
  }
  for (std::size_t i = 0; i < filler_bytes / 4; ++i) to.u32(0x0000FFFF);
  for (const node_link& each : area.links) to.u16(each.navi);
  return bytes;  // lengths, flags and the end are zeros
}

}  // namespace tickreel::test
