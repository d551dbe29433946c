#include "plot_map.hpp"

#include <fmt/format.h>

#include <array>

#include "plot_text.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::npc {

namespace {

// Standing for less is no stop that needs a mark.
constexpr double stop_s = 1;
constexpr double standing_mps = 0.05;
// Marks of one way that are closer than this on the paper could not be told apart.
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
  for (double at = std::ceil(map.left() / step) * step; at <= map.right(); at += step) {
    out +=
        fmt::format("<text class=\"small east\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                    map.x(at), map_top + map_height + 15, at + 0.0);
  }
  for (double at = std::ceil(map.bottom() / step) * step; at <= map.top(); at += step) {
    out += fmt::format("<text class=\"small north\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                       margin - 6, map.y(at) + 4, at + 0.0);
  }
}

int colour_of(double speed, double top) {
  return top <= 0 ? 0 : std::clamp(static_cast<int>(speed / top * speed_colours), 0, speed_colours - 1);
}

// One line for each stretch of one colour; points closer than a third of a pixel are left out.
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
    if (moved)
      out += fmt::format("<path class=\"way\" stroke=\"{}\" d=\"{}\"/>\n", speed_colour(colour), line);
    i = next;
  }
}

void add_time_marks(std::string& out, const plot_track& track, const map_view& map, double step_s,
                    const char* colour) {
  const auto& points = track.points;
  double next_s = step_s;
  // None where it starts: its name may stand there.
  double label_x = map.x(points.front().position.x);
  double label_y = map.y(points.front().position.y);
  for (const plot_point& each : points) {
    if (each.t_s + 1e-6 < next_s) continue;
    const double x = map.x(each.position.x);
    const double y = map.y(each.position.y);
    if (std::hypot(x - label_x, y - label_y) > mark_distance) {
      const vec3 across = direction_of(each.heading_deg + 90);
      out += fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x - 5 * across.x,
                         y + 5 * across.y, x + 5 * across.x, y - 5 * across.y);
      out += fmt::format(
          "<text class=\"time\" fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
          colour, x - 17 * across.x, y + 13 * across.y + 3, clock_text(next_s));
      label_x = x;
      label_y = y;
    }
    while (next_s <= each.t_s + 1e-6) next_s += step_s;
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

void add_start(std::string& out, const plot_track& track, const map_view& map, const char* colour,
               bool named) {
  const plot_point& first = track.points.front();
  const vec3 ahead = direction_of(first.heading_deg);
  const double x = map.x(first.position.x);
  const double y = map.y(first.position.y);
  out += fmt::format(
      "<path fill=\"{}\" stroke=\"#fff\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", colour,
      x + 11 * ahead.x, y - 11 * ahead.y, x - 7 * ahead.x + 6 * ahead.y, y + 7 * ahead.y + 6 * ahead.x,
      x - 7 * ahead.x - 6 * ahead.y, y + 7 * ahead.y - 6 * ahead.x);
  if (named) {
    out += fmt::format("<text class=\"name\" fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", colour,
                       x + 12, y + 5, text::escaped_markup(track.name));
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

std::string speed_colour(int index) {
  constexpr std::array<std::array<double, 3>, 5> stops = {
      {{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 200, 32}}};
  const double place = static_cast<double>(index) / (speed_colours - 1) * (stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(from);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = static_cast<int>(std::lround(stops[from][i] * (1 - share) + stops[from + 1][i] * share));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

const char* series_colour(std::size_t series) noexcept {
  constexpr std::array colours = {"#1f4e8c", "#b3541e", "#2d7a3a", "#7a3b8f",
                                  "#8c6d1f", "#1f8c86", "#a3293d", "#555555"};
  return colours[series % colours.size()];
}

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return whole < 60 ? fmt::format("{:g} s", seconds) : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

void add_map(std::string& out, std::span<const plot_track> tracks, const plot_bounds& all,
             const map_view& map, bool starts) {
  add_grid(out, map);
  for (const plot_track& track : tracks) add_way(out, track, map, all.top_mps);
  const double step_s = nice_seconds(all.last_s, 12);
  const bool several = tracks.size() > 1;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (tracks[i].points.empty()) continue;
    add_time_marks(out, tracks[i], map, step_s, several ? series_colour(i) : "#222");
    add_stops(out, tracks[i], map);
    if (starts) add_start(out, tracks[i], map, series_colour(i), several);
  }
}

}  // namespace tickreel::npc
