// Pictures of recordings: the path from above, height and speed over time.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tickreel/npc/recorded.hpp"

namespace tickreel::npc {

struct plot_point {
  double t_s = 0;
  vec3 position;
  double speed_mps = 0;
  double heading_deg = 0;
};

struct plot_track {
  std::string name;
  std::vector<plot_point> points;
};

// Times count from the first block. Long recordings are thinned to about `max_points`: every second, third,
// ... block, and the last.
[[nodiscard]] plot_track track_of(const recorded& what, std::string name, std::size_t max_points = 20'000);

// A picture of the world below the map.
struct plot_map_image {
  std::string data_uri;  // "data:image/png;base64,..."
  // Its edges in metres; the game's map shows this square.
  double west_m = -3000, south_m = -3000, east_m = 3000, north_m = 3000;
};

// Up to this number of recordings, the map shows their names; otherwise they are only listed.
inline constexpr std::size_t max_named_tracks = 12;

// A self-contained SVG for light and dark pages: the tracks from above, coloured by speed, with arrows, marks
// of time and stops; below it speed and height over time, and the recordings' names. Deterministic.
[[nodiscard]] std::string svg_of(std::span<const plot_track> tracks, const std::string& title,
                                 const plot_map_image* under = nullptr);

// A self-contained page: the same drawing with a slider for the time, which plays all tracks together and
// shows the place and speed of each.
[[nodiscard]] std::string html_of(std::span<const plot_track> tracks, const std::string& title,
                                  const plot_map_image* under = nullptr);

}  // namespace tickreel::npc
