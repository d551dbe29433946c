#include "tickreel/npc/roads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <unordered_map>

#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/io/folder.hpp"
#include "tickreel/io/whole_file.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

// The width of a lane of the game's roads.
constexpr double lane_m = 5;
// The search radius for a road.
constexpr double reach_m = 300;
// The largest file that the counts of the format allow.
constexpr std::uint64_t max_file_bytes = 8u << 20;

std::uint32_t key_of(std::uint16_t area, std::uint16_t number) noexcept {
  return std::uint32_t{area} << 16 | number;
}

// Lanes in the direction of travel and opposite to it.
struct lanes {
  std::uint32_t mine = 1;
  std::uint32_t others = 1;
};

// The middle of the innermost own lane: right of the centre line with oncoming traffic, and in the middle of
// the road without.
double right_of_line(const lanes& of) noexcept {
  return of.others > 0 ? lane_m / 2 : 0;
}

// Sharper than any crossing of streets: a vehicle would have to turn on the spot.
bool turns_round(vec3 before, vec3 after) noexcept {
  constexpr double sharpest_deg = 140;
  if (horizontal_length(before) < 1e-6 || horizontal_length(after) < 1e-6) return false;
  return std::abs(wrap_degrees(heading_of(after) - heading_of(before))) > sharpest_deg;
}

}  // namespace

road_network::road_network(const std::vector<gta_world::node_area>& areas) {
  std::unordered_map<std::uint32_t, std::uint32_t> index;
  std::unordered_map<std::uint16_t, const gta_world::node_area*> by_number;
  for (const auto& area : areas) {
    for (std::uint32_t i = 0; i < area.vehicle_nodes; ++i) {
      const gta_world::path_node& each = area.nodes[i];
      index.emplace(key_of(each.area, each.number), static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back({{each.x_m, each.y_m, each.z_m}, each.on_water(), 0, 0});
    }
    if (!area.nodes.empty()) by_number[area.nodes.front().area] = &area;
  }
  std::uint32_t next = 0;
  for (const auto& area : areas) {
    for (std::uint32_t i = 0; i < area.vehicle_nodes; ++i, ++next) {
      const gta_world::path_node& from = area.nodes[i];
      nodes_[next].first_edge = static_cast<std::uint32_t>(edges_.size());
      for (std::uint32_t link = 0; link < from.links(); ++link) {
        const gta_world::node_link& joined = area.links[from.first_link + link];
        const auto to = index.find(key_of(joined.area, joined.number));
        if (to == index.end() || to->second == next) continue;
        lanes of;
        const auto navi_area = by_number.find(joined.navi_area());
        if (navi_area != by_number.end() && joined.navi_number() < navi_area->second->navi_nodes.size()) {
          const gta_world::navi_node& navi = navi_area->second->navi_nodes[joined.navi_number()];
          const vec3 way = nodes_[to->second].at - nodes_[next].at;
          const bool along = navi.direction_x * way.x + navi.direction_y * way.y >= 0;
          of.mine = along ? navi.lanes_along() : navi.lanes_against();
          of.others = along ? navi.lanes_against() : navi.lanes_along();
        }
        // A road without a lane in this direction is one-way.
        if (of.mine == 0 && of.others > 0) continue;
        edges_.push_back(
            {next, to->second, distance(nodes_[next].at, nodes_[to->second].at), right_of_line(of)});
        ++nodes_[next].edges;
      }
    }
  }
}

std::optional<std::uint32_t> road_network::nearest(vec3 to, bool on_water,
                                                   std::optional<double> heading_deg) const {
  std::optional<std::uint32_t> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].water != on_water || nodes_[i].edges == 0) continue;
    const vec3 way = nodes_[i].at - to;
    double far = length(way);
    if (far > reach_m) continue;
    // The detour that a U-turn is worth.
    constexpr double detour_m = 60;
    if (heading_deg && dot(way, direction_of(*heading_deg)) < 0) far += detour_m;
    if (far < least) {
      least = far;
      found = i;
    }
  }
  return found;
}

// A* over edges rather than nodes, because the successors of an edge depend on its origin.
std::vector<road_network::stop> road_network::cheapest_way(const route_request& what, std::uint32_t begin,
                                                           std::uint32_t end) const {
  if (begin == end) return {{begin, 0}};
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<double> gone(edges_.size(), std::numeric_limits<double>::infinity());
  std::vector<std::uint32_t> came_by(edges_.size(), none);
  using candidate = std::pair<double, std::uint32_t>;
  std::priority_queue<candidate, std::vector<candidate>, std::greater<>> open;
  const auto take = [&](std::uint32_t at, double before_m, std::uint32_t by) {
    const double there = before_m + edges_[at].length_m;
    if (nodes_[edges_[at].to].water != what.on_water || there >= gone[at]) return;
    gone[at] = there;
    came_by[at] = by;
    open.emplace(there + distance(nodes_[edges_[at].to].at, nodes_[end].at), at);
  };
  const node& first = nodes_[begin];
  // The vehicle's direction at the first node, if it has a heading and the node is not behind it.
  vec3 ahead;
  if (what.heading_deg) {
    constexpr double near_m = 12;
    const vec3 to_first = first.at - what.from;
    const vec3 facing = direction_of(*what.heading_deg);
    if (dot(to_first, facing) >= 0) ahead = horizontal_length(to_first) > near_m ? to_first : facing;
  }
  bool has_way_on = false;
  for (const bool any : {false, true}) {
    if (has_way_on) break;
    for (std::uint32_t i = first.first_edge; i < first.first_edge + first.edges; ++i) {
      if (!any && turns_round(ahead, nodes_[edges_[i].to].at - first.at)) continue;
      has_way_on = true;
      take(i, 0, none);
    }
  }
  std::uint32_t last = none;
  while (!open.empty() && last == none) {
    const auto [estimate, by] = open.top();
    open.pop();
    const node& at = nodes_[edges_[by].to];
    if (estimate > gone[by] + distance(at.at, nodes_[end].at) + 1e-6) continue;
    if (edges_[by].to == end) last = by;
    const vec3 came = at.at - nodes_[edges_[by].from].at;
    for (std::uint32_t i = at.first_edge; i < at.first_edge + at.edges; ++i) {
      if (edges_[i].to != edges_[by].from && !turns_round(came, nodes_[edges_[i].to].at - at.at))
        take(i, gone[by], by);
    }
  }
  std::vector<stop> way;
  for (std::uint32_t by = last; by != none; by = came_by[by])
    way.push_back({edges_[by].to, edges_[by].right_m});
  if (way.empty()) return {};
  way.push_back({begin, way.back().right_m});
  std::reverse(way.begin(), way.end());
  return way;
}

tl::expected<std::vector<vec3>, std::string> road_network::route(const route_request& what) const {
  const auto refuse = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
  const char* kind = what.on_water ? "waterway" : "road";
  const auto begin = nearest(what.from, what.on_water, what.heading_deg);
  if (!begin) return refuse(fmt::format("no {} is within {} m of the start", kind, reach_m));
  const auto end = nearest(what.to, what.on_water, std::nullopt);
  if (!end) return refuse(fmt::format("no {} is within {} m of the target", kind, reach_m));
  const auto way = cheapest_way(what, *begin, *end);
  if (way.empty()) {
    return refuse(
        fmt::format("no {} leads there without turning round where there is no room: start at a "
                    "place from which one leads there, or ask for a target on the other side",
                    kind));
  }
  std::vector<vec3> places;
  for (std::size_t i = 0; i < way.size(); ++i) {
    const vec3 here = nodes_[way[i].node].at;
    const vec3 before = i > 0 ? nodes_[way[i - 1].node].at : here;
    const vec3 after = i + 1 < way.size() ? nodes_[way[i + 1].node].at : here;
    vec3 ahead = after - before;
    ahead.z = 0;
    const double size = length(ahead);
    const double off_m = way[i].right_m;
    vec3 place = here + vec3{0, 0, what.on_water ? 0 : what.above_m};
    if (size > 1e-6) place = place + vec3{ahead.y, -ahead.x, 0} * (off_m / size);
    places.push_back(place);
  }
  return places;
}

namespace {

// "nodes12.dat", ignoring case.
bool is_node_file(const std::string& name) {
  const std::string lower = text::to_lower(name);
  if (!lower.starts_with("nodes") || !lower.ends_with(".dat") || lower.size() < 10 || lower.size() > 11)
    return false;
  return std::all_of(lower.begin() + 5, lower.end() - 4, text::is_digit);
}

std::vector<std::filesystem::path> node_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  (void)visit_folder(folder, [&](const folder_entry& entry) {
    if (is_node_file(entry.name)) files.push_back(filesystem_path(entry.path));
    return true;
  });
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

tl::expected<road_network, roads_problem> read_roads(const file_path& folder) {
  const std::filesystem::path at = filesystem_path(folder);
  std::vector<std::filesystem::path> files = node_files(at);
  for (const char* inside : {"data/Paths", "data/paths", "Data/Paths", "DATA/PATHS"}) {
    if (files.empty()) files = node_files(at / inside);
  }
  const auto refuse = [](const file_path& file, const error& why) {
    return tl::unexpected<roads_problem>(roads_problem{file, why});
  };
  if (files.empty()) {
    return refuse(folder, fail(error_code::not_found, error::no_offset,
                               "no NODES*.DAT in this folder or its data/Paths")
                              .value());
  }
  std::vector<gta_world::node_area> areas;
  for (const auto& each : files) {
    const auto bytes = read_whole_file(file_path(each), max_file_bytes);
    if (!bytes) return refuse(file_path(each), bytes.error());
    auto area = gta_world::read_path_nodes(*bytes);
    if (!area) return refuse(file_path(each), area.error());
    areas.push_back(std::move(*area));
  }
  return road_network(areas);
}

}  // namespace tickreel::npc
