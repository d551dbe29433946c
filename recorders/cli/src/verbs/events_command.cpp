// tickreel events: what happened, as NDJSON.
#include <fmt/format.h>

#include "console/console.hpp"
#include "console/event_types.hpp"
#include "console/places_help.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/analysis/event.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/files/event_types.hpp"
#include "tickreel/files/range.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/trailing_bytes.hpp"

namespace tickreel::cli {

namespace {

struct events_arguments {
  std::string file;
  std::vector<std::string> types;
  std::string player;
  std::string from;
  std::string to;
};

int run(const events_arguments& arguments) {
  files::event_query query;
  query.types = arguments.types;
  query.player = arguments.player;
  files::tick_range range;
  const std::string wrong = files::read_range(arguments.from, arguments.to, range);
  if (!wrong.empty()) return report_usage(wrong);
  query.from = range.from;
  query.to = range.to;
  auto opened = files::open(arguments.file);
  if (!opened) {
    report_error(arguments.file, opened.error());
    return failed;
  }
  if (!arguments.types.empty()) {
    if (const int problem = refuse_unknown_types(**opened, "--type", arguments.types); problem != done)
      return problem;
  }
  std::string line;
  // Decompression before the first event may take long, and nothing is written yet.
  let_stop_signals_end();
  const auto given = (*opened)->events(query,
                                       [&](std::string_view json) {
                                         if (line.empty()) catch_stop_signals();
                                         line.assign(json);
                                         return standard_output().write_line(line);
                                       },
                                       {.progress = {}, .cancelled = stop_requested});
  if (!given) {
    report_error(arguments.file, given.error());
    if (given.error().code == error_code::invalid_argument) {
      report_advice("'tickreel info FILE' lists the players");
    }
    return failed;
  }
  std::vector<std::string> losses = (*opened)->losses();
  if (const auto checked = files::add_trailing_bytes(arguments.file, losses); !checked) {
    report_error(arguments.file, checked.error());
    return failed;
  }
  return report_losses(arguments.file, losses);
}

std::string types_of_matches() {
  std::vector<std::string_view> names;
  for (std::size_t type = 0; type < analysis::type_count; ++type) names.push_back(analysis::type_name(type));
  return columns_of(names);
}

std::string types_of_echo() {
  std::vector<std::string_view> names;
  for (std::size_t type = 0; type < echo::event_type_count; ++type) names.push_back(echo::type_name(type));
  return columns_of(names);
}

}  // namespace

void add_events(command& program) {
  auto arguments = std::make_shared<events_arguments>();
  command& app = program.add_subcommand("events", "Prints events as JSON, one per line");
  app.add_option("FILE", arguments->file, "A recording of a format with events").required();
  app.add_option("--type", arguments->types, "Only events of these types, comma-separated or repeated")
      .separator(',')
      .one_each_time();
  app.add_option("--player", arguments->player, "Only events that concern this player: a name or a number");
  app.add_option("--from", arguments->from,
                 "First place: a time (90s), a tick (tick:1200) or the game clock (clock:08:30)");
  app.add_option("--to", arguments->to, "Last place; its events are included");
  app.notes = "Types in an .icrep; a .SC2Replay has some of them:\n" + types_of_matches() +
              "Further types in a .SC2Replay, under their own names:\n" +
              columns_of(files::sc2_event_types()) + "Types in an Echo VR match, detected in its ticks:\n" +
              types_of_echo() + "Events that a game records have the names that it gave them.\n" +
              std::string(places_help);
  app.examples = {"tickreel events match.icrep --type unit_destroyed,army_wipe",
                  "tickreel events match.icrep --player Red --from 60s --to 120s",
                  "tickreel events match.butter --type goal,save,stun",
                  "tickreel events match.icrep | jq -r .type | sort | uniq -c"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
