#include "diff_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "console/console.hpp"
#include "tickreel/counted.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::cli {

namespace {

void put_not_compared(const auto& ranges, text::json_writer& json) {
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

void put_beginning(const diff_arguments& arguments, bool same, bool is_complete, const diff_losses& losses,
                   text::json_writer& json) {
  json.begin_object().member("first", arguments.first).member("second", arguments.second);
  json.member("complete", is_complete && !losses.any());
  json.key("first_lost").array(losses.of[0]).key("second_lost").array(losses.of[1]);
  json.member("same", same && !losses.any());
}

void print_json(const diff_arguments& arguments, const files::tick_comparison& found,
                const diff_losses& losses, bool same, bool read_to_end,
                const std::function<void(text::json_writer&)>& put_more) {
  std::string text;
  text::json_writer json(text);
  put_beginning(arguments, same, found.is_complete(), losses, json);
  json.member("ticks_compared", found.ticks);
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
  put_not_compared(found.not_compared, json);
  put_lengths(read_to_end ? std::optional(found.total) : std::nullopt, json);
  json.end_object();
  standard_output().write_line(text);
}

void put_difference(const files::replay_difference& from, bool with_event, text::json_writer& json) {
  json.begin_object();
  if (with_event) json.member("event", from.number).member("tick", from.tick).member("type", from.type);
  json.member("field", from.field).member("first", from.first).member("second", from.second).end_object();
}

}  // namespace

void print_json(const diff_arguments& arguments, const game::comparison& found, const diff_losses& losses,
                const std::array<std::uint64_t, 2>& lengths) {
  std::string text;
  text::json_writer json(text);
  const auto number = [&](std::string_view key, const std::optional<std::uint64_t>& value) {
    json.key(key);
    value ? json.value(*value) : json.null();
  };
  put_beginning(arguments, found.same(), found.not_compared.empty(), losses, json);
  json.member("ticks_compared", found.ticks);
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
  put_not_compared(found.not_compared, json);
  put_lengths(lengths, json);
  json.end_object();
  standard_output().write_line(text);
}

void print_text(const game::comparison& found) {
  if (!found.differ()) {
    standard_output().write(found.ticks != 0 || found.same()
                                ? fmt::format("the same, for {}\n", counted(found.ticks, "tick"))
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

void print_json(const diff_arguments& arguments, const files::described_comparison& found,
                const diff_losses& losses) {
  print_json(arguments, found, losses, found.same(), !found.state,
             [&](text::json_writer& json) { json.key("schema").array(found.schema); });
}

void print_json(const diff_arguments& arguments, const files::state_comparison& found,
                const diff_losses& losses) {
  print_json(arguments, found, losses, found.same(), !found.state, [](text::json_writer&) {});
}

void print_text(const files::state_comparison& found) {
  if (const auto& state = found.state) {
    standard_output().write(fmt::format("states differ from tick {} on\n  {}\n  {}\n", state->tick,
                                        printable(state->first), printable(state->second)));
  } else {
    standard_output().write(found.ticks == 0
                                ? "no tick could be compared\n"
                                : fmt::format("the same, for {}\n", counted(found.ticks, "tick")));
  }
}

void print_json(const diff_arguments& arguments, const files::echo_comparison& found,
                const diff_losses& losses) {
  print_json(arguments, found, losses, found.same(), true, [&](text::json_writer& json) {
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
    text += fmt::format("{} of {} differ, the first is tick {}{}\n  {}: {} and {}\n", found.different,
                        counted(found.ticks, "tick"), found.state->tick,
                        found.second_tick == found.state->tick
                            ? ""
                            : fmt::format(" (tick {} of the second recording)", found.second_tick),
                        found.state->field, found.state->first, found.state->second);
  } else if (found.ticks == 0) {
    text += "no tick could be compared\n";
  } else {
    text += fmt::format("the same, for {}{}\n", counted(found.ticks, "tick"),
                        found.as_butter ? ", within the precision of a .butter" : "");
  }
  if (found.nearest != 0) {
    text += fmt::format("{} of {} recorded at different times, up to {} ms apart\n", found.nearest,
                        counted(found.ticks, "tick was", "ticks were"), found.max_apart_ms);
  }
  standard_output().write(text);
}

void print_text(const files::described_comparison& found) {
  constexpr std::size_t max_shown = 20;
  std::string text;
  for (std::size_t i = 0; i < std::min(found.schema.size(), max_shown); ++i) text += found.schema[i] + '\n';
  if (found.schema.size() > max_shown) {
    text +=
        fmt::format("and {} of the structs\n", counted(found.schema.size() - max_shown, "more difference"));
  }
  if (const auto& state = found.state) {
    text += fmt::format("states differ from tick {} on\n  {}: {} and {}\n", state->tick, state->field,
                        state->first, state->second);
  } else if (found.ticks == 0 && !found.same()) {
    text += "no tick could be compared\n";
  } else {
    text += fmt::format("{}the same, for {}\n", found.schema.empty() ? "" : "the common part is ",
                        counted(found.ticks, "tick"));
  }
  standard_output().write(text);
}

void print_json(const diff_arguments& arguments, const files::replay_comparison& found,
                const diff_losses& losses) {
  std::string text;
  text::json_writer json(text);
  put_beginning(arguments, found.same(), found.is_complete(), losses, json);
  json.key("facts").begin_array();
  for (const files::replay_difference& each : found.facts) put_difference(each, false, json);
  json.end_array().key("streams").begin_array();
  for (const files::replay_comparison::stream& each : found.streams) {
    json.begin_object().member("stream", each.member).member("same_events", each.same);
    json.member("first_events", each.total[0]).member("second_events", each.total[1]).key("difference");
    each.first ? put_difference(*each.first, true, json) : static_cast<void>(json.null());
    json.end_object();
  }
  json.end_array();
  put_lengths(found.total, json);
  json.end_object();
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
      text += fmt::format("{}: the same for {}, then one ends: {} and {}\n", each.member,
                          counted(each.same, "event"), each.total[0], counted(each.total[1], "event"));
    } else {
      text += fmt::format("{}: the same, {}\n", each.member, counted(each.same, "event"));
    }
  }
  standard_output().write(text);
}

}  // namespace tickreel::cli
