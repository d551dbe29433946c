// Points that somebody else made, from CSV or JSON.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace tickreel::npc {

struct waypoint {
  std::vector<std::pair<std::string, std::variant<double, std::string>>>
      fields;  // x, y, and whatever there is
};
using waypoint_list = std::vector<waypoint>;

// CSV: fields parted by comma, semicolon or tab, in quotes where they hold one of these; the first line names
// them, or, when it is all numbers, they
// are x, y, z, heading. Empty lines and lines that begin with # are passed over.
// JSON: an array of objects with x and y, or of arrays [x, y, z]; or an object with such an array as "points"
// or "waypoints". Told by the first character. The error says which line or element is wrong.
[[nodiscard]] tl::expected<waypoint_list, std::string> read_waypoints(std::string_view text);

inline constexpr std::size_t most_waypoints = 100'000;
inline constexpr std::size_t most_waypoint_bytes = 32u << 20;

}  // namespace tickreel::npc
