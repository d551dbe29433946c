#include "drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

#include "words.hpp"

namespace tickreel::viewer {

void curve::add(double x, double y) {
  if (!std::isfinite(x) || !std::isfinite(y)) return;
  if (!buckets_.empty() && in_last_ < each_) {
    bucket& last = buckets_.back();
    last.to = std::max(last.to, x);
    last.low = std::min(last.low, y);
    last.high = std::max(last.high, y);
    ++in_last_;
    return;
  }
  if (buckets_.size() == max_buckets) {
    for (std::size_t at = 0; at < max_buckets / 2; ++at) {
      const bucket& a = buckets_[2 * at];
      const bucket& b = buckets_[2 * at + 1];
      buckets_[at] = {a.from, b.to, std::min(a.low, b.low), std::max(a.high, b.high)};
    }
    buckets_.resize(max_buckets / 2);
    each_ *= 2;
  }
  buckets_.push_back({x, x, y, y});
  in_last_ = 1;
}

double curve::low() const noexcept {
  double out = buckets_.empty() ? 0 : buckets_.front().low;
  for (const bucket& each : buckets_) out = std::min(out, each.low);
  return out;
}

double curve::high() const noexcept {
  double out = buckets_.empty() ? 0 : buckets_.front().high;
  for (const bucket& each : buckets_) out = std::max(out, each.high);
  return out;
}

void density::add(double x, double y, double weight) {
  constexpr double farthest = 1e9;
  if (!(std::abs(x) <= farthest) || !(std::abs(y) <= farthest) || !(weight > 0)) return;
  const auto column_of = [&] { return static_cast<std::int64_t>(std::floor(x / cell_)); };
  const auto row_of = [&] { return static_cast<std::int64_t>(std::floor(y / cell_)); };
  if (cells_.empty()) {
    cells_.resize(static_cast<std::size_t>(side) * side);
    left_ = column_of() - side / 2;
    bottom_ = row_of() - side / 2;
  }
  const auto inside = [](std::int64_t place, std::int64_t first) {
    return place >= first && place < first + side;
  };
  while (!inside(column_of(), left_) || !inside(row_of(), bottom_)) widen();
  cells_[static_cast<std::size_t>((row_of() - bottom_) * side + (column_of() - left_))] += weight;
}

// Doubles the size of cells around the middle of the grid. The new borders are on whole cells, so each old
// cell is in exactly one new one.
void density::widen() {
  const auto half = [](std::int64_t number) { return number >= 0 ? number / 2 : (number - 1) / 2; };
  const std::int64_t left = half(left_) - side / 4;
  const std::int64_t bottom = half(bottom_) - side / 4;
  std::vector<double> wider(cells_.size());
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const double value = cells_[static_cast<std::size_t>(row * side + column)];
      const std::int64_t to_row = half(bottom_ + row) - bottom;
      const std::int64_t to_column = half(left_ + column) - left;
      if (value > 0) wider[static_cast<std::size_t>(to_row * side + to_column)] += value;
    }
  }
  cells_ = std::move(wider);
  left_ = left;
  bottom_ = bottom;
  cell_ *= 2;
}

void density::box::include(const box& other) noexcept {
  if (other.right <= other.left) return;
  if (right <= left) {
    *this = other;
    return;
  }
  left = std::min(left, other.left);
  bottom = std::min(bottom, other.bottom);
  right = std::max(right, other.right);
  top = std::max(top, other.top);
}

density::box density::bounds() const {
  box out;
  for_each([&](double x, double y, double) { out.include({x, y, x + cell_, y + cell_}); });
  return out;
}

void strip::set(double from_share, double to_share, std::uint8_t owner) {
  const auto place = [](double share) {
    return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(places));
  };
  if (!(to_share >= from_share)) return;
  const std::size_t end = std::min(places, place(to_share) + 1);
  for (std::size_t at = std::min(place(from_share), places - 1); at < end; ++at) owners_[at] = owner;
}

std::vector<strip::stretch> strip::stretches() const {
  std::vector<stretch> out;
  for (std::size_t at = 0; at < places; ++at) {
    if (!out.empty() && out.back().owner == owners_[at]) {
      out.back().to = at + 1;
    } else {
      out.push_back({at, at + 1, owners_[at]});
    }
  }
  return out;
}

std::string_view series_style(std::size_t number) noexcept {
  constexpr std::string_view styles[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
  return styles[number % std::size(styles)];
}

namespace {

constexpr double plot_width = 600;
constexpr double plot_height = 160;

void append_legend(const std::vector<std::pair<std::string, std::string_view>>& entries, std::string& html) {
  html += "<p class=\"legend\">";
  for (const auto& [name, style] : entries) {
    html += fmt::format(
        "<span><svg class=\"key {}\" viewBox=\"0 0 28 8\" aria-hidden=\"true\"><path class=\"line\" "
        "d=\"M0 4H28\"/></svg>{}</span> ",
        style, safe(name, 80));
  }
  html += "</p>\n";
}

// The content of the picture, for screen readers.
std::string spoken(std::string_view title, const std::vector<drawn_curve>& curves) {
  std::string out(title);
  for (const drawn_curve& each : curves) {
    out += fmt::format("; {} from {} to {}", each.name, number_text(each.line->low()),
                       number_text(each.line->high()));
  }
  return out;
}

}  // namespace

void append_chart(std::string_view title, std::string_view unit, const std::vector<drawn_curve>& curves,
                  std::string& html) {
  double low = 0, high = 0, first = 0, last = 0;
  bool any = false;
  std::vector<drawn_curve> shown;
  for (const drawn_curve& each : curves) {
    if (each.line->empty()) continue;
    const auto& buckets = each.line->buckets();
    low = any ? std::min(low, each.line->low()) : each.line->low();
    high = any ? std::max(high, each.line->high()) : each.line->high();
    first = any ? std::min(first, buckets.front().from) : buckets.front().from;
    last = any ? std::max(last, buckets.back().to) : buckets.back().to;
    any = true;
    shown.push_back(each);
  }
  if (!any) return;
  if (low > 0 && low < high * 0.5) low = 0;
  const double span = high - low;
  const double step = nice_step(std::isfinite(span) && span > 0 ? span : std::max(std::abs(high), 1.0), 4);
  const double bottom = std::floor(low / step) * step;
  double top = std::ceil(high / step) * step;
  if (!(top > bottom)) top = bottom + step;
  const double time = last > first ? last - first : 1;
  const auto x_of = [&](double x) { return (x - first) / time * plot_width; };
  // Divided first: the difference of two numbers may overflow.
  const auto y_of = [&](double y) {
    const double share = (y / 2 - bottom / 2) / (top / 2 - bottom / 2);
    // The last bits of an angle differ between systems; the page must be identical.
    return std::round((plot_height - std::clamp(share, 0.0, 1.0) * plot_height) * 1e6) / 1e6;
  };
  html += fmt::format("<figure class=\"chart\"><figcaption>{}{}</figcaption>\n", safe(title),
                      unit.empty() ? "" : fmt::format(" <small>{}</small>", safe(unit)));
  std::vector<std::pair<std::string, std::string_view>> names;
  for (const drawn_curve& each : shown) names.emplace_back(each.name, each.style);
  if (names.size() > 1) append_legend(names, html);
  html += fmt::format("<div class=\"plot\"><div class=\"ys\"><span>{}</span><span>{}</span></div>",
                      number_text(top, step), number_text(bottom, step));
  html += fmt::format(
      "<svg viewBox=\"0 0 {0} {1}\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{2}\">",
      plot_width, plot_height, safe(spoken(title, shown)));
  html += "<path class=\"grid\" d=\"";
  for (double share = 0; share <= 1.001; share += 0.25) html += fmt::format("M0 {}H600", plot_height * share);
  html += "\"/>";
  for (const drawn_curve& each : shown) {
    html += fmt::format("<path class=\"line {}\" d=\"", each.style);
    const char* command = "M";
    for (const curve::bucket& at : each.line->buckets()) {
      html += fmt::format("{}{:.1f} {:.1f}", command, x_of(at.from), y_of(at.low));
      command = "L";
      if (at.high != at.low) html += fmt::format("L{:.1f} {:.1f}", x_of(at.to), y_of(at.high));
      if (at.high == at.low && at.to > at.from) html += fmt::format("H{:.1f}", x_of(at.to));
    }
    // A single sample is an invisibly short line.
    if (each.line->buckets().size() == 1) html += fmt::format("H{}", plot_width);
    html += "\"/>";
  }
  html += fmt::format(
      "</svg><div class=\"xs\"><span>{}</span><span>{}</span><span>{}</span></div></div></figure>\n",
      time_text(first), time_text(first + time / 2), time_text(last));
}

namespace {

// In metres, along and across, as in the viewer's stage/echo_measures.js.
constexpr density::box arena_walls{-40, -15.5, 40, 15.5};
constexpr double arena_goal = 36, arena_goal_radius = 1.9, arena_corner = 3;

using merged_cells = std::map<std::pair<std::int64_t, std::int64_t>, double>;

// A density with cells of `cell`, which is its own size times a power of two.
merged_cells merge_cells(const density& from, double cell) {
  merged_cells out;
  from.for_each([&](double x, double y, double value) {
    // The middle of a cell is never on a border of a larger one.
    const double middle = from.cell() / 2;
    out[{static_cast<std::int64_t>(std::floor((x + middle) / cell)),
         static_cast<std::int64_t>(std::floor((y + middle) / cell))}] += value;
  });
  return out;
}

}  // namespace

void append_heat_maps(std::string_view title, std::string_view under, std::string_view unit,
                      const std::vector<drawn_density>& maps, bool in_arena, std::string& html) {
  double cell_size = 0, most = 0;
  for (const drawn_density& each : maps) {
    if (!each.cells->empty()) cell_size = std::max(cell_size, each.cells->cell());
  }
  density::box all;
  std::vector<merged_cells> merged;
  for (const drawn_density& each : maps) {
    merged.push_back(merge_cells(*each.cells, cell_size));
    for (const auto& [place, value] : merged.back()) {
      const double x = static_cast<double>(place.first) * cell_size;
      const double y = static_cast<double>(place.second) * cell_size;
      all.include({x, y, x + cell_size, y + cell_size});
      most = std::max(most, value);
    }
  }
  if (all.right <= all.left) return;
  if (in_arena) all.include(arena_walls);
  const double width = all.right - all.left;
  const double height = all.top - all.bottom;
  // A line is still a picture.
  const double tallest = width * 1.5, lowest = width / 6;
  const double shown = std::clamp(height, lowest, tallest);
  // Taller pictures are scaled down.
  const double scale = height > tallest ? tallest / height * 600 / width : 600 / width;
  const double up = (shown * 600 / width - height * scale) / 2;
  html += fmt::format("<section class=\"maps\"><h2>{}</h2>\n<p class=\"note\">{}</p>\n<div class=\"few\">\n",
                      safe(title), safe(under));
  const double cell = cell_size * scale;
  const auto x_of = [&](double x) { return (x - all.left) * scale; };
  const auto y_of = [&](double y) { return up + (all.top - y) * scale; };
  std::string outline;
  if (in_arena) {
    const auto& [left, bottom, right, top] = arena_walls;
    outline = fmt::format(
        "<path class=\"grid\" d=\"M{0:.1f} {4:.1f}L{1:.1f} {5:.1f}H{2:.1f}L{3:.1f} {4:.1f}V{6:.1f}L{2:.1f} "
        "{7:.1f}H{1:.1f}L{0:.1f} {6:.1f}ZM{8:.1f} {5:.1f}V{7:.1f}\"/>",
        x_of(left), x_of(left + arena_corner), x_of(right - arena_corner), x_of(right),
        y_of(top - arena_corner), y_of(top), y_of(bottom + arena_corner), y_of(bottom), x_of(0));
    for (const auto& [end, style] : {std::pair{-arena_goal, "blue"}, std::pair{arena_goal, "orange"}}) {
      outline += fmt::format("<g class=\"{}\"><path class=\"line goal\" d=\"M{:.1f} {:.1f}V{:.1f}\"/></g>",
                             style, x_of(end), y_of(arena_goal_radius), y_of(-arena_goal_radius));
    }
  }
  for (std::size_t at = 0; at < maps.size(); ++at) {
    const drawn_density& each = maps[at];
    if (each.cells->empty()) continue;
    constexpr int levels = 8;
    std::string paths[levels];
    for (const auto& [place, value] : merged[at]) {
      const int level = std::min(levels - 1, static_cast<int>(std::sqrt(value / most) * levels));
      paths[level] += fmt::format(
          "M{:.1f} {:.1f}h{:.1f}v{:.1f}h-{:.1f}z", x_of(static_cast<double>(place.first) * cell_size),
          y_of(static_cast<double>(place.second) * cell_size) - cell, cell, cell, cell);
    }
    html += fmt::format(
        "<figure class=\"map\"><svg viewBox=\"0 0 600 {:.1f}\" role=\"img\" aria-label=\"{}: {}\">"
        "<rect class=\"ground\" width=\"600\" height=\"{:.1f}\"/><g class=\"{}\">",
        shown * 600 / width, safe(title), safe(each.name), shown * 600 / width, each.style);
    for (int level = 0; level < levels; ++level) {
      if (paths[level].empty()) continue;
      html += fmt::format("<path class=\"heat\" fill-opacity=\"{:.2f}\" d=\"{}\"/>",
                          0.16 + 0.84 * (level + 1) / levels, paths[level]);
    }
    html += fmt::format("</g>{}</svg><figcaption>{}</figcaption></figure>\n", outline, safe(each.name, 80));
  }
  html += fmt::format("</div>\n<p class=\"note\">{} by {} {} shown, in cells of {} {}.</p></section>\n",
                      number_text(width, 1), number_text(height, 1), safe(unit), number_text(cell_size),
                      safe(unit));
}

void append_strip(std::string_view title, const strip& of,
                  const std::vector<std::pair<std::string, std::string_view>>& owners, double seconds,
                  std::string& html) {
  html += fmt::format("<figure class=\"chart\"><figcaption>{}</figcaption>\n", safe(title));
  append_legend(owners, html);
  html += fmt::format(
      "<div class=\"plot\"><div class=\"ys\"></div><svg class=\"strip\" viewBox=\"0 0 {} 10\" "
      "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"{}\"><rect class=\"ground\" width=\"{}\" "
      "height=\"10\"/>",
      strip::places, safe(title), strip::places);
  for (const strip::stretch& each : of.stretches()) {
    if (each.owner >= owners.size()) continue;
    html += fmt::format("<g class=\"{}\"><rect class=\"fill\" x=\"{}\" width=\"{}\" height=\"10\"/></g>",
                        owners[each.owner].second, each.from, each.to - each.from);
  }
  html += fmt::format(
      "</svg><div class=\"xs\"><span>0:00</span><span>{}</span><span>{}</span></div></div></figure>\n",
      time_text(seconds / 2), time_text(seconds));
}

}  // namespace tickreel::viewer
