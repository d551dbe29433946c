// tickreel clip: writes a part of a recording as a recording of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "console/checks.hpp"
#include "console/console.hpp"
#include "console/event_types.hpp"
#include "console/places_help.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "convert_arguments.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/io/filesystem_path.hpp"

namespace tickreel::cli {

namespace {

// Longer than any recording, and sums of whole milliseconds do not overflow.
constexpr double max_margin_s = 1e9;

struct clip_arguments : convert_arguments {
  std::string from;
  std::string to_place;
  std::vector<std::string> around;
  std::string player;
  double before_s = 20;
  double after_s = 5;
};

// X-1.butter, X-2.butter, ...
std::string numbered(const std::string& output, std::size_t number) {
  const std::filesystem::path whole = filesystem_path(output);
  std::filesystem::path name = whole.stem();
  name += fmt::format("-{}", number);
  name += whole.extension();
  return file_path(whole.parent_path() / name).utf8();
}

// A numeric member of an event; every event has its tick.
std::optional<std::int64_t> number_in(std::string_view json, std::string_view key) {
  const std::string name = fmt::format("\"{}\":", key);
  const std::size_t at = json.find(name);
  if (at == std::string_view::npos) return std::nullopt;
  json.remove_prefix(at + name.size());
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(json.data(), json.data() + json.size(), value);
  if (code != std::errc{} || end == json.data()) return std::nullopt;
  return value;
}

// The tick at which an event was detected, and how long before that it happened.
struct seen_event {
  std::uint64_t tick = 0;
  std::optional<std::int64_t> time_ms;  // for that tick, if the event contains it
  std::int64_t late_ms = 0;
  auto operator<=>(const seen_event&) const = default;
};

// The types that an argument may name: as written, and as a plural. "passes" and "catches" end in "es",
// "goals" in "s"; "pass" is not a plural.
std::vector<std::string> meanings_of(const std::string& type) {
  std::vector<std::string> all = {type};
  if (type.ends_with("es")) all.push_back(type.substr(0, type.size() - 2));
  if (type.ends_with('s')) all.push_back(type.substr(0, type.size() - 1));
  return all;
}

// Types may be in the plural. Unknown ones stay unchanged.
std::vector<std::string> expand_types(files::recording& from, const std::vector<std::string>& names) {
  const auto known = from.event_types();
  std::vector<std::string> types;
  for (const std::string& each : names) {
    const auto meanings = meanings_of(each);
    const auto meant = std::ranges::find_if(meanings, [&](const std::string& one) {
      return known && std::ranges::find(*known, one) != known->end();
    });
    types.push_back(meant == meanings.end() ? each : *meant);
  }
  return types;
}

// All events of the types.
result<std::vector<seen_event>> events_of_types(files::recording& from, std::vector<std::string> types,
                                                const clip_arguments& arguments) {
  files::event_query query;
  query.types = std::move(types);
  query.player = arguments.player;
  std::vector<seen_event> ticks;
  // Events of Echo VR contain their time; a game's own events may use that name for something else.
  const auto is_echo = files::is_echo_recording(file_path(arguments.input));
  if (!is_echo) return fail(is_echo.error());
  const bool events_have_time = *is_echo;
  const auto each = [&](std::string_view json) {
    if (const auto tick = number_in(json, "tick")) {
      const auto time_ms = events_have_time ? number_in(json, "time_ms") : std::nullopt;
      const auto late_ms = events_have_time ? number_in(json, "late_ms") : std::nullopt;
      ticks.push_back({static_cast<std::uint64_t>(*tick), time_ms, late_ms.value_or(0)});
    }
    return true;
  };
  const auto given = from.events(query, each, {.progress = {}, .cancelled = stop_requested});
  if (!given) return fail(given.error());
  std::sort(ticks.begin(), ticks.end());
  ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
  return ticks;
}

struct span_ms {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

// The time around each event; overlapping ranges are merged.
result<std::vector<span_ms>> times_around(files::recording& from, const std::vector<seen_event>& events,
                                          const clip_arguments& arguments) {
  std::vector<span_ms> all;
  for (const auto& [tick, time_ms, late_ms] : events) {
    if (!time_ms) {
      if (auto found = from.seek(files::moment::at_tick(tick)); !found) return fail(found.error());
      if (const auto more = from.next(); !more) return fail(more.error());
    }
    // Times of a damaged file can have any value.
    constexpr std::int64_t max_ms = std::int64_t{1} << 52;
    const std::int64_t seen_ms = std::clamp(time_ms.value_or(from.position().time_ms), -max_ms, max_ms);
    const std::int64_t at_ms = seen_ms - std::clamp<std::int64_t>(late_ms, 0, max_ms);
    all.push_back({std::max<std::int64_t>(0, at_ms - static_cast<std::int64_t>(arguments.before_s * 1000)),
                   at_ms + static_cast<std::int64_t>(arguments.after_s * 1000)});
  }
  // Events that were detected late may begin before others.
  std::sort(all.begin(), all.end(), [](const span_ms& a, const span_ms& b) { return a.first < b.first; });
  std::vector<span_ms> apart;
  for (const span_ms& each : all) {
    if (apart.empty() || each.first > apart.back().last) {
      apart.push_back(each);
    } else {
      apart.back().last = std::max(apart.back().last, each.last);
    }
  }
  return apart;
}

int run_around(const clip_arguments& arguments) {
  auto opened = files::open(arguments.input);
  if (!opened) {
    report_error(arguments.input, opened.error());
    return failed;
  }
  std::vector<std::string> types = expand_types(**opened, arguments.around);
  if (const int problem = refuse_unknown_types(**opened, "--around", types); problem != done) return problem;
  const auto events = events_of_types(**opened, std::move(types), arguments);
  if (!events) {
    report_error(arguments.input, events.error());
    if (events.error().code == error_code::invalid_argument) {
      report_advice("'tickreel info FILE' lists the players");
    }
    return failed;
  }
  if (events->empty()) {
    for (const std::string& each : (*opened)->losses()) report_note(arguments.input, each);
    report_error(fmt::format("{}: the recording has no event of type {}{}", arguments.input,
                             fmt::join(arguments.around, " or "),
                             arguments.player.empty() ? "" : " that concerns " + arguments.player));
    return failed;
  }
  // A lost event is a missing clip. Seeking to the places of the others resets the loss counters.
  const std::vector<std::string> losses = (*opened)->losses();
  const auto times = times_around(**opened, *events, arguments);
  if (!times) {
    report_error(arguments.input, times.error());
    return failed;
  }
  for (const std::string& each : losses) report_note(arguments.input, each);
  opened->reset();
  std::vector<std::string> outputs;
  while (outputs.size() < times->size()) outputs.push_back(numbered(arguments.output, outputs.size() + 1));
  if (const int problem = refuse_shared_outputs(outputs, {arguments.input}); problem != done) return problem;
  if (const int problem = refuse_existing(outputs, arguments.force); problem != done) return problem;
  int code = losses.empty() ? done : done_with_loss;
  for (std::size_t i = 0; i < times->size() && !stop_requested(); ++i) {
    convert_arguments one = arguments;
    one.output = outputs[i];
    one.range.from = files::moment::at_time(static_cast<double>((*times)[i].first) / 1000);
    one.range.to = files::moment::at_time(static_cast<double>((*times)[i].last) / 1000);
    const int came = run_conversion(one);
    if (came != done && came != done_with_loss) return came;
    code = std::max(code, came);
  }
  return stop_requested() ? failed : code;
}

int run(clip_arguments& arguments) {
  const bool has_range = !arguments.from.empty() || !arguments.to_place.empty();
  if (!arguments.around.empty()) {
    if (has_range) return report_usage("--around already sets the range; remove --from and --to");
    return run_around(arguments);
  }
  if (!has_range) return report_usage("clip needs --from, --to or --around");
  const std::string wrong = files::read_range(arguments.from, arguments.to_place, arguments.range);
  if (!wrong.empty()) return report_usage(wrong);
  return run_conversion(arguments);
}

}  // namespace

void add_clip(command& program) {
  auto arguments = std::make_shared<clip_arguments>();
  command& app = program.add_subcommand("clip", "Copies a part of a recording");
  app.add_option("FILE", arguments->input, "Input recording").required();
  app.add_option("--from", arguments->from, "Start of the clip (default: the start of the recording)");
  app.add_option("--to", arguments->to_place, "Last tick of the clip (default: the end)");
  app.add_option(
         "--around", arguments->around,
         "Write a clip around each event of these types, comma-separated or repeated: OUT-1, OUT-2, ...")
      .separator(',')
      .one_each_time();
  app.add_option("--player", arguments->player, "With --around: only events that concern this player");
  app.add_option("--before", arguments->before_s, "With --around: time before the event (20s)")
      .check(seconds_with_unit())
      .check(not_negative())
      .check(between(0.0, max_margin_s));
  app.add_option("--after", arguments->after_s, "With --around: time after the event (5s)")
      .check(seconds_with_unit())
      .check(not_negative())
      .check(between(0.0, max_margin_s));
  app.add_option("-o,--output", arguments->output, "Output file; its extension selects the format")
      .required()
      .check(file_to_write());
  app.add_option("--format", arguments->to, "Format of the output, whatever its extension");
  app.add_flag("--force", arguments->force, "Overwrite an existing output");
  app.add_flag("--json", arguments->json, "One JSON object per clip instead of text");
  app.only_with("--around", {"--player", "--before", "--after"});
  app.notes =
      std::string(places_help) +
      "A clip begins with a keyframe. Where frames are copied unchanged (.butter to .butter, reel to reel,\n"
      ".icrep), it begins at the last keyframe up to --from, and the extra ticks are reported. Otherwise\n"
      "it begins exactly at --from. Exit code 3: the clip lacks ticks or events.\n";
  app.examples = {"tickreel clip match.butter --from 08:30 --to 08:00 -o goal.butter",
                  "tickreel clip match.echoreplay --from 1m30s --to 2m -o save.echoreplay",
                  "tickreel clip match.icrep --around army_wipe --before 20s --after 5s -o fight.icrep"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
