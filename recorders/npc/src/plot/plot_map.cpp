#include "plot_map.hpp"

#include <fmt/format.h>

#include <array>

#include "plot_labels.hpp"
#include "plot_text.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::npc {

namespace {

// Shorter stops are not marked.
constexpr double stop_s = 1;
constexpr double standing_mps = 0.05;
// Marks of one path closer than this on the paper would overlap.
constexpr double mark_distance = 26;

void add_grid(std::string& out, const map_view& map) {
  using namespace paper;
  const double step = nice_step((width - 2 * margin) / map.scale(), 10);
  out += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", margin,
                     map_top, width - 2 * margin, map_height);
  out += "<path class=\"grid\" d=\"";
  for (double at = std::ceil(map.left() / step) * step; at <= map.right(); at += step) {
    out += fmt::format("M{:.1f} {}V{}", map.x(at), map_top, map_top + map_height);
  }
  for (double at = std::ceil(map.bottom() / step) * step; at <= map.top(); at += step) {
    out += fmt::format("M{} {:.1f}H{}", margin, map.y(at), width - margin);
  }
  out += "\"/>\n";
  // Every other number is hidden in a small view.
  int number = 0;
  for (double at = std::ceil(map.left() / step) * step; at <= map.right(); at += step) {
    out +=
        fmt::format("<text class=\"small east{}\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                    number++ % 2 == 0 ? "" : " odd", map.x(at), map_top + map_height + 15, at + 0.0);
  }
  number = 0;
  for (double at = std::ceil(map.bottom() / step) * step; at <= map.top(); at += step) {
    out +=
        fmt::format("<text class=\"small north{}\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                    number++ % 2 == 0 ? "" : " odd", margin - 6, map.y(at) + 4, at + 0.0);
  }
  out += fmt::format(
      "<text class=\"small axis\" x=\"{}\" y=\"{}\" text-anchor=\"end\">x, m east</text>\n"
      "<text class=\"small axis\" x=\"{}\" y=\"{}\">y, m north</text>\n",
      width - margin - 6, map_top + map_height - 7, margin + 7, map_top + 16);
  // North.
  const double x = width - margin - 24;
  const double y = map_top + 14;
  out += fmt::format(
      "<path class=\"compass\" d=\"M{0} {1}L{2} {3}L{0} {4}L{5} {3}Z\"/><text class=\"small\" x=\"{0}\" "
      "y=\"{6}\" "
      "text-anchor=\"middle\">N</text>\n",
      x, y, x + 7, y + 22, y + 16, x - 7, y + 35);
}

void add_picture(std::string& out, const map_view& map, const plot_map_image& under) {
  using namespace paper;
  out += fmt::format(
      "<clipPath id=\"map\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n"
      "<image class=\"world\" clip-path=\"url(#map)\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
      "height=\"{:.1f}\" preserveAspectRatio=\"none\" href=\"{}\"/>\n",
      margin, map_top, width - 2 * margin, map_height, map.x(under.west_m), map.y(under.north_m),
      (under.east_m - under.west_m) * map.scale(), (under.north_m - under.south_m) * map.scale(),
      text::escaped_markup(under.data_uri));
}

int colour_of(double speed, double top) {
  return top <= 0 ? 0 : std::clamp(static_cast<int>(speed / top * speed_colours), 0, speed_colours - 1);
}

// One line for each stretch of one colour; points closer than a third of a pixel are skipped.
void add_way(std::string& out, const plot_track& track, const map_view& map, double top_mps) {
  const auto& points = track.points;
  for (std::size_t i = 0; i + 1 < points.size();) {
    const int colour = colour_of(points[i].speed_mps, top_mps);
    double last_x = map.x(points[i].position.x);
    double last_y = map.y(points[i].position.y);
    std::string line = fmt::format("M{:.1f} {:.1f}", last_x, last_y);
    bool moved = false;
    std::size_t next = i + 1;
    for (; next < points.size(); ++next) {
      const double x = map.x(points[next].position.x);
      const double y = map.y(points[next].position.y);
      const bool ends = next + 1 == points.size() || colour_of(points[next].speed_mps, top_mps) != colour;
      if (std::hypot(x - last_x, y - last_y) > 0.35 || (ends && (x != last_x || y != last_y))) {
        line += fmt::format("L{:.1f} {:.1f}", x, y);
        last_x = x;
        last_y = y;
        moved = true;
      }
      if (ends) break;
    }
    if (moved) out += fmt::format("<path class=\"way s{}\" d=\"{}\"/>\n", colour, line);
    i = next;
  }
}

// Open arrows along the path, at finger-wide intervals.
void add_arrows(std::string& out, const plot_track& track, const map_view& map) {
  constexpr double apart = 90;
  double gone = apart / 2;
  std::string arrows;
  for (std::size_t i = 1; i < track.points.size(); ++i) {
    const vec3& from = track.points[i - 1].position;
    const vec3& to = track.points[i].position;
    const double dx = (to.x - from.x) * map.scale();
    const double dy = -(to.y - from.y) * map.scale();
    const double size = std::hypot(dx, dy);
    if (size < 1e-9) continue;
    gone += size;
    if (gone < apart) continue;
    gone = 0;
    const double x = map.x(to.x), y = map.y(to.y), ux = dx / size, uy = dy / size;
    arrows += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}", x - 7 * ux - 5 * uy,
                          y - 7 * uy + 5 * ux, x, y, x - 7 * ux + 5 * uy, y - 7 * uy - 5 * ux);
  }
  if (!arrows.empty())
    out += fmt::format("<path class=\"arrow under\" d=\"{0}\"/><path class=\"arrow\" d=\"{0}\"/>\n", arrows);
}

void add_time_marks(std::string& out, const plot_track& track, const map_view& map, double step_s,
                    const std::string& colour, label_space& space) {
  const auto& points = track.points;
  double next_s = step_s;
  double label_x = map.x(points.front().position.x);
  double label_y = map.y(points.front().position.y);
  for (const plot_point& each : points) {
    if (each.t_s + 1e-6 < next_s) continue;
    const double x = map.x(each.position.x);
    const double y = map.y(each.position.y);
    const std::string text = clock_text(next_s);
    while (next_s <= each.t_s + 1e-6) next_s += step_s;
    if (std::hypot(x - label_x, y - label_y) <= mark_distance) continue;
    const vec3 across = direction_of(each.heading_deg + 90);
    const double wide = text_width(text, 11);
    for (const double side : {-1.0, 1.0}) {
      const double at_x = x + side * (9 + wide / 2) * across.x;
      const double at_y = y - side * 13 * across.y + 3;
      if (!space.take({at_x - wide / 2, at_y - 10, wide, 12})) continue;
      out += fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x - 5 * across.x,
                         y + 5 * across.y, x + 5 * across.x, y - 5 * across.y);
      out +=
          fmt::format("<text class=\"time {}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                      colour, at_x, at_y, text);
      label_x = x;
      label_y = y;
      break;
    }
  }
}

void add_stops(std::string& out, const plot_track& track, const map_view& map) {
  const auto& points = track.points;
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i;
    while (end + 1 < points.size() && points[end].speed_mps < standing_mps) ++end;
    if (end > i && points[end].t_s - points[i].t_s >= stop_s) {
      out += fmt::format(
          "<circle class=\"stop\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>{} stands {:.1f} s, from "
          "{:.1f} s</title></circle>\n",
          map.x(points[i].position.x), map.y(points[i].position.y), text::escaped_markup(track.name),
          points[end].t_s - points[i].t_s, points[i].t_s);
    }
    i = end + 1;
  }
}

void add_start(std::string& out, const plot_track& track, const map_view& map, std::size_t series) {
  const plot_point& first = track.points.front();
  const vec3 ahead = direction_of(first.heading_deg);
  const double x = map.x(first.position.x);
  const double y = map.y(first.position.y);
  out += fmt::format("<path class=\"start f{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n",
                     series % series_count, x + 11 * ahead.x, y - 11 * ahead.y, x - 7 * ahead.x + 6 * ahead.y,
                     y + 7 * ahead.y + 6 * ahead.x, x - 7 * ahead.x - 6 * ahead.y,
                     y + 7 * ahead.y - 6 * ahead.x);
}

// Beside the start, at a free place; a line connects distant labels.
void add_name(std::string& out, const plot_track& track, const map_view& map, std::size_t series,
              label_space& space) {
  const double x = map.x(track.points.front().position.x);
  const double y = map.y(track.points.front().position.y);
  const double wide = text_width(track.name, 13);
  for (const double away : {0.0, 18.0, 36.0, 54.0, 72.0}) {
    for (const int place : {0, 1, 2, 3}) {
      const bool right = place % 2 == 0;
      const double at_x = right ? x + 13 + away / 2 : x - 13 - away / 2 - wide;
      const double at_y = y + 5 + (place < 2 ? -away : away);
      if (at_x < paper::margin || at_x + wide > paper::width - paper::margin || at_y < paper::map_top + 14 ||
          at_y > paper::map_top + paper::map_height - 4 || !space.take({at_x, at_y - 12, wide, 15})) {
        continue;
      }
      if (away > 0) {
        out += fmt::format("<path class=\"lead\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x, y,
                           right ? at_x - 2 : at_x + wide + 2, at_y - 5);
      }
      out += fmt::format("<text class=\"name f{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
                         series % series_count, at_x, at_y, text::escaped_markup(track.name));
      return;
    }
  }
}

}  // namespace

plot_bounds bounds_of(std::span<const plot_track> tracks) {
  plot_bounds all;
  for (const plot_track& track : tracks) {
    for (const plot_point& each : track.points) {
      all.least = {std::min(all.least.x, each.position.x), std::min(all.least.y, each.position.y),
                   std::min(all.least.z, each.position.z)};
      all.most = {std::max(all.most.x, each.position.x), std::max(all.most.y, each.position.y),
                  std::max(all.most.z, each.position.z)};
      all.top_mps = std::max(all.top_mps, each.speed_mps);
      all.last_s = std::max(all.last_s, each.t_s);
    }
  }
  if (all.least.x > all.most.x) all.least = all.most = {};
  return all;
}

namespace {

std::string speed_colour(int index, bool dark) {
  // On dark paper the slow end is lighter to be visible.
  constexpr std::array<std::array<double, 3>, 5> on_white = {
      {{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 200, 32}}};
  constexpr std::array<std::array<double, 3>, 5> on_black = {
      {{110, 110, 240}, {170, 80, 215}, {225, 95, 145}, {250, 160, 85}, {245, 225, 75}}};
  const auto& stops = dark ? on_black : on_white;
  const double place =
      static_cast<double>(index) / (speed_colours - 1) * static_cast<double>(stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(from);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = static_cast<int>(std::lround(stops[from][i] * (1 - share) + stops[from + 1][i] * share));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

}  // namespace

const char* series_colour(std::size_t series, bool dark) noexcept {
  constexpr std::array<const char*, series_count> on_white = {"#1f4e8c", "#b3541e", "#2d7a3a", "#7a3b8f",
                                                              "#8c6d1f", "#1f8c86", "#a3293d", "#555555"};
  constexpr std::array<const char*, series_count> on_black = {"#7fb2f5", "#f0a070", "#7fd08c", "#cf9ae6",
                                                              "#d8bb6a", "#6fd3cc", "#f08a9c", "#bbbbbb"};
  return (dark ? on_black : on_white)[series % series_count];
}

std::string colour_rules(bool dark) {
  std::string rules;
  for (int i = 0; i < speed_colours; ++i)
    rules += fmt::format(".s{0}{{stroke:{1}}}rect.s{0}{{fill:{1};stroke:none}}", i, speed_colour(i, dark));
  for (std::size_t i = 0; i < series_count; ++i)
    rules += fmt::format(".f{0}{{fill:{1}}}.t{0}{{stroke:{1}}}", i, series_colour(i, dark));
  return rules;
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return whole < 60 ? fmt::format("{:g} s", seconds) : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

void add_map(std::string& out, std::span<const plot_track> tracks, const plot_bounds& all,
             const map_view& map, bool starts, const plot_map_image* under) {
  if (under != nullptr) add_picture(out, map, *under);
  add_grid(out, map);
  for (const plot_track& track : tracks) add_way(out, track, map, all.top_mps);
  const double step_s = nice_seconds(all.last_s, 12);
  const bool several = tracks.size() > 1;
  const bool named = several && tracks.size() <= max_named_tracks;
  label_space space;
  // The compass and the axes' names.
  space.take({paper::width - paper::margin - 40, paper::map_top, 40, 56});
  space.take({paper::margin, paper::map_top, 80, 22});
  space.take({paper::width - paper::margin - 80, paper::map_top + paper::map_height - 20, 80, 20});
  for (const plot_track& track : tracks) {
    if (track.points.empty()) continue;
    add_arrows(out, track, map);
    add_stops(out, track, map);
    const double x = map.x(track.points.front().position.x);
    const double y = map.y(track.points.front().position.y);
    space.take({x - 8, y - 8, 16, 16});
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].points.empty()) continue;
    if (starts) add_start(out, tracks[i], map, i);
    if (starts && named) add_name(out, tracks[i], map, i, space);
  }
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].points.empty()) continue;
    if (tracks.size() <= max_named_tracks) {
      add_time_marks(out, tracks[i], map, step_s, several ? fmt::format("f{}", i % series_count) : "ink",
                     space);
    }
  }
}

}  // namespace tickreel::npc
