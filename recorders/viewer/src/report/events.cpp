#include "events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "words.hpp"

namespace tickreel::viewer {

namespace {

namespace dom = simdjson::dom;

constexpr std::string_view unlisted_members[] = {
    "tick",  "time_ms",   "game_clock", "type",    "derived", "player", "derived_from", "uncertain",
    "count", "missed_ms", "late_ms",    "seconds", "stream",  "user",   "user_id",      "recipient"};

std::string text_in(dom::object from, std::string_view key) {
  std::string_view out;
  return from[key].get(out) == simdjson::SUCCESS ? std::string(out) : std::string();
}

std::string cut(std::string text) {
  constexpr std::size_t longest = 400;
  if (text.size() > longest) text.resize(longest);
  return text;
}

// "scores 2 points from 6.5 m at 11.3 m/s, inside shot, assisted by Gale; 0 : 2"
std::string goal_text(dom::object event, const std::string& assist) {
  const double points = number_in(event, "points").value_or(0);
  std::string out = fmt::format("scores {} {}", number_text(points), points == 1 ? "point" : "points");
  if (const auto distance = number_in(event, "distance_m")) out += fmt::format(" from {:.1f} m", *distance);
  if (const auto speed = number_in(event, "speed")) out += fmt::format(" at {:.1f} m/s", *speed);
  if (std::string type = text_in(event, "goal_type"); !type.empty()) {
    for (char& each : type) each = each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
    out += ", " + type;
  }
  if (!assist.empty()) out += ", assisted by " + assist;
  const auto blue = number_in(event, "blue_points"), orange = number_in(event, "orange_points");
  if (blue && orange) out += fmt::format("; {} : {}", number_text(*blue), number_text(*orange));
  return out;
}

// Events that describe how the game runs or what a client shows, not what happens in the match.
constexpr std::string_view protocol_kinds[] = {"camera_position_sample",
                                               "command_manager_state",
                                               "control_group_event",
                                               "loading_progress",
                                               "player_setup",
                                               "player_stat_snapshot",
                                               "selection_changed",
                                               "selection_delta",
                                               "set_sync_loading_time",
                                               "set_sync_playing_time",
                                               "trigger_sound_length_sync",
                                               "unit_position_sample",
                                               "user_options",
                                               "user_finished_loading_sync"};

// The end of a sentence that begins with the player: verb, and the member that names its object.
struct event_words {
  std::string_view kind, verb, joint, member;
};
constexpr event_words sentences[] = {
    {"pass", "passes", " to ", "to"},
    {"catch", "catches", " from ", "from"},
    {"interception", "intercepts", " ", "from"},
    {"steal", "steals the disc", " from ", "from"},
    {"block", "blocks", {}, {}},
    {"stun", "stuns", " ", "victim"},
    {"save", "saves", " against ", "from"},
    {"possession_changed", "has the disc", " from ", "from"},
    {"throw", "throws", {}, {}},
    {"shot", "shoots", {}, {}},
    {"player_joined", "joins", {}, {}},
    {"player_left", "leaves", {}, {}},
    {"game_user_leave", "leaves the game", {}, {}},
    {"construction_started", "starts", " ", "unit_type_name"},
    {"construction_completed", "finishes", " ", "unit_type_name"},
    {"unit_created", "makes", " ", "unit_type_name"},
    {"unit_destroyed", "loses", " ", "unit_type_name"},
    {"upgrade_completed", "finishes", " ", "upgrade_name"},
};
// Sentences without a player.
constexpr std::pair<std::string_view, std::string_view> whole_sentences[] = {
    {"match_started", "The match begins"}, {"match_ended", "The match is over"},
    {"round_started", "The round begins"}, {"round_ended", "The round is over"},
    {"pause_ended", "The game goes on"},
};

}  // namespace

std::optional<double> number_of(simdjson::dom::element value) {
  switch (value.type()) {
    case dom::element_type::DOUBLE:
      return value.get_double().value_unsafe();
    case dom::element_type::INT64:
      return static_cast<double>(value.get_int64().value_unsafe());
    case dom::element_type::UINT64:
      return static_cast<double>(value.get_uint64().value_unsafe());
    default:
      return std::nullopt;
  }
}

std::optional<double> number_in(dom::object from, std::string_view key) {
  dom::element value;
  if (from[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return number_of(value);
}

std::string event_log::person(dom::element value) const {
  dom::object whole;
  if (value.get(whole) == simdjson::SUCCESS) {
    if (std::string name = text_in(whole, "name"); !name.empty()) return cut(std::move(name));
    const auto slot = number_in(whole, "slot");
    return slot ? "slot " + number_text(*slot) : std::string();
  }
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return cut(std::string(text));
  const auto number = number_of(value);
  if (!number || !(std::abs(*number) < 1e15)) return {};
  const auto found = names_.find(static_cast<std::int64_t>(*number));
  if (found != names_.end()) return found->second;
  // Where players have numbers, 0 often means no player.
  return *number == 0 && !names_.empty() ? std::string() : number_text(*number);
}

void event_log::add_place(std::string_view what, const std::string& whose, dom::element at, double units) {
  dom::object place;
  if (at.get(place) != simdjson::SUCCESS) return;
  const auto x = number_in(place, "x"), y = number_in(place, "y");
  if (!x || !y) return;
  for (place_map& each : places_) {
    if (each.what == what && each.whose == whose) return each.cells.add(*x / units, *y / units);
  }
  constexpr std::size_t max_maps = 24;
  if (places_.size() == max_maps) return;
  places_.push_back({std::string(what), whose, density(1)});
  places_.back().cells.add(*x / units, *y / units);
}

void event_log::add(dom::object event, double ms_per_tick, double first_ms, double units) {
  ++all_;
  listed_event entry;
  entry.tick = static_cast<std::uint64_t>(std::clamp(number_in(event, "tick").value_or(0), 0.0, 1e15));
  entry.seconds = static_cast<double>(entry.tick) * ms_per_tick / 1000;
  if (const auto s = number_in(event, "seconds")) entry.seconds = *s;
  if (const auto ms = number_in(event, "time_ms")) entry.seconds = (*ms - first_ms) / 1000;
  if (const auto clock = number_in(event, "game_clock"); clock && *clock >= 0) entry.clock = clock;
  entry.kind = cut(text_in(event, "type"));
  for (const dom::key_value_pair each : event) {
    if (each.key == "player" || each.key == "from" || each.key == "owner") {
      std::string name = person(each.value);
      if (each.key == "player" || entry.who.empty()) {
        if (each.key == "player" || each.key == "owner" || entry.kind == "chat") entry.who = std::move(name);
      }
    }
    if (each.key == "pos") {
      dom::element owner;
      const bool owned = event["owner"].get(owner) == simdjson::SUCCESS;
      if (entry.kind == "unit_destroyed" && owned)
        add_place("Where units were lost", person(owner), each.value, units);
    }
    if (each.key == "viewport_center") {
      dom::element owner;
      const bool owned = event["player"].get(owner) == simdjson::SUCCESS;
      if (owned) add_place("Where the camera was", person(owner), each.value, units);
    }
  }
  if (std::ranges::find(protocol_kinds, entry.kind) != std::end(protocol_kinds)) {
    ++protocol_;
    return;
  }
  auto& counted =
      kinds_.size() < max_kinds || kinds_.contains(entry.kind) ? kinds_[entry.kind] : kinds_["other kinds"];
  ++counted.all;
  if (counted.by_player.size() < max_people || counted.by_player.contains(entry.who)) {
    ++counted.by_player[entry.who];
  }
  if (entry.kind == "pass" && passes_.size() < max_people * 8) {
    dom::element to;
    const std::string recipient = event["to"].get(to) == simdjson::SUCCESS ? person(to) : std::string();
    ++passes_[{entry.who, recipient}];
  }
  if (entry.kind == "goal" && goals_.size() < max_listed) {
    dom::element assist;
    const std::string helper =
        event["assist"].get(assist) == simdjson::SUCCESS ? person(assist) : std::string();
    if (number_in(event, "blue_points")) {
      entry.what = goal_text(event, helper);
      goals_.push_back(std::move(entry));
      return;
    }
  }
  if (entry.kind == "chat" && texts_.size() < max_listed) {
    entry.what = cut(text_in(event, "text"));
    texts_.push_back(std::move(entry));
    return;
  }
  auto& kept = by_kind_[kinds_.contains(entry.kind) ? entry.kind : "other kinds"];
  if (kept.size() > max_per_kind) return;
  if (add_sentence(event, entry)) {
    kept.push_back(std::move(entry));
    return;
  }
  add_members(event, entry);
  entry.what = cut(std::move(entry.what));
  kept.push_back(std::move(entry));
}

// A kind without a sentence of its own: its members, by name.
void event_log::add_members(dom::object event, listed_event& entry) const {
  for (const dom::key_value_pair each : event) {
    if (std::ranges::find(unlisted_members, each.key) != std::end(unlisted_members)) continue;
    if (entry.what.size() > 300) break;
    std::string value;
    std::string_view text;
    bool truth = false;
    dom::object inside;
    if (each.value.get(text) == simdjson::SUCCESS) {
      value = text;
    } else if (each.value.get(truth) == simdjson::SUCCESS) {
      value = truth ? "yes" : "no";
    } else if (const auto number = number_of(each.value)) {
      value = each.key == "owner" ? person(each.value) : number_text(*number);
    } else if (each.value.get(inside) == simdjson::SUCCESS) {
      value = text_in(inside, "name");
    }
    if (value.empty()) continue;
    entry.what += (entry.what.empty() ? "" : ", ") + label_of(each.key) + " " + value;
  }
}

bool event_log::add_sentence(dom::object event, listed_event& entry) const {
  for (const auto& [kind, text] : whole_sentences) {
    if (kind != entry.kind) continue;
    const auto blue = number_in(event, "blue_points"), orange = number_in(event, "orange_points");
    entry.who.clear();
    entry.what = text;
    if (blue && orange) entry.what += fmt::format(", {} : {}", number_text(*blue), number_text(*orange));
    return entry.is_sentence = true;
  }
  const auto* const found = std::ranges::find(sentences, entry.kind, &event_words::kind);
  if (found == std::end(sentences) || entry.who.empty()) return false;
  entry.what = found->verb;
  dom::element object;
  if (!found->member.empty() && event[found->member].get(object) == simdjson::SUCCESS) {
    if (const std::string name = person(object); !name.empty())
      entry.what += std::string(found->joint) + name;
  }
  if (entry.what == "stuns") entry.what += " an opponent";
  if (entry.kind == "throw" || entry.kind == "shot") {
    if (const auto speed = number_in(event, "speed")) entry.what += fmt::format(" at {:.1f} m/s", *speed);
  }
  return entry.is_sentence = true;
}

std::vector<const listed_event*> event_log::listed() const {
  std::vector<const listed_event*> out;
  for (const auto& [kind, events] : by_kind_) {
    if (events.size() > max_per_kind) continue;
    for (const listed_event& each : events) out.push_back(&each);
  }
  std::ranges::stable_sort(out, [](const listed_event* a, const listed_event* b) {
    return a->seconds != b->seconds ? a->seconds < b->seconds : a->tick < b->tick;
  });
  if (out.size() > max_listed) out.resize(max_listed);
  return out;
}

}  // namespace tickreel::viewer
