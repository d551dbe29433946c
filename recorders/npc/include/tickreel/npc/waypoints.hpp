// Points from CSV or JSON files.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <variant>
#include <vector>

namespace tickreel::npc {

struct waypoint {
  std::vector<std::pair<std::string, std::variant<double, std::string>>> fields;  // x, y, and further fields
};
using waypoint_list = std::vector<waypoint>;

// CSV: fields separated by comma, semicolon or tab, quoted if they contain one of these; the first line names
// them, or, if it has only numbers, they are x, y, z, heading. Empty lines and lines that begin with # are
// skipped. JSON: an array of objects with x and y, or of arrays [x, y, z]; or an object with such an array as
// "points" or "waypoints". The first character decides which. The error names the wrong line or element.
[[nodiscard]] tl::expected<waypoint_list, std::string> read_waypoints(std::string_view text);

inline constexpr std::size_t max_waypoints = 100'000;
inline constexpr std::size_t max_waypoint_bytes = 32u << 20;

}  // namespace tickreel::npc
