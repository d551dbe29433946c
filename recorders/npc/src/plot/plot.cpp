#include "tickreel/npc/plot.hpp"

#include <fmt/format.h>

#include "plot_drawing.hpp"
#include "plot_labels.hpp"
#include "plot_text.hpp"
#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::npc {

namespace {

// Dashes of the classes "d0" to "d3".
constexpr std::size_t dash_count = 4;

// One of the two graphs below the map.
struct panel {
  std::string_view title;
  double top = 0;  // on the paper
  double least = 0;
  double most = 0;
  double (*value)(const plot_point&) = nullptr;
};

void add_panel_grid(std::string& out, const panel& of, double last_s, const auto& x, const auto& y) {
  using namespace paper;
  out += fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", margin, of.top,
                     width - 2 * margin, panel_height);
  const double step = nice_step(of.most - of.least, 4);
  const double first = std::ceil(of.least / step - 1e-9) * step;
  const double step_s = nice_seconds(last_s, 12);
  out += "<path class=\"grid\" d=\"";
  for (double at = first; at <= of.most + 1e-9; at += step)
    out += fmt::format("M{} {:.1f}H{}", margin, y(at), width - margin);
  for (double at = step_s; at < last_s; at += step_s)
    out += fmt::format("M{:.1f} {}V{}", x(at), of.top, of.top + panel_height);
  out += "\"/>\n";
  for (double at = first; at <= of.most + 1e-9; at += step) {
    out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{:g}</text>\n",
                       margin - 6, y(at) + 4, at + 0.0);
  }
  int number = 0;
  for (double at = 0; at <= last_s + 1e-9; at += step_s) {
    // The first one is beside the numbers of the other axis.
    out += fmt::format("<text class=\"small{}\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       number % 2 == 0 ? "" : " odd", x(at), of.top + panel_height + 14,
                       number == 0 ? "start" : "middle", clock_text(at));
    ++number;
  }
  out += fmt::format("<text class=\"small\" dy=\".85em\" x=\"{}\" y=\"{}\">{}</text>\n", margin + 7,
                     of.top + 3, of.title);
}

// Overlapping lines, as those of a convoy, are visible through each other's gaps.
std::string dashes_of(std::size_t series, std::size_t count) {
  if (count > max_named_tracks) return {};
  return fmt::format("d{}", series % dash_count);
}

void add_panel(std::string& out, std::span<const plot_track> tracks, double last_s, const panel& of) {
  using namespace paper;
  const double span = of.most - of.least;
  const auto x = [&](double t) { return margin + (last_s > 0 ? t / last_s : 0) * (width - 2 * margin); };
  const auto y = [&](double value) {
    return of.top + panel_height - (span > 0 ? (value - of.least) / span : 0.5) * panel_height;
  };
  add_panel_grid(out, of, last_s, x, y);
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    std::string line;
    double last_x = -10;
    double last_y = -10;
    for (const plot_point& each : tracks[i].points) {
      const double at_x = x(each.t_s);
      const double at_y = y(of.value(each));
      if (!line.empty() && std::hypot(at_x - last_x, at_y - last_y) < 0.7 &&
          &each != &tracks[i].points.back())
        continue;
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? 'M' : 'L', at_x, at_y);
      last_x = at_x;
      last_y = at_y;
    }
    if (!line.empty())
      out += fmt::format("<path class=\"graph t{} {}\" d=\"{}\"/>\n", i % series_count,
                         dashes_of(i, tracks.size()), line);
  }
}

void add_scale(std::string& out, double top_mps) {
  const double x = paper::width - paper::margin - 240;
  for (int i = 0; i < speed_colours; ++i) {
    out += fmt::format("<rect class=\"s{}\" x=\"{:.1f}\" y=\"20\" width=\"15.5\" height=\"10\"/>", i,
                       x + 15 * i);
  }
  out += fmt::format(
      "\n<text class=\"small\" dy=\".85em\" x=\"{0}\" y=\"34\">0</text>"
      "<text class=\"small\" dy=\".85em\" x=\"{1}\" y=\"34\" text-anchor=\"middle\">{3:.1f}</text>"
      "<text class=\"small\" dy=\".85em\" x=\"{2}\" y=\"34\" text-anchor=\"end\">{4:.1f} m/s<tspan "
      "class=\"odd\">, "
      "{5:.0f} km/h"
      "</tspan></text>\n",
      x, x + 112, x + 240, top_mps / 2, top_mps, top_mps * 3.6);
}

// The recordings' names at the bottom, in as many rows as needed.
constexpr double list_row = 19;
constexpr double list_column = 218;
std::size_t list_columns() {
  return static_cast<std::size_t>((paper::width - 2 * paper::margin) / list_column);
}
std::size_t list_rows(std::size_t names) {
  return names < 2 ? 0 : (names + list_columns() - 1) / list_columns();
}

void add_list(std::string& out, std::span<const plot_track> tracks) {
  if (tracks.size() < 2) return;
  const std::size_t rows = list_rows(tracks.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const double x = paper::margin + static_cast<double>(i / rows) * list_column;
    const double y = paper::height + 4 + static_cast<double>(i % rows) * list_row;
    constexpr std::size_t longest = 26;
    std::string name = tracks[i].name;
    if (name.size() > longest) {
      std::size_t end = longest - 3;
      while (end > 0 && (name[end] & 0xC0) == 0x80) --end;
      name = name.substr(0, end) + "...";
    }
    out += fmt::format(
        "<path class=\"sample t{} {}\" d=\"M{} {}h30\"/><text class=\"entry ink\" x=\"{}\" "
        "y=\"{}\">{}</text>\n",
        i % series_count, dashes_of(i, tracks.size()), x, y - 4, x + 37, y, text::escaped_markup(name));
  }
}

// CSS defines every length and colour, so that pictures follow the style of the embedding page. In a small
// view, texts are larger and every other number is hidden.
std::string drawing_style() {
  return ".paper{fill:#fff}.ink{fill:#222}.title{font-size:19px}"
         ".frame{fill:none;stroke:#999}.grid{fill:none;stroke:#8884;stroke-width:1}"
         ".way{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}"
         ".tick{stroke:#222;stroke-width:1.4}.stop{fill:#fff;stroke:#222;stroke-width:1.6}"
         ".arrow{fill:none;stroke:#222;stroke-width:1.6;stroke-linejoin:round}"
         ".under{stroke:#fff;stroke-width:4}.start{stroke:#fff}.lead{stroke:#888;stroke-width:1}"
         ".compass{fill:#666}.world{opacity:.55}"
         ".graph,.sample{fill:none;stroke-width:2;stroke-linejoin:round}"
         ".d1{stroke-dasharray:14 14}.d2{stroke-dasharray:7 21;stroke-dashoffset:-10}"
         ".d3{stroke-dasharray:3 11;stroke-dashoffset:-4}"
         ".small{font-size:11px;fill:#555}.entry{font-size:12px}"
         ".time,.name{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
         ".time{font-size:11px}.name{font-size:13px;font-weight:bold}" +
         colour_rules(false) +
         "@media(max-width:640px){.small{font-size:24px}.title{font-size:30px}.entry{font-size:15px}"
         ".name{font-size:26px}.time{display:none}.odd{display:none}.way{stroke-width:7}.graph{stroke-width:"
         "3}}"
         "@media(prefers-color-scheme:dark){.paper{fill:#16181c}.ink{fill:#e6e6e6}.frame{stroke:#777}"
         ".tick{stroke:#e6e6e6}.stop{fill:#16181c;stroke:#e6e6e6}.small{fill:#b4b8bf}.compass{fill:#b4b8bf}"
         ".arrow{stroke:#e6e6e6}.under{stroke:#16181c}.start{stroke:#16181c}"
         ".time,.name{stroke:#16181c}" +
         colour_rules(true) + "}";
}

}  // namespace

plot_track track_of(const recorded& what, std::string name, std::size_t max_points) {
  plot_track result;
  result.name = std::move(name);
  recorded::visit(what, [&](const auto& blocks) {
    const std::size_t stride = blocks.size() / std::max<std::size_t>(max_points, 2) + 1;
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

std::string drawing_of(std::span<const plot_track> tracks, const plot_bounds& all, const map_view& map,
                       const std::string& title, drawing_use use, const plot_map_image* under) {
  const bool picture = use == drawing_use::picture;
  const double height =
      paper::height + (picture ? list_row * static_cast<double>(list_rows(tracks.size())) : 0);
  std::string out = fmt::format(
      "<svg {}viewBox=\"0 0 {} {}\" font-family=\"sans-serif\">\n<style>{}</style>\n"
      "<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n",
      picture ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", paper::width, height, drawing_style());
  out += fmt::format("<text class=\"title ink\" x=\"{}\" y=\"34\">{}</text>\n", paper::margin,
                     text::escaped_markup(title));
  add_scale(out, all.top_mps);
  add_map(out, tracks, all, map, picture, under);
  add_panel(out, tracks, all.last_s,
            {"speed, m/s, by time", paper::speed_top, 0, std::max(all.top_mps * 1.08, 1.0),
             [](const plot_point& each) { return each.speed_mps; }});
  const double middle = (all.least.z + all.most.z) / 2;
  const double half = std::max((all.most.z - all.least.z) * 0.56, 1.0);
  add_panel(out, tracks, all.last_s,
            {"height, m, by time", paper::height_top, middle - half, middle + half,
             [](const plot_point& each) { return each.position.z; }});
  if (picture) add_list(out, tracks);
  return out + "</svg>\n";
}

std::string svg_of(std::span<const plot_track> tracks, const std::string& title,
                   const plot_map_image* under) {
  const plot_bounds all = bounds_of(tracks);
  return drawing_of(tracks, all, map_view(all), title, drawing_use::picture, under);
}

}  // namespace tickreel::npc
