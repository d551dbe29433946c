#include "tickreel/npc/plot.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "plot_text.hpp"
#include "tickreel/samp_rec/motion.hpp"

namespace tickreel::npc {

namespace {

constexpr double width = 1000;
constexpr double map_top = 56;
constexpr double map_height = 560;
constexpr double margin = 64;
constexpr double panel_height = 110;
constexpr double speed_top = map_top + map_height + 44;
constexpr double height_top = speed_top + panel_height + 34;
constexpr double picture_height = height_top + panel_height + 40;
constexpr int colour_count = 16;
// Standing for less is no stop that needs a mark.
constexpr double stop_s = 1;
constexpr double standing_mps = 0.05;

constexpr const char* series_colours[] = {"#1f4e8c", "#b3541e", "#2d7a3a", "#7a3b8f",
                                          "#8c6d1f", "#1f8c86", "#a3293d", "#555555"};

// Slow is dark blue, fast is yellow; even steps look even.
std::string speed_colour(int index) {
  constexpr std::array<std::array<double, 3>, 5> stops = {
      {{13, 8, 135}, {126, 3, 168}, {204, 71, 120}, {248, 149, 64}, {240, 200, 32}}};
  const double place = static_cast<double>(index) / (colour_count - 1) * (stops.size() - 1);
  const auto from = std::min(static_cast<std::size_t>(place), stops.size() - 2);
  const double share = place - static_cast<double>(from);
  std::array<int, 3> mixed{};
  for (std::size_t i = 0; i < 3; ++i) {
    mixed[i] = static_cast<int>(std::lround(stops[from][i] * (1 - share) + stops[from + 1][i] * share));
  }
  return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

struct bounds {
  vec3 least{1e300, 1e300, 1e300};
  vec3 most{-1e300, -1e300, -1e300};
  double top_mps = 0;
  double last_s = 0;
};

bounds bounds_of(std::span<const plot_track> tracks) {
  bounds all;
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

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::lround(seconds));
  return whole < 60 ? fmt::format("{:g} s", seconds) : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

// A piece of the world on a piece of paper, as large as fits, north up.
class map_view {
 public:
  explicit map_view(const bounds& of) {
    constexpr double least_extent_m = 4;
    const double wide = std::max(of.most.x - of.least.x, least_extent_m) * 1.1;
    const double high = std::max(of.most.y - of.least.y, least_extent_m) * 1.1;
    scale_ = std::min((width - 2 * margin) / wide, map_height / high);
    centre_ = (of.least + of.most) * 0.5;
  }
  [[nodiscard]] double x(double world) const { return width / 2 + (world - centre_.x) * scale_; }
  [[nodiscard]] double y(double world) const {
    return map_top + map_height / 2 - (world - centre_.y) * scale_;
  }
  [[nodiscard]] double scale() const { return scale_; }
  [[nodiscard]] double left() const { return centre_.x - (width / 2 - margin) / scale_; }
  [[nodiscard]] double right() const { return centre_.x + (width / 2 - margin) / scale_; }
  [[nodiscard]] double bottom() const { return centre_.y - map_height / 2 / scale_; }
  [[nodiscard]] double top() const { return centre_.y + map_height / 2 / scale_; }

 private:
  double scale_ = 1;
  vec3 centre_;
};

void add_grid(std::string& out, const map_view& map) {
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
    out += fmt::format("<text class=\"small\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{:g}</text>\n",
                       map.x(at), map_top + map_height + 15, at + 0.0);
  }
  for (double at = std::ceil(map.bottom() / step) * step; at <= map.top(); at += step) {
    out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                       margin - 6, map.y(at) + 4, at + 0.0);
  }
}

int colour_of(double speed, double top) {
  return top <= 0 ? 0 : std::clamp(static_cast<int>(speed / top * colour_count), 0, colour_count - 1);
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

void add_marks(std::string& out, const plot_track& track, const map_view& map, double step_s,
               std::size_t series, bool several) {
  const auto& points = track.points;
  const char* colour = series_colours[series % std::size(series_colours)];
  double next_s = step_s;
  double label_x = -100;
  double label_y = -100;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].t_s + 1e-6 < next_s) continue;
    const double x = map.x(points[i].position.x);
    const double y = map.y(points[i].position.y);
    if (std::hypot(x - label_x, y - label_y) > 26) {
      const vec3 across = direction_of(points[i].heading_deg + 90);
      out += fmt::format("<path class=\"tick\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>", x - 5 * across.x,
                         y + 5 * across.y, x + 5 * across.x, y - 5 * across.y);
      out += fmt::format("<text class=\"time\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                         x - 17 * across.x, y + 13 * across.y + 3, clock_text(next_s));
      label_x = x;
      label_y = y;
    }
    while (next_s <= points[i].t_s + 1e-6) next_s += step_s;
  }
  for (std::size_t i = 0; i < points.size();) {
    std::size_t end = i;
    while (end + 1 < points.size() && points[end].speed_mps < standing_mps) ++end;
    if (end > i && points[end].t_s - points[i].t_s >= stop_s) {
      const double x = map.x(points[i].position.x);
      const double y = map.y(points[i].position.y);
      out += fmt::format(
          "<circle class=\"stop\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"><title>stands {:.1f} "
          "s</title></circle>\n",
          x, y, points[end].t_s - points[i].t_s);
    }
    i = end + 1;
  }
  if (points.empty()) return;
  const plot_point& first = points.front();
  const vec3 ahead = direction_of(first.heading_deg);
  const double x = map.x(first.position.x);
  const double y = map.y(first.position.y);
  out += fmt::format(
      "<path fill=\"{}\" stroke=\"#fff\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\"/>\n", colour,
      x + 11 * ahead.x, y - 11 * ahead.y, x - 7 * ahead.x + 6 * ahead.y, y + 7 * ahead.y + 6 * ahead.x,
      x - 7 * ahead.x - 6 * ahead.y, y + 7 * ahead.y - 6 * ahead.x);
  if (several) {
    out += fmt::format("<text class=\"name\" fill=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", colour,
                       x + 12, y + 5, escaped(track.name));
  }
}

// One of the two graphs below the map.
void add_panel(std::string& out, std::span<const plot_track> tracks, const bounds& all, double top,
               std::string_view title, double least, double most, double plot_point::*speed) {
  const double span = most - least;
  const auto x = [&](double t) {
    return margin + (all.last_s > 0 ? t / all.last_s : 0) * (width - 2 * margin);
  };
  const auto y = [&](double value) {
    return top + panel_height - (span > 0 ? (value - least) / span : 0.5) * panel_height;
  };
  out += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", margin, top,
                     width - 2 * margin, panel_height);
  const double step = nice_step(span, 4);
  out += "<path class=\"grid\" d=\"";
  for (double at = std::ceil(least / step - 1e-9) * step; at <= most + 1e-9; at += step)
    out += fmt::format("M{} {:.1f}H{}", margin, y(at), width - margin);
  const double step_s = nice_seconds(all.last_s, 12);
  for (double at = step_s; at < all.last_s; at += step_s)
    out += fmt::format("M{:.1f} {}V{}", x(at), top, top + panel_height);
  out += "\"/>\n";
  for (double at = std::ceil(least / step - 1e-9) * step; at <= most + 1e-9; at += step) {
    out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                       margin - 6, y(at) + 4, at + 0.0);
  }
  for (double at = 0; at <= all.last_s + 1e-9; at += step_s) {
    out += fmt::format("<text class=\"small\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       x(at), top + panel_height + 14, clock_text(at));
  }
  out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>\n", margin, top - 6, title);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    std::string line;
    double last_x = -10;
    double last_y = -10;
    for (const plot_point& each : tracks[i].points) {
      const double at_x = x(each.t_s);
      const double at_y = y(speed != nullptr ? each.*speed : each.position.z);
      if (!line.empty() && std::hypot(at_x - last_x, at_y - last_y) < 0.7 &&
          &each != &tracks[i].points.back())
        continue;
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? 'M' : 'L', at_x, at_y);
      last_x = at_x;
      last_y = at_y;
    }
    if (!line.empty())
      out += fmt::format("<path class=\"graph\" stroke=\"{}\" d=\"{}\"/>\n",
                         series_colours[i % std::size(series_colours)], line);
  }
}

void add_scale(std::string& out, double top_mps) {
  const double x = width - margin - 240;
  for (int i = 0; i < colour_count; ++i) {
    out += fmt::format("<rect x=\"{:.1f}\" y=\"22\" width=\"15.5\" height=\"10\" fill=\"{}\"/>", x + 15 * i,
                       speed_colour(i));
  }
  out += fmt::format(
      "\n<text class=\"small\" x=\"{}\" y=\"46\">0</text><text class=\"small\" x=\"{}\" y=\"46\" "
      "text-anchor=\"end\">{:.1f} m/s, {:.0f} km/h</text>\n",
      x, x + 240, top_mps, top_mps * 3.6);
}

}  // namespace

plot_track track_of(const recorded& what, std::string name, std::size_t most_points) {
  plot_track result;
  result.name = std::move(name);
  recorded::visit(what, [&](const auto& blocks) {
    const std::size_t stride = blocks.size() / std::max<std::size_t>(most_points, 2) + 1;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i % stride != 0 && i + 1 != blocks.size()) continue;
      const auto& each = blocks[i];
      const auto& at = each.position_m;
      if (!samp_rec::is_finite(at)) continue;
      result.points.push_back({(each.time_ms - blocks.front().time_ms) / 1000.0,
                               {at.x, at.y, at.z},
                               samp_rec::speed_m_per_s(each.velocity_m_per_20ms),
                               samp_rec::heading_degrees(each.rotation)});
    }
  });
  return result;
}

std::string svg_of(std::span<const plot_track> tracks, const std::string& title) {
  const bounds all = bounds_of(tracks);
  const map_view map(all);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\">\n<style>"
      ".frame{{fill:none;stroke:#999}}.grid{{fill:none;stroke:#e4e4e4;stroke-width:1}}.way{{fill:none;stroke-"
      "width:4;"
      "stroke-linecap:round;stroke-linejoin:round}}.tick{{stroke:#222;stroke-width:1.4}}.stop{{fill:#fff;"
      "stroke:#222;"
      "stroke-width:1.6}}.graph{{fill:none;stroke-width:1.8;stroke-linejoin:round}}.small{{font-size:11px;"
      "fill:#555}}"
      ".time{{font-size:11px;fill:#222}}.name{{font-size:13px;font-weight:bold}}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, picture_height);
  out += fmt::format("<text x=\"{}\" y=\"34\" font-size=\"19\" fill=\"#222\">{}</text>\n", margin,
                     escaped(title));
  add_scale(out, all.top_mps);
  add_grid(out, map);
  for (const plot_track& track : tracks) add_way(out, track, map, all.top_mps);
  const double step_s = nice_seconds(all.last_s, 12);
  for (std::size_t i = 0; i < tracks.size(); ++i)
    add_marks(out, tracks[i], map, step_s, i, tracks.size() > 1);
  add_panel(out, tracks, all, speed_top, "speed, m/s", 0, std::max(all.top_mps * 1.08, 1.0),
            &plot_point::speed_mps);
  const double middle = (all.least.z + all.most.z) / 2;
  const double half = std::max((all.most.z - all.least.z) * 0.56, 1.0);
  add_panel(out, tracks, all, height_top, "height, m", middle - half, middle + half, nullptr);
  return out + "</svg>\n";
}

}  // namespace tickreel::npc
