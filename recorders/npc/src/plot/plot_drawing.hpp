// The drawing of a picture, on which a page moves markers.
#pragma once

#include <span>
#include <string>

#include "plot_map.hpp"

namespace tickreel::npc {

namespace paper {
inline constexpr double panel_height = 110;
inline constexpr double speed_top = map_top + map_height + 44;
inline constexpr double height_top = speed_top + panel_height + 34;
inline constexpr double height = height_top + panel_height + 40;
}  // namespace paper

enum class drawing_use { picture, page };

// An svg element: the map, and below it speed and height over time, from `paper::margin` to its mirror. On a
// page the starts are not marked, because markers move there.
[[nodiscard]] std::string drawing_of(std::span<const plot_track> tracks, const plot_bounds& all,
                                     const map_view& map, const std::string& title, drawing_use use,
                                     const plot_map_image* under);

}  // namespace tickreel::npc
