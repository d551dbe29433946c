// tickreel diff: where two recordings of a match, of Echo VR, or of described structs differ.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "console/console.hpp"
#include "console/stop_signal.hpp"
#include "console/verb.hpp"
#include "tickreel/files/compare.hpp"
#include "tickreel/files/format.hpp"
#include "tickreel/files/trailing_bytes.hpp"
#include "tickreel/game/replay.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

struct diff_arguments {
  std::string first;
  std::string second;
  bool json = false;
};

void put_lacks(const auto& ranges, text::json_writer& json) {
  json.key("not_compared").begin_array();
  for (const auto& each : ranges) {
    json.begin_object()
        .member("first_tick", each.first_tick)
        .member("ticks", each.end_tick - each.first_tick);
    json.member("in_first", !each.in_first).member("in_second", !each.in_second).end_object();
  }
  json.end_array();
}

// The tick counts; null if reading ended at the first difference.
void put_lengths(const std::optional<std::array<std::uint64_t, 2>>& ticks, text::json_writer& json) {
  for (const std::size_t each : {std::size_t{0}, std::size_t{1}}) {
    json.key(each == 0 ? "first_ticks" : "second_ticks");
    ticks ? json.value((*ticks)[each]) : json.null();
  }
}

void print_json(const diff_arguments& arguments, const game::comparison& found,
                const std::array<std::uint64_t, 2>& lengths) {
  std::string text;
  text::json_writer json(text);
  const auto number = [&](std::string_view key, const std::optional<std::uint64_t>& value) {
    json.key(key);
    value ? json.value(*value) : json.null();
  };
  json.begin_object().member("first", arguments.first).member("second", arguments.second);
  json.member("same", found.same()).member("ticks_compared", found.ticks);
  number("first_different_tick", found.first_tick);
  number("first_different_orders", found.first_orders);
  json.key("state");
  if (found.state) {
    json.begin_object()
        .member("tick", found.state->tick)
        .member("where", std::string_view(found.state->where));
    json.member("component", std::string_view(found.state->component));
    json.member("field", std::string_view(found.state->field));
    json.member("first", std::string_view(found.state->first));
    json.member("second", std::string_view(found.state->second)).end_object();
  } else {
    json.null();
  }
  put_lacks(found.not_compared, json);
  put_lengths(lengths, json);
  json.end_object();
  standard_output().write_line(text);
}

void print_text(const game::comparison& found) {
  if (!found.differ()) {
    standard_output().write(found.ticks != 0 || found.same()
                                ? fmt::format("the same, for {} ticks\n", found.ticks)
                                : "no tick could be compared\n");
    return;
  }
  std::string text;
  if (found.first_orders) text += fmt::format("orders differ from tick {} on\n", *found.first_orders);
  if (found.first_tick) text += fmt::format("states differ from tick {} on\n", *found.first_tick);
  if (const auto& state = found.state) {
    text += fmt::format("  at the keyframe of tick {}: {}", state->tick, state->where);
    if (!state->component.empty()) text += ", " + state->component;
    if (!state->field.empty()) text += "." + state->field;
    if (!state->first.empty() || !state->second.empty()) {
      text += fmt::format(": {} and {}", state->first, state->second);
    }
    text += '\n';
  } else if (found.first_tick) {
    text += "  no common keyframe shows the field\n";
  }
  standard_output().write(text);
}

void report_lacks(const diff_arguments& arguments, const auto& ranges) {
  for (const auto& each : ranges) {
    const std::string what = fmt::format("{} ticks from tick {} on are missing and were not compared",
                                         each.end_tick - each.first_tick, each.first_tick);
    if (each.in_first) report_note(arguments.first, what);
    if (each.in_second) report_note(arguments.second, what);
  }
}

int code_of(const auto& found) {
  if (found.same()) return done;
  return found.differ() || found.ticks != 0 ? done_with_loss : failed;
}

result<game::replay> open_match(const std::string& file) {
  const auto format = files::detect(file);
  if (!format) return fail(format.error());
  return game::replay::open(file);
}

void print_json(const diff_arguments& arguments, const files::tick_comparison& found, bool same,
                bool read_to_end, const std::function<void(text::json_writer&)>& put_more) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("first", arguments.first).member("second", arguments.second);
  json.member("same", same).member("ticks_compared", found.ticks);
  json.key("first_different_tick");
  found.state ? json.value(found.state->tick) : json.null();
  json.key("state");
  if (found.state) {
    json.begin_object()
        .member("tick", found.state->tick)
        .member("field", std::string_view(found.state->field));
    json.member("first", std::string_view(found.state->first));
    json.member("second", std::string_view(found.state->second)).end_object();
  } else {
    json.null();
  }
  put_more(json);
  put_lacks(found.not_compared, json);
  put_lengths(read_to_end ? std::optional(found.total) : std::nullopt, json);
  json.end_object();
  standard_output().write_line(text);
}

void print_json(const diff_arguments& arguments, const files::described_comparison& found) {
  print_json(arguments, found, found.same(), !found.state, [&](text::json_writer& json) {
    json.key("schema").begin_array();
    for (const std::string& each : found.schema) json.value(std::string_view(each));
    json.end_array();
  });
}

void print_json(const diff_arguments& arguments, const files::state_comparison& found) {
  print_json(arguments, found, found.same(), !found.state, [](text::json_writer&) {});
}

void print_text(const files::state_comparison& found) {
  if (const auto& state = found.state) {
    standard_output().write(fmt::format("states differ from tick {} on\n  {}\n  {}\n", state->tick,
                                        printable(state->first), printable(state->second)));
  } else {
    standard_output().write(found.ticks == 0 ? "no tick could be compared\n"
                                             : fmt::format("the same, for {} ticks\n", found.ticks));
  }
}

void print_json(const diff_arguments& arguments, const files::echo_comparison& found) {
  print_json(arguments, found, found.same(), true, [&](text::json_writer& json) {
    if (found.state) json.member("second_different_tick", found.second_tick);
    json.member("different_ticks", found.different);
    json.member("paired_by", "recorded_time");
    json.member("paired_with_nearest", found.nearest).member("max_apart_ms", found.max_apart_ms);
    json.member("first_outside", found.outside[0]).member("second_outside", found.outside[1]);
    json.member("precision", found.as_butter ? "butter" : "exact");
  });
}

void print_text(const files::echo_comparison& found) {
  std::string text;
  if (found.different != 0) {
    text += fmt::format("{} of {} ticks differ, the first is tick {}{}\n  {}: {} and {}\n", found.different,
                        found.ticks, found.state->tick,
                        found.second_tick == found.state->tick
                            ? ""
                            : fmt::format(" (tick {} of the second recording)", found.second_tick),
                        found.state->field, found.state->first, found.state->second);
  } else if (found.ticks == 0) {
    text += "no tick could be compared\n";
  } else {
    text += fmt::format("the same, for {} ticks{}\n", found.ticks,
                        found.as_butter ? ", within the precision of a .butter" : "");
  }
  if (found.nearest != 0) {
    text += fmt::format("{} of {} ticks were recorded at different times, up to {} ms apart\n", found.nearest,
                        found.ticks, found.max_apart_ms);
  }
  standard_output().write(text);
}

void print_text(const files::described_comparison& found) {
  constexpr std::size_t max_shown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(found.schema.size(), max_shown); ++i) text += found.schema[i] + '\n';
  if (found.schema.size() > max_shown) {
    text += fmt::format("and {} more differences of the structs\n", found.schema.size() - max_shown);
  }
  if (const auto& state = found.state) {
    text += fmt::format("states differ from tick {} on\n  {}: {} and {}\n", state->tick, state->field,
                        state->first, state->second);
  } else if (found.ticks == 0 && !found.same()) {
    text += "no tick could be compared\n";
  } else {
    text += fmt::format("{}the same, for {} ticks\n", found.schema.empty() ? "" : "the common part is ",
                        found.ticks);
  }
  standard_output().write(text);
}

template <class Found>
int run_ticks(const diff_arguments& arguments,
              result<Found> (*compare)(const file_path&, const file_path&, const files::monitor&,
                                       std::size_t*)) {
  catch_stop_signals();
  std::size_t failed_one = 0;
  const auto found =
      compare(arguments.first, arguments.second, {.progress = {}, .cancelled = stop_requested}, &failed_one);
  if (!found) {
    report_error(failed_one == 0 ? arguments.first : arguments.second, found.error());
    return failed;
  }
  arguments.json ? print_json(arguments, *found) : print_text(*found);
  report_lacks(arguments, found->not_compared);
  for (const std::string& each : found->lost[0]) report_note(arguments.first, each);
  for (const std::string& each : found->lost[1]) report_note(arguments.second, each);
  if (!found->differ() && found->total[0] != found->total[1]) {
    report_note(arguments.second,
                fmt::format("{} ticks, the other has {}", found->total[1], found->total[0]));
  }
  return code_of(*found);
}

void put_difference(const files::replay_difference& from, bool with_event, text::json_writer& json) {
  json.begin_object();
  if (with_event) json.member("event", from.number).member("tick", from.tick).member("type", from.type);
  json.member("field", from.field).member("first", from.first).member("second", from.second).end_object();
}

void print_json(const diff_arguments& arguments, const files::replay_comparison& found) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("first", arguments.first).member("second", arguments.second);
  json.member("same", found.same()).key("facts").begin_array();
  for (const files::replay_difference& each : found.facts) put_difference(each, false, json);
  json.end_array().key("streams").begin_array();
  for (const files::replay_comparison::stream& each : found.streams) {
    json.begin_object().member("stream", each.member).member("same_events", each.same);
    json.member("first_events", each.total[0]).member("second_events", each.total[1]).key("difference");
    each.first ? put_difference(*each.first, true, json) : static_cast<void>(json.null());
    json.end_object();
  }
  json.end_array().end_object();
  standard_output().write_line(text);
}

void print_text(const files::replay_comparison& found) {
  std::string text;
  for (const files::replay_difference& each : found.facts) {
    text += fmt::format("{}: {} and {}\n", each.field, printable(each.first), printable(each.second));
  }
  for (const files::replay_comparison::stream& each : found.streams) {
    if (each.first) {
      text += fmt::format("{}: event {} differs, {} at tick {}\n  {}: {} and {}\n", each.member,
                          each.first->number, each.first->type, each.first->tick, each.first->field,
                          printable(each.first->first), printable(each.first->second));
    } else if (each.total[0] != each.total[1]) {
      text += fmt::format("{}: the same for {} events, then one ends: {} and {} events\n", each.member,
                          each.same, each.total[0], each.total[1]);
    } else {
      text += fmt::format("{}: the same, {} events\n", each.member, each.same);
    }
  }
  standard_output().write(text);
}

int run_replays(const diff_arguments& arguments) {
  catch_stop_signals();
  std::size_t failed_one = 0;
  const auto found = files::compare_replays(arguments.first, arguments.second,
                                            {.progress = {}, .cancelled = stop_requested}, &failed_one);
  if (!found) {
    report_error(failed_one == 0 ? arguments.first : arguments.second, found.error());
    return failed;
  }
  arguments.json ? print_json(arguments, *found) : print_text(*found);
  for (const std::string& each : found->lost[0]) report_note(arguments.first, each);
  for (const std::string& each : found->lost[1]) report_note(arguments.second, each);
  return found->same() ? done : done_with_loss;
}

// Compares the ticks of two recordings of one format without further knowledge.
bool are_of_one_format(const diff_arguments& arguments) {
  const auto first = files::detect(file_path(arguments.first));
  const auto second = files::detect(file_path(arguments.second));
  return first && second && *first == *second && !(*first)->has_records;
}

int compare_them(const diff_arguments& arguments) {
  using files::content;
  const content contents[2] = {files::content_of(arguments.first), files::content_of(arguments.second)};
  const std::string* const files[2] = {&arguments.first, &arguments.second};
  for (const std::string* const each : files) {
    if (const auto format = files::detect(file_path(*each)); !format) {
      report_error(*each, format.error());
      return failed;
    }
  }
  const auto are = [&](content of) { return contents[0] == of && contents[1] == of; };
  if (are(content::echo_ticks)) return run_ticks(arguments, &files::compare_echo);
  if (are(content::replay)) return run_replays(arguments);
  if (are(content::ticks) && are_of_one_format(arguments))
    return run_ticks(arguments, &files::compare_states);
  // Echo VR in columns is described, too.
  const auto is_described = [&](std::size_t i) { return files::is_described_reel(*files[i]); };
  if (is_described(0) && is_described(1)) return run_ticks(arguments, &files::compare_described);
  const auto is_match = [&](std::size_t i) {
    return contents[i] != content::echo_ticks && contents[i] != content::replay && !is_described(i);
  };
  std::optional<game::replay> matches[2];
  for (std::size_t i = 0; i < 2; ++i) {
    if (!is_match(i)) continue;
    auto opened = open_match(*files[i]);
    if (!opened) {
      report_error(*files[i], opened.error());
      if (opened.error().code == error_code::bad_magic) {
        report_advice(
            "diff compares recordings of matches: .icrep, and reels of them; Echo VR recordings of any "
            "format; two reels of described structs; and two .SC2Replay files");
      }
      return failed;
    }
    matches[i] = std::move(*opened);
  }
  if (!matches[0] || !matches[1]) {
    const auto name = [&](std::size_t i) {
      return contents[i] == content::echo_ticks ? "ticks of Echo VR"
             : contents[i] == content::replay   ? "a StarCraft II replay"
             : is_described(i)                  ? "described structs"
                                                : "a match of a game's own";
    };
    report_error(fmt::format("{} holds {}, {} {}: they cannot be compared", arguments.first, name(0),
                             arguments.second, name(1)));
    return failed;
  }
  std::size_t failed_one = 0;
  const auto found = game::compare(*matches[0], *matches[1], &failed_one);
  if (!found) {
    report_error(*files[failed_one], found.error());
    return failed;
  }
  const std::array<std::uint64_t, 2> lengths = {matches[0]->total_ticks(), matches[1]->total_ticks()};
  arguments.json ? print_json(arguments, *found, lengths) : print_text(*found);
  report_lacks(arguments, found->not_compared);
  if (matches[0]->total_ticks() != matches[1]->total_ticks()) {
    report_note(arguments.second, fmt::format("{} ticks, the other has {}", matches[1]->total_ticks(),
                                              matches[0]->total_ticks()));
  }
  return code_of(*found);
}

// Reports the data of either recording that is not compared.
int run(const diff_arguments& arguments) {
  int code = compare_them(arguments);
  for (const std::string* const each : {&arguments.first, &arguments.second}) {
    const auto trailing = files::find_trailing_bytes(file_path(*each));
    if (!trailing || code == failed || code == wrong_usage) continue;
    report_note(*each, trailing->sentence());
    code = done_with_loss;
  }
  return code;
}

}  // namespace

void add_diff(command& program) {
  auto arguments = std::make_shared<diff_arguments>();
  command& app = program.add_subcommand("diff", "Finds where two recordings differ");
  app.add_option(
         "A", arguments->first,
         "An .icrep, an Echo VR recording, a reel of one, a reel of described structs, or a .SC2Replay")
      .required();
  app.add_option("B", arguments->second, "Recording to compare with").required();
  app.add_flag("--json", arguments->json, "One JSON object instead of text");
  app.notes =
      "For desynchronised games: the first tick whose state differs, and in the first keyframe that "
      "both have\n"
      "and that differs the entity, the component and the field. Ticks that only one recording has are not "
      "compared.\n"
      "Of two reels of described structs: the first tick and the member that differ, and what their structs "
      "do not have in common.\n"
      "Of two Echo VR recordings (.butter, .echoreplay, reels): the number of ticks that differ, and for the "
      "first one the "
      "field by its\n"
      "path in the game's API. Comparisons with a .butter use its precision. Their "
      "ticks are aligned\n"
      "by recorded time: the same, or the nearest within half an interval. Tick numbers are those of the "
      "first recording.\n"
      "Of two recordings of one other format (.rec, .gamecache): the first tick whose state differs.\n"
      "Of two .SC2Replay files: facts of the game that differ, and for each stream the first event and "
      "field.\n"
      "Exit codes: 0 the same, 3 they differ or lack ticks, 1 they cannot be compared.";
  app.examples = {"tickreel diff mine.icrep theirs.icrep",
                  "tickreel diff mine.icrep theirs.icrep --json | jq .state",
                  "tickreel diff match.echoreplay match.butter"};
  app.run = [arguments] { return run(*arguments); };
}

}  // namespace tickreel::cli
