// tickreel library: an index over folders of recordings.
#include <fmt/format.h>

#include <algorithm>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "library_verbs.hpp"
#include "tickreel/echo/time.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/text/csv.hpp"
#include "tickreel/text/suggestion.hpp"

namespace tickreel::cli {

namespace {

// A date, or a date and a time; UTC.
std::optional<std::int64_t> parse_time(const std::string& text) {
  constexpr std::size_t date_length = 10;     // 2022-07-16
  constexpr std::size_t minutes_length = 16;  // 2022-07-16T20:00
  return echo::parse_time(text.size() == date_length      ? text + " 00:00:00"
                          : text.size() == minutes_length ? text + ":00"
                                                          : text);
}

}  // namespace

void library_place::add_to(command& app) {
  app.add_option("--db", database, "The index (in the user's data folder by default)").check(file_to_write());
}

file_path library_place::path() const {
  return database.empty() ? library::default_database() : file_path(database);
}

bool library_place::has_path() const {
  if (!path().empty()) return true;
  report_error("the system has no data folder; name the index with --db");
  return false;
}

void library_place::report_unopened(const error& why, bool create) const {
  if (!create && why.code == error_code::not_found) {
    report_error(fmt::format("{}: the index does not exist\n  'tickreel library scan FOLDER' creates it",
                             printable(path().utf8())));
    return;
  }
  report_error(path(), why, false);
  if (create && (why.code == error_code::permission_denied || why.code == error_code::not_found)) {
    report_advice("scanning needs a writable index and folder; --db FILE names another index");
  }
}

std::optional<library::catalogue> library_place::open(bool create) const {
  if (!has_path()) return std::nullopt;
  auto opened = library::catalogue::open(path(), create);
  if (opened) return std::move(*opened);
  report_unopened(opened.error(), create);
  return std::nullopt;
}

std::optional<library::connection> library_place::report_opened(result<library::connection> opened) const {
  if (opened) return std::move(*opened);
  report_unopened(opened.error(), false);
  return std::nullopt;
}

std::optional<library::connection> library_place::open_to_read() const {
  if (!has_path()) return std::nullopt;
  return report_opened(library::open_to_read(path()));
}

std::optional<library::connection> library_place::open_to_write() const {
  if (!has_path()) return std::nullopt;
  return report_opened(library::open_to_write(path(), library::connection::access::read_write));
}

namespace {

// Formats of files that the library contains.
std::vector<std::string_view> names_of_formats() {
  std::vector<std::string_view> names;
  for (const files::format& each : files::formats()) {
    if (!each.is_only_written) names.push_back(each.name);
  }
  return names;
}

value_check name_of_format() {
  const std::vector<std::string_view> names = names_of_formats();
  const auto check = [names](const std::string& text) {
    if (std::ranges::find(names, text) != names.end()) return std::string();
    return fmt::format("unknown format {}{}; known are {}", printable(text), text::suggestion(text, names),
                       fmt::join(names, ", "));
  };
  return {.run = check,
          .value_name = "FORMAT",
          .words = {names.begin(), names.end()},
          .offers = completion::words};
}

}  // namespace

void library_filter::add_to(command& app) {
  app.add_option("--player", what.player, "Games with this player; * and ? are wildcards");
  app.add_option("--map", what.map, "Games on this map; * and ? are wildcards");
  app.add_option("--mode", what.mode, "Games of this mode; * and ? are wildcards");
  app.add_option("--format", what.format, fmt::format("{}", fmt::join(names_of_formats(), ", ")))
      .check(name_of_format());
  app.add_option("--session", what.session, "The game with this id");
  app.add_option("--result", what.result,
                 "Games that this team won; won or lost: games that --player won or lost");
  app.add_option("--after", after, "Started at this time or later: 2022-07-16 or 2022-07-16T20:00");
  app.add_option("--before", before, "Started before this time");
  app.add_option("--min-length", min_length_s, "Minimum duration: 90, 90s, 15m, 2h")
      .check(seconds_with_unit())
      .check(not_negative());
  app.add_option("--max-length", max_length_s, "Maximum duration")
      .check(seconds_with_unit())
      .check(not_negative());
  app.add_flag("--damaged", what.damaged, "Only from damaged or unfinished files");
  app.add_flag("--vanished", what.vanished, "Also from files that no longer exist");
}

bool library_filter::complete() {
  const auto time = [](const char* option, const std::string& text, std::optional<std::int64_t>& into) {
    if (text.empty()) return true;
    into = parse_time(text);
    if (into) return true;
    (void)report_usage(
        fmt::format("{} {}: not a date (2022-07-16) or a time (2022-07-16T20:00)", option, text));
    return false;
  };
  const auto length = [](const std::optional<double>& seconds) {
    return seconds ? std::optional(static_cast<std::int64_t>(*seconds * 1000)) : std::nullopt;
  };
  what.min_length_ms = length(min_length_s);
  what.max_length_ms = length(max_length_s);
  return time("--after", after, what.after_ms) && time("--before", before, what.before_ms);
}

void row_arguments::add_to(command& app) {
  app.add_flag("--json", json, "One JSON object per row and line");
  app.add_flag("--csv", csv, "Comma-separated, with a header line").excludes("--json");
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string out;
  for (std::size_t at = 0; at < fields.size(); ++at) {
    if (at != 0) out += ',';
    text::append_csv_text(fields[at], out);
  }
  return out;
}

void text_table::row(std::vector<std::string> cells) {
  for (std::string& each : cells) each = printable(each);
  rows_.push_back(std::move(cells));
}

void text_table::print() const {
  constexpr std::size_t widest = 60;  // width of all columns but the last
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t at = 0; at < row.size(); ++at) {
      widths[at] = std::min(widest, std::max(widths[at], width_of(row[at])));
    }
  }
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t at = 0; at < row.size(); ++at) {
      line += row[at];
      if (at + 1 == row.size()) break;
      const std::size_t width = width_of(row[at]);
      line.append(2 + (width < widths[at] ? widths[at] - width : 0), ' ');
    }
    if (!standard_output().write_line(line)) return;
  }
}

void add_library(command& program) {
  command& app = program.add_subcommand("library", "Finds recordings by player, map, date and result");
  add_library_scan(app);
  add_library_find(app);
  add_library_stats(app);
  add_library_exchange(app);
  app.notes =
      "The index is one SQLite file: --db FILE, or library.db in $XDG_DATA_HOME/tickreel or\n"
      "~/.local/share/tickreel, on Windows in %LOCALAPPDATA%\\tickreel. The recordings are only read.";
  app.examples = {"tickreel library scan ~/replays",
                  "tickreel library find --player Alice --result won --after 2022-01-01",
                  "tickreel library stats --html league.html"};
}

}  // namespace tickreel::cli
