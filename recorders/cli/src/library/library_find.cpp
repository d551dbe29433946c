// tickreel library find: games by player, map, date and result, or by SQL.
#include <fmt/format.h>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "library_verbs.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/files/report_json.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::cli {

namespace {

struct find_arguments {
  library_place place;
  library_filter filter;
  row_arguments rows;
  std::string sql;
};

std::string game_json(const library::game& from) {
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  files::add_file_member(from.file.utf8(), json);
  json.member("place", from.place)
      .member("format", from.format)
      .member("format_version", from.format_version);
  json.member("bytes", from.bytes).member("health", from.health);
  if (!from.reason.empty()) json.member("reason", from.reason);
  if (from.vanished) json.member("vanished", true);
  const auto words = [&json](const char* key, const std::string& value) {
    if (!value.empty()) json.member(key, value);
  };
  words("name", from.name);
  words("session", from.session);
  words("map", from.map);
  words("mode", from.mode);
  words("result", from.result);
  words("started", echo::format_to_seconds(from.started_ms));
  if (from.started_ms) json.member("started_ms", *from.started_ms);
  json.member("duration_ms", from.duration_ms).member("ticks", from.ticks);
  json.key("players").begin_array();
  for (const library::player& each : from.players) {
    json.begin_object().member("name", each.name);
    if (!each.team.empty()) json.member("team", each.team);
    if (each.userid) json.member("userid", *each.userid);
    if (each.won) json.member("won", *each.won);
    json.key("statistics").raw(each.statistics).end_object();
  }
  json.end_array().end_object();
  return text;
}

std::string players_text(const library::game& from) {
  std::string out;
  for (const library::player& each : from.players) out += (out.empty() ? "" : ", ") + each.name;
  return out;
}

std::string file_text(const library::game& from) {
  return library::is_collection(from.format) ? fmt::format("{}#{}", from.file.utf8(), from.place)
                                             : from.file.utf8();
}

std::vector<std::string> game_csv(const library::game& from) {
  return {echo::format_to_seconds(from.started_ms),
          std::to_string(from.duration_ms),
          from.format,
          from.map,
          from.mode,
          from.result,
          players_text(from),
          from.health,
          from.reason,
          from.session,
          file_text(from)};
}

int run_games(const find_arguments& arguments, const library::catalogue& index) {
  const row_style style = arguments.rows.style();
  text_table table({"started", "length", "format", "map", "mode", "result", "health", "players", "file"});
  if (style == row_style::csv) {
    standard_output().write_line(csv_line({"started", "duration_ms", "format", "map", "mode", "result",
                                           "players", "health", "reason", "session", "file"}));
  }
  const auto found = index.find(arguments.filter.what, [&](const library::game& each) {
    if (style == row_style::json) return standard_output().write_line(game_json(each));
    if (style == row_style::csv) return standard_output().write_line(csv_line(game_csv(each)));
    table.row({echo::format_to_seconds(each.started_ms), duration_text(each.duration_ms), each.format,
               each.map, each.mode, each.result,
               each.reason.empty() ? each.health : each.health + ": " + each.reason, players_text(each),
               each.vanished ? "(gone) " + file_text(each) : file_text(each)});
    return true;
  });
  if (!found) {
    report_error(index.path(), found.error(), false);
    return failed;
  }
  if (style == row_style::table && *found != 0) table.print();
  if (style == row_style::table && *found == 0) report_error("no such game");
  return done;
}

int run_sql(const find_arguments& arguments, const library::catalogue& index) {
  const row_style style = arguments.rows.style();
  std::vector<std::string> names;
  std::optional<text_table> table;
  std::string problem;
  const auto columns = [&](const std::vector<std::string>& all) {
    names = all;
    table.emplace(all);
    if (style == row_style::csv) standard_output().write_line(csv_line(all));
  };
  const auto each = [&](const library::catalogue::sql_row& row) {
    if (style == row_style::json) {
      std::string text;
      text::json_writer json(text);
      json.begin_object();
      for (std::size_t at = 0; at < row.size(); ++at) {
        json.key(names[at]);
        row[at] ? json.value(*row[at]) : json.null();
      }
      json.end_object();
      return standard_output().write_line(text);
    }
    std::vector<std::string> cells;
    for (const auto& value : row) cells.push_back(value.value_or(""));
    if (style == row_style::csv) return standard_output().write_line(csv_line(cells));
    table->row(std::move(cells));
    return true;
  };
  // A statement may run without limit before its first row, and has no side effects.
  let_stop_signals_end();
  const auto found = index.sql(arguments.sql, columns, each, problem);
  if (!found) {
    if (found.error().code == error_code::invalid_argument) return report_usage("--sql: " + problem);
    report_error(index.path(), found.error(), false);
    return failed;
  }
  if (style == row_style::table && table) table->print();
  return done;
}

int run(find_arguments& arguments) {
  if (!arguments.filter.complete()) return wrong_usage;
  const auto index = arguments.place.open(false);
  if (!index) return failed;
  return arguments.sql.empty() ? run_games(arguments, *index) : run_sql(arguments, *index);
}

}  // namespace

void add_library_find(command& library) {
  auto arguments = std::make_shared<find_arguments>();
  command& app = library.add_subcommand("find", "Finds games, the latest first");
  arguments->filter.add_to(app);
  app.add_option("--limit", arguments->filter.what.limit, "Maximum number of games").check(whole_number());
  arguments->rows.add_to(app);
  app.add_option("--sql", arguments->sql,
                 "A SELECT statement instead of filters; docs/library.md lists the tables");
  app.never_with("--sql", {"--player", "--map", "--mode", "--format", "--session", "--result", "--after",
                           "--before", "--min-length", "--max-length", "--damaged", "--vanished", "--limit"});
  arguments->place.add_to(app);
  app.examples = {"tickreel library find --player Alice --map mpl_arena_a --min-length 5m",
                  "tickreel library find --player 'Team *' --result won --json | jq -r .file",
                  "tickreel library find --damaged",
                  "tickreel library find --sql \"SELECT map, count(*) FROM games GROUP BY map\" --csv"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
