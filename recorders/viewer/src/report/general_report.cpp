// Formats without a specific report: players, numbers, places and events under the names in the recording.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "events.hpp"
#include "match_report.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/format.hpp"
#include "words.hpp"

namespace tickreel::viewer {

namespace {

namespace dom = simdjson::dom;

constexpr std::size_t max_columns = 256;  // examined
constexpr std::size_t max_charts = 24;    // drawn: those that change
constexpr std::size_t max_elements = 8;   // of a list, with individual curves
constexpr std::size_t max_maps = 8;
constexpr int deepest = 8;

// Columns and places found in the ticks' JSON.
class field_eye {
 public:
  void see(dom::object tick, double seconds) {
    at_ = seconds;
    for (const dom::key_value_pair each : tick) {
      if (each.key == "tick" || each.key == "time_ms" || each.key == "events") continue;
      see_value(each.value, std::string(each.key), 1);
    }
  }

  void into(match_report& report) {
    std::size_t constant = 0, more = 0;
    for (auto& each : columns_) {
      if (each.line.low() == each.line.high()) {
        ++constant;
        continue;
      }
      if (report.charts.size() == max_charts) {
        ++more;
        continue;
      }
      report.charts.push_back({each.path, "", {{each.path, "s0", std::move(each.line)}}});
    }
    if (constant + more + left_out_ != 0) {
      report.fields_left_out = fmt::format(
          "Not drawn: {}{}{}.", counted(constant, "field that never changes", "fields that never change"),
          more == 0 ? "" : ", " + counted(more, "more that does", "more that do"),
          left_out_ == 0 ? "" : ", and those after the first " + std::to_string(max_columns));
    }
    for (auto& each : places_) {
      const density::box seen = each.cells.bounds();
      // A single place is not a map.
      if (seen.right - seen.left <= each.cells.cell() && seen.top - seen.bottom <= each.cells.cell())
        continue;
      heat_group group{"Where: " + each.path,
                       "From above: x to the right, y upward; the stronger the colour, the more ticks.",
                       "units",
                       {}};
      group.maps.push_back({each.path, "s0", std::move(each.cells)});
      report.heat.push_back(std::move(group));
    }
  }

 private:
  struct column {
    std::string path;
    curve line;
  };
  struct place {
    std::string path;
    density cells{0.25};
  };

  // Also of a boolean: 0 or 1.
  static std::optional<double> number(dom::element value) {
    bool is_set = false;
    if (value.get(is_set) == simdjson::SUCCESS) return is_set ? 1.0 : 0.0;
    return number_of(value);
  }

  void see_value(dom::element value, const std::string& path, int depth) {
    if (depth > deepest) return;
    dom::object inside;
    dom::array list;
    if (value.get(inside) == simdjson::SUCCESS) return see_object(inside, path, depth);
    if (value.get(list) == simdjson::SUCCESS) return see_list(list, path, depth);
    if (const auto seen = number(value)) add(path, *seen);
  }

  void see_object(dom::object inside, const std::string& path, int depth) {
    const auto x = number_in(inside, "x"), y = number_in(inside, "y");
    if (x && y) add_place(path, *x, *y);
    for (const dom::key_value_pair each : inside) {
      see_value(each.value, path + "." + std::string(each.key), depth + 1);
    }
  }

  void see_list(dom::array list, const std::string& path, int depth) {
    const std::size_t size = list.size();
    std::vector<double> numbers;
    std::size_t at = 0;
    for (const dom::element each : list) {
      if (const auto seen = number(each); seen && numbers.size() < 4) numbers.push_back(*seen);
      if (++at > 4) break;
    }
    if (size >= 2 && size <= 4 && numbers.size() == size) {
      constexpr std::string_view axes[] = {".x", ".y", ".z", ".w"};
      for (at = 0; at < size; ++at) add(path + std::string(axes[at]), numbers[at]);
      if (path.find("pos") != std::string::npos) add_place(path, numbers[0], numbers[1]);
      return;
    }
    add(path + ", how many", static_cast<double>(size));
    at = 0;
    for (const dom::element each : list) {
      dom::object inside;
      if (each.get(inside) != simdjson::SUCCESS) break;
      // Elements of a long list change their order: their numbers are not curves, their places are a map.
      if (size > max_elements) {
        see_places(inside, path, depth + 1);
        continue;
      }
      std::string_view name;
      const bool named = (inside["name"].get(name) == simdjson::SUCCESS && !name.empty()) ||
                         inside["entity"].get(name) == simdjson::SUCCESS;
      see_object(inside, path + "." + (named ? std::string(name.substr(0, 80)) : std::to_string(at)),
                 depth + 1);
      ++at;
    }
  }

  void see_places(dom::object inside, const std::string& path, int depth) {
    if (depth > deepest) return;
    const auto x = number_in(inside, "x"), y = number_in(inside, "y");
    if (x && y) add_place(path, *x, *y);
    for (const dom::key_value_pair each : inside) {
      dom::object deeper;
      if (each.value.get(deeper) == simdjson::SUCCESS)
        see_places(deeper, path + "." + std::string(each.key), depth + 1);
    }
  }

  void add(const std::string& path, double value) {
    const auto found = numbers_.find(path);
    if (found != numbers_.end()) return columns_[found->second].line.add(at_, value);
    if (columns_.size() == max_columns) {
      left_out_ = 1;
      return;
    }
    numbers_.emplace(path, columns_.size());
    columns_.push_back({path, {}});
    columns_.back().line.add(at_, value);
  }

  void add_place(const std::string& path, double x, double y) {
    for (place& each : places_) {
      if (each.path == path) return each.cells.add(x, y);
    }
    if (places_.size() == max_maps) return;
    places_.push_back({path, density(0.25)});
    places_.back().cells.add(x, y);
  }

  double at_ = 0;
  std::vector<column> columns_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<place> places_;
  std::size_t left_out_ = 0;
};

event_log::names_by_number numbered_players(const files::summary& from) {
  event_log::names_by_number out;
  for (const files::player_summary& each : from.players) {
    for (const files::fact& fact : each.facts) {
      const auto* const number = std::get_if<std::int64_t>(&fact.value);
      if (fact.key == "number" && number != nullptr) out.emplace(*number, each.name);
    }
  }
  return out;
}

// The curves of statistics have one point per minute.
void add_minutes(const files::match_rows& rows, match_report& report) {
  std::vector<std::string_view> names;
  for (const files::player_row& player : rows.players) {
    for (const auto& [name, values] : player.by_minute) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string_view wanted : names) {
    chart made{label_of(wanted), "by minute", {}};
    for (std::size_t at = 0; at < rows.players.size(); ++at) {
      for (const auto& [name, values] : rows.players[at].by_minute) {
        if (name != wanted) continue;
        curve line;
        for (std::size_t minute = 0; minute < values.size(); ++minute) {
          line.add(static_cast<double>(minute + 1) * 60, values[minute]);
        }
        made.lines.push_back({rows.players[at].player, series_style(at), std::move(line)});
      }
    }
    report.charts.push_back(std::move(made));
  }
}

void add_score(match_report& report) {
  const bool known = std::ranges::any_of(report.rows.players,
                                         [](const files::player_row& each) { return !each.result.empty(); });
  if (!known || report.rows.players.size() > 8) return;
  for (std::size_t at = 0; at < report.rows.players.size(); ++at) {
    const files::player_row& each = report.rows.players[at];
    report.score.push_back({each.player, team_style(each.team, at), each.result.empty() ? "–" : each.result,
                            each.result == "won"});
  }
}

void add_event_maps(const event_log& events, match_report& report) {
  for (const event_log::place_map& each : events.places()) {
    const std::string& title = each.what;
    auto group = std::ranges::find_if(report.heat, [&](const heat_group& one) { return one.title == title; });
    if (group == report.heat.end()) {
      report.heat.push_back(
          {title,
           "The map from above, x to the right and y upward; the stronger the colour, the more often.",
           "units",
           {}});
      group = std::prev(report.heat.end());
    }
    std::size_t number = 0;
    for (std::size_t at = 0; at < report.rows.players.size(); ++at) {
      if (report.rows.players[at].player == each.whose) number = at;
    }
    group->maps.push_back({each.whose, series_style(number), each.cells});
  }
}

}  // namespace

result<match_report> general_match(files::recording& from, const recording_facts& facts,
                                   const files::monitor& watch) {
  match_report report;
  const files::summary& summary = facts.summary;
  report.title = facts.name;
  report.seconds = static_cast<double>(summary.duration_ms) / 1000;
  if (!facts.rows.empty()) {
    report.rows = facts.rows.front();
    if (!report.rows.map.empty()) report.title = report.rows.map;
    report.started_ms = report.rows.started_ms;
    if (report.rows.started_ms) report.under = when_text(*report.rows.started_ms) + ", ";
  }
  report.under += time_text(report.seconds);
  if (!report.rows.clock.empty()) report.under += " (" + report.rows.clock + ')';
  report.under += ", " + summary.format;
  add_score(report);
  add_minutes(report.rows, report);
  const files::format* const known = files::find_format(summary.format);
  const files::presentation shown = known != nullptr ? known->shown : files::presentation{};
  const double units = shown.position_units;
  const std::uint64_t steps =
      shown.lasts_through_its_end ? summary.ticks : std::max(summary.ticks, std::uint64_t{1}) - 1;
  const double ms_per_tick =
      steps > 0 ? static_cast<double>(summary.duration_ms) / static_cast<double>(steps) : 0;
  event_log events(numbered_players(summary));
  simdjson::dom::parser parser;
  const auto given = from.events(
      {},
      [&](std::string_view line) {
        dom::object event;
        if (parser.parse(line.data(), line.size()).get(event) == simdjson::SUCCESS) {
          events.add(event, ms_per_tick, 0, units);
        }
        return !watch.stop();
      },
      watch);
  if (!given && given.error().code != error_code::unsupported_operation) return fail(given.error());
  if (watch.stop()) return fail(error_code::interrupted);
  add_event_maps(events, report);
  report.events = std::move(events);
  if (!shown.has_events_as_ticks) {
    if (auto back = from.rewind(); !back) return fail(back.error());
    field_eye fields;
    std::string json;
    for (;;) {
      const auto more = from.next();
      if (!more) return fail(more.error());
      if (!*more) break;
      if (watch.stop()) return fail(error_code::interrupted);
      json = "{";
      from.append_state(json);
      json += '}';
      dom::object tick;
      if (parser.parse(json).get(tick) != simdjson::SUCCESS) continue;
      fields.see(tick, static_cast<double>(from.position().time_ms) / 1000);
    }
    fields.into(report);
  }
  add_facts(summary, report);
  return report;
}

report_part::match games_table(const recording_facts& facts) {
  constexpr std::size_t max_games = 3000;
  constexpr std::size_t max_drawn_players = 500;
  std::string html = fmt::format("<p class=\"under\">{}</p>\n", counted(facts.summary.ticks, "game"));
  html_rows rows = {{"game", "map", "saved", "length", "players", "won"}};
  files::statistics_sums sums;
  for (const files::match_rows& game : facts.rows) {
    sums.add(game);
    if (rows.size() > max_games) continue;
    std::string players, winners;
    for (const files::player_row& each : game.players) {
      players += (players.empty() ? "" : ", ") + safe(each.player, 80);
      if (each.result == "won") winners = safe(each.team, 80);
    }
    rows.push_back({safe(game.session), safe(game.map),
                    game.started_ms ? when_text(*game.started_ms + game.duration_ms) : "",
                    time_text(static_cast<double>(game.duration_ms) / 1000), players, winners});
  }
  html += "<section><h2>Games</h2>\n";
  append_table(rows, "listing", html);
  if (facts.rows.size() > max_games) {
    html += fmt::format("<p class=\"note\">and {} more</p>\n", facts.rows.size() - max_games);
  }
  html += "</section>\n<section><h2>Players</h2>\n";
  const auto players = sums.by_player();
  std::vector<const files::player_row*> all;
  for (const auto* each : players) all.push_back(&each->row);
  const auto columns = files::columns_in_use(all);
  html_rows people = {{"player", "games", "won", "lost"}};
  for (const files::statistic each : columns)
    people.front().push_back(safe(label_of(files::column_of(each).name)));
  for (std::size_t at = 0; at < std::min(max_drawn_players, players.size()); ++at) {
    const auto& each = *players[at];
    people.push_back({safe(each.row.player, 80), std::to_string(each.games), std::to_string(each.won),
                      std::to_string(each.lost)});
    for (const files::statistic which : columns)
      people.back().push_back(safe(files::statistic_text(each.row.get(which))));
  }
  append_table(people, "counts", html);
  if (players.size() > max_drawn_players) {
    html += fmt::format("<p class=\"note\">and {} more</p>\n", players.size() - max_drawn_players);
  }
  html += "</section>\n";
  match_report rest;
  add_facts(facts.summary, rest);
  return {facts.name, html + html_of(rest)};
}

}  // namespace tickreel::viewer
