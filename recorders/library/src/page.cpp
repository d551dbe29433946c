#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "tickreel/counted.hpp"
#include "tickreel/library/statistics.hpp"
#include "tickreel/text/markup.hpp"

namespace tickreel::library {

namespace {

// "12.3"
std::string tenths(std::int64_t value, std::int64_t unit) {
  const std::int64_t all = (value * 10 + unit / 2) / unit;
  return std::to_string(all / 10) + "." + std::to_string(all % 10);
}
std::string hours(std::int64_t milliseconds) {
  return tenths(milliseconds, 3'600'000);
}
std::string win_rate(const player_statistics& of) {
  const std::uint64_t decided = of.wins + of.losses;
  if (decided == 0) return "";
  return tenths(static_cast<std::int64_t>(of.wins * 100), static_cast<std::int64_t>(decided)) + " %";
}

struct bar {
  std::string name;
  double value = 0;
  std::string label;
  // Shares of the value, from the left, each in its own colour; the rest has no colour.
  double won = 0;
  double lost = 0;
};

constexpr int bar_height = 22;
constexpr int title_height = 34;
constexpr int name_width = 220;
constexpr int bar_width = 420;
constexpr int chart_width = name_width + bar_width + 240;

int height_of(const std::vector<bar>& bars) {
  return title_height + bar_height * static_cast<int>(bars.size()) + 16;
}

// One chart, its upper edge at `top`.
void append_chart(std::string_view title, const std::vector<bar>& bars, int top, std::string& svg) {
  double most = 0;
  for (const bar& each : bars) most = std::max(most, each.value);
  svg += "<text x=\"8\" y=\"" + std::to_string(top + 22) + "\" class=\"title\">" +
         text::escaped_markup(title) + "</text>\n";
  int y = top + title_height;
  for (const bar& each : bars) {
    const auto width = [&](double value) {
      return std::to_string(most > 0 ? static_cast<int>(value / most * bar_width + 0.5) : 0);
    };
    const std::string at =
        " y=\"" + std::to_string(y + 2) + "\" height=\"" + std::to_string(bar_height - 6) + "\"";
    const std::string baseline = std::to_string(y + bar_height - 8);
    svg +=
        "<g><title>" + text::escaped_markup(each.name) + ": " + text::escaped_markup(each.label) + "</title>";
    svg += "<svg x=\"0\" y=\"" + std::to_string(y) + "\" width=\"" + std::to_string(name_width - 8) +
           "\" height=\"" + std::to_string(bar_height) + "\"><text x=\"8\" y=\"" +
           std::to_string(bar_height - 8) + "\">" + text::escaped_markup(each.name) + "</text></svg>";
    // From the widest to the narrowest bar, so that each stays visible.
    const std::pair<const char*, double> parts[] = {
        {"all", each.value}, {"lost", each.won + each.lost}, {"won", each.won}};
    for (const auto& [kind, value] : parts) {
      if (value <= 0 || (value == each.won && std::string_view(kind) == "lost")) continue;
      svg += std::string("<rect class=\"") + kind + "\" x=\"" + std::to_string(name_width) + "\"" + at +
             " width=\"" + width(value) + "\"/>";
    }
    svg += "<text class=\"label\" x=\"" + std::to_string(name_width + bar_width + 8) + "\" y=\"" + baseline +
           "\">" + text::escaped_markup(each.label) + "</text></g>\n";
    y += bar_height;
  }
}

template <class Row, class Make>
std::vector<bar> bars_of(const std::vector<Row>& rows, std::size_t most, const Make& make) {
  std::vector<bar> out;
  for (std::size_t at = 0; at < rows.size() && at < most; ++at) out.push_back(make(rows[at]));
  return out;
}

void append_cells(std::initializer_list<std::string> cells, const char* tag, std::string& html) {
  html += "<tr>";
  for (const std::string& each : cells) {
    html += std::string("<") + tag + ">" + text::escaped_markup(each) + "</" + tag + ">";
  }
  html += "</tr>\n";
}

constexpr const char* style =
    "text{font:13px system-ui,sans-serif;fill:#222}.title{font-size:17px;font-weight:600}"
    ".all{fill:#c3ccd6}.won{fill:#31669c}.lost{fill:#d9853b}.label{fill:#555}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}.all{fill:#56606b}.won{fill:#6aa3dc}.lost{fill:#"
    "e09a58}"
    ".label{fill:#b5b5b5}}";

// The meaning of the colours in the first chart.
void append_legend(int top, std::string& svg) {
  int x = name_width + 150;
  for (const auto& [kind, meaning] :
       {std::pair("won", "won"), std::pair("lost", "lost"), std::pair("all", "not known")}) {
    svg += std::string("<rect class=\"") + kind + "\" x=\"" + std::to_string(x) + "\" y=\"" +
           std::to_string(top + 11) + "\" width=\"12\" height=\"12\"/><text class=\"label\" x=\"" +
           std::to_string(x + 18) + "\" y=\"" + std::to_string(top + 22) + "\">" + meaning + "</text>\n";
    x += 80;
  }
}

}  // namespace

std::string svg_charts(const statistics& from, std::size_t rows) {
  const auto players = bars_of(from.by_player, rows, [](const player_statistics& each) {
    return bar{each.name, static_cast<double>(each.games),
               std::to_string(each.games) +
                   (each.wins + each.losses ? ", won " + win_rate(each) + " of those known" : ""),
               static_cast<double>(each.wins), static_cast<double>(each.losses)};
  });
  const auto maps = bars_of(from.by_map, rows, [](const group_statistics& each) {
    return bar{each.name, static_cast<double>(each.played_ms), hours(each.played_ms) + " h"};
  });
  const auto formats = bars_of(from.by_format, rows, [](const group_statistics& each) {
    return bar{each.name, static_cast<double>(each.games), std::to_string(each.games)};
  });
  const int second = height_of(players);
  const int third = second + height_of(maps);
  const std::string width = std::to_string(chart_width);
  const std::string height = std::to_string(third + height_of(formats));
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                    "\" viewBox=\"0 0 " + width + " " + height + "\"><style>" + style + "</style>\n";
  append_chart("Games per player", players, 0, svg);
  append_legend(0, svg);
  append_chart("Hours per map", maps, second, svg);
  append_chart("Games per format", formats, third, svg);
  return svg + "</svg>\n";
}

std::string html_page(const statistics& from, std::size_t rows) {
  // Keys scroll what is wider than the window only if it takes the focus.
  const std::string wide = "<div class=\"wide\" tabindex=\"0\">";
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width\"><title>Recordings</title>\n<style>"
      "body{font:15px system-ui,sans-serif;color:#222;max-width:60em;margin:2em auto;padding:0 1em}"
      ".wide{overflow-x:auto}.wide>svg{max-width:100%;min-width:45em;height:auto}"
      "table{border-collapse:collapse;margin:1em 0}"
      "td,th{padding:.25em .8em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}"
      "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#1b1d20}td,th{border-color:#3a3f45}}"
      "td:first-child,th:first-child{text-align:left}"
      "td:first-child{white-space:normal;overflow-wrap:anywhere;min-width:7em}"
      "@media(max-width:40em){td,th{padding:.25em .3em}}</style></head><body><main>\n";
  html += "<h1>Recordings</h1>\n<p>" + counted(from.games, "game") + " of " +
          counted(from.players, "player") + ", " + hours(from.played_ms) + " hours, in " +
          counted(from.files, "file");
  if (from.damaged_files != 0) html += ", " + std::to_string(from.damaged_files) + " of them not whole";
  html += ".</p>\n" + wide + svg_charts(from, rows) + "</div><h2>Players</h2>\n" + wide + "<table>\n";
  append_cells({"Player", "Games", "Won", "Lost", "Rate", "Hours"}, "th", html);
  for (std::size_t at = 0; at < from.by_player.size() && at < rows; ++at) {
    const player_statistics& each = from.by_player[at];
    append_cells({each.name, std::to_string(each.games), std::to_string(each.wins),
                  std::to_string(each.losses), win_rate(each), hours(each.played_ms)},
                 "td", html);
  }
  html += "</table></div>\n<h2>Maps</h2>\n" + wide + "<table>\n";
  append_cells({"Map", "Games", "Hours"}, "th", html);
  for (std::size_t at = 0; at < from.by_map.size() && at < rows; ++at) {
    const group_statistics& each = from.by_map[at];
    append_cells({each.name, std::to_string(each.games), hours(each.played_ms)}, "td", html);
  }
  return html + "</table></div>\n</main></body></html>\n";
}

}  // namespace tickreel::library
