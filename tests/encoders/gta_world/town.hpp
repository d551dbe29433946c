// A generated town: crossings on a grid, two-way streets between them, as path nodes in their areas.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "tickreel/gta_world/path_nodes.hpp"

namespace tickreel::test {

using namespace tickreel::gta_world;

inline std::uint16_t area_at(double x, double y) {
  const auto part = [](double at) { return static_cast<std::uint16_t>(std::floor((at + 3000) / 750)); };
  return static_cast<std::uint16_t>(part(y) * 8 + part(x));
}

// Crossings from -reach to reach, every `step` metres. If `one_way` is true for the line y = 0, it leads east only.
inline std::vector<node_area> town(double reach = 300, double step = 100, float z = 3, bool one_way = false) {
  const auto side = static_cast<std::size_t>(2 * reach / step) + 1;
  struct place {
    std::uint16_t area, number;
  };
  std::map<std::uint16_t, node_area> areas;
  std::vector<place> places;
  const auto x_of = [&](std::size_t i) { return -reach + step * static_cast<double>(i % side); };
  const auto y_of = [&](std::size_t i) { return -reach + step * static_cast<double>(i / side); };
  for (std::size_t i = 0; i < side * side; ++i) {
    const std::uint16_t area = area_at(x_of(i), y_of(i));
    auto& nodes = areas[area].nodes;
    path_node node;
    node.x_m = static_cast<float>(x_of(i));
    node.y_m = static_cast<float>(y_of(i));
    node.z_m = z;
    node.area = area;
    node.number = static_cast<std::uint16_t>(nodes.size());
    places.push_back({area, node.number});
    nodes.push_back(node);
  }
  // A navi node in the area of the street's first end, towards its second end; both links share it.
  std::map<std::pair<std::size_t, std::size_t>, std::uint16_t> navi_of;
  const auto navi = [&](std::size_t a, std::size_t b) {
    const std::pair<std::size_t, std::size_t> ends = std::minmax(a, b);
    if (const auto known = navi_of.find(ends); known != navi_of.end()) return known->second;
    node_area& in = areas[places[ends.first].area];
    navi_node one;
    one.x_m = static_cast<float>((x_of(a) + x_of(b)) / 2);
    one.y_m = static_cast<float>((y_of(a) + y_of(b)) / 2);
    one.area = places[ends.second].area;
    one.number = places[ends.second].number;
    one.direction_x = x_of(a) != x_of(b) ? 100 : 0;
    one.direction_y = y_of(a) != y_of(b) ? 100 : 0;
    const bool single = one_way && y_of(a) == 0 && y_of(b) == 0;
    one.flags = (single ? 0u : 1u << 8) | 1u << 11;
    in.navi_nodes.push_back(one);
    const auto made =
        static_cast<std::uint16_t>(std::size_t{places[ends.first].area} << 10 | (in.navi_nodes.size() - 1));
    navi_of[ends] = made;
    return made;
  };
  for (std::size_t i = 0; i < side * side; ++i) {
    node_area& in = areas[places[i].area];
    path_node& node = in.nodes[places[i].number];
    node.first_link = static_cast<std::uint16_t>(in.links.size());
    std::uint32_t count = 0;
    const auto join = [&](std::size_t other) {
      areas[places[i].area].links.push_back({places[other].area, places[other].number, navi(i, other)});
      ++count;
    };
    if (i % side > 0) join(i - 1);
    if (i % side + 1 < side) join(i + 1);
    if (i >= side) join(i - side);
    if (i + side < side * side) join(i + side);
    areas[places[i].area].nodes[places[i].number].flags = count;
  }
  std::vector<node_area> all;
  for (auto& [number, area] : areas) {
    area.vehicle_nodes = static_cast<std::uint32_t>(area.nodes.size());
    all.push_back(std::move(area));
  }
  return all;
}

}  // namespace tickreel::test
