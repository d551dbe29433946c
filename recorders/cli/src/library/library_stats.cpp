// tickreel library stats: totals over many games.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "library_verbs.hpp"
#include "statistics/statistics_output.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/files/session_choice.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct stats_arguments {
  library_place place;
  library_filter filter;
  std::size_t rows = 20;
  bool json = false;
  bool csv = false;
  bool force = false;
  bool full = false;
  std::string html;
  std::string svg;
};

std::string hours(std::int64_t milliseconds) {
  return fmt::format("{:.1f}", static_cast<double>(milliseconds) / 3'600'000);
}

std::string rate(const library::player_statistics& of) {
  const std::uint64_t decided = of.wins + of.losses;
  if (decided == 0) return {};
  return fmt::format("{:.1f} %", 100 * static_cast<double>(of.wins) / static_cast<double>(decided));
}

void append_group(const char* key, const std::vector<library::group_statistics>& from, bool bytes,
                  text::json_writer& json) {
  json.key(key).begin_array();
  for (const library::group_statistics& each : from) {
    json.begin_object().member("name", each.name).member("games", each.games);
    json.member("played_ms", each.played_ms);
    if (bytes) json.member("bytes", each.bytes);
    json.end_object();
  }
  json.end_array();
}

void print_json(const library::statistics& from) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("games", from.games).member("files", from.files);
  json.member("damaged_files", from.damaged_files).member("players", from.players);
  json.member("played_ms", from.played_ms).key("by_player").begin_array();
  for (const library::player_statistics& each : from.by_player) {
    json.begin_object().member("name", each.name).member("games", each.games).member("wins", each.wins);
    json.member("losses", each.losses).member("played_ms", each.played_ms).end_object();
  }
  json.end_array();
  append_group("by_map", from.by_map, false, json);
  append_group("by_format", from.by_format, true, json);
  json.end_object();
  standard_output().write_line(text);
}

void print_csv(const library::statistics& from) {
  standard_output().write_line("player,games,wins,losses,played_ms");
  for (const library::player_statistics& each : from.by_player) {
    standard_output().write_line(csv_line({each.name, std::to_string(each.games), std::to_string(each.wins),
                                           std::to_string(each.losses), std::to_string(each.played_ms)}));
  }
}

void print_tables(const library::statistics& from, std::size_t rows) {
  standard_output().write_line(fmt::format("{} of {}, {} hours, in {}, {} of them damaged or unfinished",
                                           counted(from.games, "game"), counted(from.players, "player"),
                                           hours(from.played_ms), counted(from.files, "file"),
                                           from.damaged_files));
  text_table players({"player", "games", "won", "lost", "rate", "hours"});
  for (std::size_t at = 0; at < from.by_player.size() && at < rows; ++at) {
    const auto& each = from.by_player[at];
    players.row({each.name, std::to_string(each.games), std::to_string(each.wins),
                 std::to_string(each.losses), rate(each), hours(each.played_ms)});
  }
  text_table maps({"map", "games", "hours"});
  for (std::size_t at = 0; at < from.by_map.size() && at < rows; ++at) {
    const auto& each = from.by_map[at];
    maps.row({each.name, std::to_string(each.games), hours(each.played_ms)});
  }
  text_table formats({"format", "games", "hours", "size"});
  for (const auto& each : from.by_format) {
    formats.row({each.name, std::to_string(each.games), hours(each.played_ms), bytes_text(each.bytes)});
  }
  for (const text_table* each : {&players, &maps, &formats}) {
    standard_output().write("\n");
    each->print();
  }
}

// The report of `tickreel stats` for the files of the counted games.
int run_full(const stats_arguments& arguments, const library::catalogue& index) {
  std::vector<files::session_recording> all;
  const auto found = index.find(arguments.filter.what, [&](const library::game& each) {
    files::session_recording& one = all.emplace_back();
    const bool has_match_id = !each.session.empty() && !library::is_collection(each.format);
    if (has_match_id) one.match = files::match_key(each.session, each.map);
    one.name = each.file.utf8();
    one.started_ms = each.started_ms;
    one.duration_ms = each.duration_ms;
    one.has_losses = each.health != "whole" && each.health != "unread";
    one.is_clip = !each.cut_from.empty() || (has_match_id && files::has_clip_name(each.file));
    return true;
  });
  if (!found) {
    report_error(index.path(), found.error(), false);
    return failed;
  }
  std::ranges::sort(all, {}, &files::session_recording::name);
  const auto choices = files::choose_recordings(all);
  std::set<std::string> counted;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].outcome == files::choice::counts) counted.insert(all[i].name);
  }
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (!counted.contains(all[i].name)) report_note(all[i].name, files::sentence(choices[i], all));
  }
  std::vector<named_file> inputs;
  for (const std::string& each : counted) inputs.push_back({each, false});
  const auto style = arguments.json  ? statistics_style::json
                     : arguments.csv ? statistics_style::csv
                                     : statistics_style::tables;
  return print_statistics(inputs, style, true);
}

int run(stats_arguments& arguments) {
  if (!arguments.filter.complete()) return wrong_usage;
  const auto index = arguments.place.open(false);
  if (!index) return failed;
  if (arguments.full) return run_full(arguments, *index);
  const auto found = index->stats(arguments.filter.what);
  if (!found) {
    report_error(index->path(), found.error(), false);
    return failed;
  }
  std::vector<std::string> outputs;
  for (const std::string& each : {arguments.html, arguments.svg}) {
    if (!each.empty()) outputs.push_back(each);
  }
  if (const int problem = refuse_existing(outputs, arguments.force); problem != done) return problem;
  if (!arguments.html.empty() &&
      !write_file(arguments.html, html_page(*found, arguments.rows), arguments.force)) {
    return failed;
  }
  if (!arguments.svg.empty() &&
      !write_file(arguments.svg, svg_charts(*found, arguments.rows), arguments.force)) {
    return failed;
  }
  if (arguments.json) {
    print_json(*found);
  } else if (arguments.csv) {
    print_csv(*found);
  } else if (outputs.empty()) {
    print_tables(*found, arguments.rows);
  } else {
    for (const std::string& each : outputs) standard_output().write_line(printable(each));
  }
  return done;
}

}  // namespace

void add_library_stats(command& library) {
  auto arguments = std::make_shared<stats_arguments>();
  command& app = library.add_subcommand("stats", "Games and win rates per player, hours per map");
  arguments->filter.add_to(app);
  app.add_option("--rows", arguments->rows, "Maximum lines per table (20)").check(whole_number());
  app.add_flag("--json", arguments->json, "One JSON object, all rows");
  app.add_flag("--csv", arguments->csv, "All players, comma-separated");
  app.add_option("--html", arguments->html, "Write a self-contained page with charts instead")
      .check(file_to_write());
  app.add_option("--svg", arguments->svg, "Write only the charts").check(file_to_write());
  app.add_flag("--full", arguments->full,
               "Read the files and count what each player did, as 'tickreel stats --sums' does")
      .excludes("--html")
      .excludes("--svg");
  app.add_flag("--force", arguments->force, "Overwrite the page");
  app.never_with("--json", {"--csv"});
  arguments->place.add_to(app);
  app.notes = "Counts the most complete of several recordings of one match, and no clips.";
  app.examples = {"tickreel library stats --after 2022-01-01",
                  "tickreel library stats --map mpl_arena_a --html arena.html",
                  "tickreel library stats --json | jq '.by_player[0]'",
                  "tickreel library stats --format butter --after 2022-01-01 --full --csv > season.csv"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
