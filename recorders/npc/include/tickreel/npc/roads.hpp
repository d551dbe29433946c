// The roads of San Andreas, from the path nodes (NODES*.DAT) of an installed game, and routes along them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tickreel/gta_world/path_nodes.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/npc/vec3.hpp"
#include "tickreel/result.hpp"

namespace tickreel::npc {

struct route_request {
  vec3 from;
  std::optional<double> heading_deg;  // places behind it are not a start
  vec3 to;
  bool on_water = false;
  double above_m = 0.5;  // of a vehicle's centre above the road
};

// How a vehicle takes the places of a route.
struct way_bends {
  vec3 from;
  std::optional<double> heading_deg;
  double corner_m = 0;   // the radius of its corners, if there is room
  double turning_m = 0;  // it takes no tighter bend; at most `corner_m`
};
// Legs through the places; places at which a bend would be tighter than the vehicle's turning circle are
// moved or removed. The last place stays. The error is a sentence for users.
[[nodiscard]] tl::expected<std::vector<vec3>, std::string> without_tight_bends(std::vector<vec3> places,
                                                                               const way_bends& how);

// Immutable; safe for several threads.
class road_network {
 public:
  // Areas in any order, by their nodes' own numbers. Links to missing areas are ignored.
  explicit road_network(const std::vector<gta_world::node_area>& areas);

  // Places along the route, in the middle of the right lane, from the first node; the target is included only
  // if it is a node. It never makes a U-turn, but continues to a junction. The error is a sentence for users.
  [[nodiscard]] tl::expected<std::vector<vec3>, std::string> route(const route_request& what) const;

  [[nodiscard]] std::size_t nodes() const noexcept { return nodes_.size(); }

 private:
  struct node {
    vec3 at;
    bool water = false;
    std::uint32_t first_edge = 0;
    std::uint32_t edges = 0;
  };
  struct edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double length_m = 0;
    double right_m = 0;  // of the lane to the line between the nodes
  };
  struct stop {
    std::uint32_t node = 0;
    double right_m = 0;  // of the edge that ends there
  };
  // Empty if there is none.
  [[nodiscard]] std::vector<stop> cheapest_way(const route_request& what, std::uint32_t begin,
                                               std::uint32_t end) const;
  [[nodiscard]] std::optional<std::uint32_t> nearest(vec3 to, bool on_water,
                                                     std::optional<double> heading_deg) const;

  std::vector<node> nodes_;
  std::vector<edge> edges_;
};

// The file or folder that could not be read.
struct roads_problem {
  file_path file;
  error why{error_code::not_found};
};

// Every NODES*.DAT in a folder, or in data/Paths of a game's folder, ignoring case. Fails with not_found if
// there is none.
tl::expected<road_network, roads_problem> read_roads(const file_path& folder);

}  // namespace tickreel::npc
