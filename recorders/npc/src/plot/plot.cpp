#include "tickreel/npc/plot.hpp"

#include <fmt/format.h>

#include "plot_drawing.hpp"
#include "plot_text.hpp"
#include "tickreel/samp_rec/motion.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::npc {

namespace {

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
  for (double at = 0; at <= last_s + 1e-9; at += step_s) {
    out += fmt::format("<text class=\"small\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                       x(at), of.top + panel_height + 14, clock_text(at));
  }
  out += fmt::format("<text class=\"small\" x=\"{}\" y=\"{}\">{}</text>\n", margin, of.top - 6, of.title);
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
      out += fmt::format("<path class=\"graph\" stroke=\"{}\" d=\"{}\"/>\n", series_colour(i), line);
  }
}

void add_scale(std::string& out, double top_mps) {
  const double x = paper::width - paper::margin - 240;
  for (int i = 0; i < speed_colours; ++i) {
    out += fmt::format("<rect x=\"{:.1f}\" y=\"22\" width=\"15.5\" height=\"10\" fill=\"{}\"/>", x + 15 * i,
                       speed_colour(i));
  }
  out += fmt::format(
      "\n<text class=\"small\" x=\"{}\" y=\"46\">0</text><text class=\"small\" x=\"{}\" y=\"46\" "
      "text-anchor=\"end\">{:.1f} m/s, {:.0f} km/h</text>\n",
      x, x + 240, top_mps, top_mps * 3.6);
}

constexpr const char* drawing_style =
    ".frame{fill:none;stroke:#999}.grid{fill:none;stroke:#e4e4e4;stroke-width:1}"
    ".way{fill:none;stroke-width:4;stroke-linecap:round;stroke-linejoin:round}"
    ".tick{stroke:#222;stroke-width:1.4}.stop{fill:#fff;stroke:#222;stroke-width:1.6}"
    ".graph{fill:none;stroke-width:1.8;stroke-linejoin:round}.small{font-size:11px;fill:#555}"
    ".time,.name{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}"
    ".time{font-size:11px}.name{font-size:13px;font-weight:bold}";

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

std::string drawing_of(std::span<const plot_track> tracks, const plot_bounds& all, const map_view& map,
                       const std::string& title, drawing_use use) {
  std::string out = fmt::format(
      "<svg {}viewBox=\"0 0 {} {}\" font-family=\"sans-serif\">\n<style>{}</style>\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      use == drawing_use::picture ? "xmlns=\"http://www.w3.org/2000/svg\" " : "", paper::width, paper::height,
      drawing_style);
  out += fmt::format("<text x=\"{}\" y=\"34\" font-size=\"19\" fill=\"#222\">{}</text>\n", paper::margin,
                     text::escaped_markup(title));
  add_scale(out, all.top_mps);
  add_map(out, tracks, all, map, use == drawing_use::picture);
  add_panel(out, tracks, all.last_s,
            {"speed, m/s", paper::speed_top, 0, std::max(all.top_mps * 1.08, 1.0),
             [](const plot_point& each) { return each.speed_mps; }});
  const double middle = (all.least.z + all.most.z) / 2;
  const double half = std::max((all.most.z - all.least.z) * 0.56, 1.0);
  add_panel(out, tracks, all.last_s,
            {"height, m", paper::height_top, middle - half, middle + half,
             [](const plot_point& each) { return each.position.z; }});
  return out + "</svg>\n";
}

std::string svg_of(std::span<const plot_track> tracks, const std::string& title) {
  const plot_bounds all = bounds_of(tracks);
  return drawing_of(tracks, all, map_view(all), title, drawing_use::picture);
}

}  // namespace tickreel::npc
