// The tracks from above, on a sheet of paper.
#pragma once

#include <algorithm>
#include <span>
#include <string>

#include "tickreel/npc/plot.hpp"

namespace tickreel::npc {

namespace paper {
inline constexpr double width = 1000;
inline constexpr double margin = 64;
inline constexpr double map_top = 56;
inline constexpr double map_height = 560;
}  // namespace paper

// The bounds of the tracks.
struct plot_bounds {
  vec3 least{1e300, 1e300, 1e300};
  vec3 most{-1e300, -1e300, -1e300};
  double top_mps = 0;
  double last_s = 0;
};
[[nodiscard]] plot_bounds bounds_of(std::span<const plot_track> tracks);

// The part of the world on the paper's map, as large as fits, north up.
class map_view {
 public:
  explicit map_view(const plot_bounds& of) {
    constexpr double least_extent_m = 4;
    const double wide = std::max(of.most.x - of.least.x, least_extent_m) * 1.1;
    const double high = std::max(of.most.y - of.least.y, least_extent_m) * 1.1;
    scale_ = std::min((paper::width - 2 * paper::margin) / wide, paper::map_height / high);
    centre_ = (of.least + of.most) * 0.5;
  }
  [[nodiscard]] double x(double world) const { return paper::width / 2 + (world - centre_.x) * scale_; }
  [[nodiscard]] double y(double world) const {
    return paper::map_top + paper::map_height / 2 - (world - centre_.y) * scale_;
  }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double left() const { return centre_.x - (paper::width / 2 - paper::margin) / scale_; }
  [[nodiscard]] double right() const { return centre_.x + (paper::width / 2 - paper::margin) / scale_; }
  [[nodiscard]] double bottom() const { return centre_.y - paper::map_height / 2 / scale_; }
  [[nodiscard]] double top() const { return centre_.y + paper::map_height / 2 / scale_; }

 private:
  double scale_ = 1;
  vec3 centre_;
};

// Slow is dark blue (on dark paper: violet), fast is yellow; equal steps look equal. Stroke and fill of the
// classes "s0" to "s15".
inline constexpr int speed_colours = 16;
// Colours of recordings: fill of "f0" to "f7", stroke of "t0" to "t7", with dashes that separate overlapping
// lines.
inline constexpr std::size_t series_count = 8;
[[nodiscard]] const char* series_colour(std::size_t series, bool dark = false) noexcept;
// The rules of both, for light or dark paper.
[[nodiscard]] std::string colour_rules(bool dark);

// "12.5 s", "3:07"
[[nodiscard]] std::string clock_text(double seconds);

// Picture, grid, paths, arrows, marks of time and stops; start marks if `starts`.
void add_map(std::string& out, std::span<const plot_track> tracks, const plot_bounds& all,
             const map_view& map, bool starts, const plot_map_image* under);

}  // namespace tickreel::npc
