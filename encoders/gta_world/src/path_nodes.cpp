#include "tickreel/gta_world/path_nodes.hpp"

#include "tickreel/bytes/reader.hpp"

namespace tickreel::gta_world {

namespace {

constexpr std::size_t filler_bytes = 768;
constexpr float units_per_m = 8;

float metres(std::int16_t units) noexcept {
  return static_cast<float>(units) / units_per_m;
}

path_node read_node(byte_reader& from) noexcept {
  path_node node;
  (void)from.bytes(8);
  node.x_m = metres(from.i16());
  node.y_m = metres(from.i16());
  node.z_m = metres(from.i16());
  (void)from.i16();
  node.first_link = from.u16();
  node.area = from.u16();
  node.number = from.u16();
  node.width = from.u8();
  node.type = from.u8();
  node.flags = from.u32();
  return node;
}

navi_node read_navi(byte_reader& from) noexcept {
  navi_node node;
  node.x_m = metres(from.i16());
  node.y_m = metres(from.i16());
  node.area = from.u16();
  node.number = from.u16();
  node.direction_x = static_cast<std::int8_t>(from.u8());
  node.direction_y = static_cast<std::int8_t>(from.u8());
  node.flags = from.u32();
  return node;
}

}  // namespace

result<node_area> read_path_nodes(byte_span file) {
  byte_reader from(file);
  const std::uint32_t nodes = from.u32(), vehicles = from.u32(), people = from.u32();
  const std::uint32_t navi_nodes = from.u32(), links = from.u32();
  if (!from.ok()) return from.failure("path nodes");
  if (nodes > max_nodes || navi_nodes > max_nodes || links > max_links)
    return fail(error_code::over_limit, 0, "an area has at most {} nodes", max_nodes);
  if (std::uint64_t{vehicles} + people != nodes)
    return fail(error_code::malformed, 4, "{} path nodes are not the sum of both kinds", nodes);
  const std::size_t needed = std::size_t{nodes} * path_node::wire_bytes +
                             std::size_t{navi_nodes} * navi_node::wire_bytes + std::size_t{links} * 6 +
                             filler_bytes;
  if (from.remaining() < needed) return fail(error_code::truncated, file.size(), "path nodes");
  node_area area;
  area.vehicle_nodes = vehicles;
  area.nodes.reserve(nodes);
  for (std::uint32_t i = 0; i < nodes; ++i) {
    area.nodes.push_back(read_node(from));
    const path_node& node = area.nodes.back();
    if (node.first_link + node.links() > links && node.links() > 0)
      return fail(error_code::malformed, from.offset(), "path node {} has links that are not there", i);
  }
  area.navi_nodes.reserve(navi_nodes);
  for (std::uint32_t i = 0; i < navi_nodes; ++i) area.navi_nodes.push_back(read_navi(from));
  area.links.resize(links);
  for (node_link& each : area.links) {
    each.area = from.u16();
    each.number = from.u16();
  }
  (void)from.bytes(filler_bytes);
  for (node_link& each : area.links) each.navi = from.u16();
  if (!from.ok()) return from.failure("path nodes");
  return area;
}

}  // namespace tickreel::gta_world
