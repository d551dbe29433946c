#include "tickreel/library/event_list.hpp"

#include <array>
#include <cmath>
#include <utility>
#include <variant>

namespace tickreel::library {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

// Of a recording whose ticks have even times, and most of whose ticks are simulated; otherwise 0.
double ticks_per_second_of(files::recording& from, const files::monitor& watch) {
  const auto about = from.quick_summary(watch);
  if (!about) return 0;
  for (const files::fact& each : about->facts) {
    const auto* const rate = std::get_if<double>(&each.value);
    if (rate != nullptr && each.key == "ticks_per_second") return *rate;
  }
  return 0;
}

}  // namespace

result<event_list_builder> event_list_builder::create() {
  constexpr std::array<std::string_view, 3> in_each = {"tick", "time_ms", "type"};
  auto heads = viewer::repaired_values::create(in_each);
  if (!heads) return fail(heads.error());
  return event_list_builder(std::move(*heads));
}

void event_list_builder::begin(const needs& of) {
  needs_ = of;
  list_ = {};
  lost_.clear();
  hash_ = equal_ = 0;
}

void event_list_builder::add(std::string_view json) {
  const auto [head, repairs] = heads_.read(json);
  event_line& line = list_.lines.emplace_back();
  // Of equal events one follows the other.
  const std::uint64_t hash = std::hash<std::string_view>()(json);
  const bool is_equal = list_.lines.size() > 1 && hash_ == hash;
  equal_ = is_equal ? equal_ + 1 : 0;
  hash_ = hash;
  line.id = hash + equal_;
  if (const auto* const tick = std::get_if<std::int64_t>(&head[0])) {
    line.tick = static_cast<std::uint64_t>(*tick);
  } else if (const auto* const large = std::get_if<std::uint64_t>(&head[0])) {
    line.tick = *large;
  }
  if (const auto* const time = std::get_if<std::int64_t>(&head[1])) line.time_ms = *time;
  if (const auto* const type = std::get_if<std::string_view>(&head[2])) line.type = *type;
  if (needs_.json) line.json = json;
  // Otherwise only the head can have a loss.
  const bool is_in_head = repairs.is_unreadable || line.type.find(replacement_character) != std::string::npos;
  if (needs_.values || is_in_head) lost_.add(repairs, line.tick);
}

event_list event_list_builder::finish() {
  list_.losses = lost_.sentences();
  return std::exchange(list_, {});
}

result<void> set_event_times(event_list& to,
                             const std::function<result<std::unique_ptr<files::recording>>()>& open,
                             const files::monitor& watch) {
  std::unique_ptr<files::recording> ticks;
  double ticks_per_second = 0;
  for (event_line& each : to.lines) {
    if (each.time_ms || !each.tick) continue;
    if (ticks == nullptr) {
      auto opened = open();
      if (!opened) return fail(opened.error());
      ticks = std::move(*opened);
      ticks_per_second = ticks_per_second_of(*ticks, watch);
      if (auto back = ticks->rewind(); !back) return {};
      if (ticks_per_second <= 0) {
        if (const auto first = ticks->next(); !first || !*first) return {};
      }
    }
    if (ticks_per_second > 0) {
      constexpr double longest_ms = 9e18;
      const double time_ms = static_cast<double>(*each.tick) * 1000 / ticks_per_second;
      if (time_ms < longest_ms) each.time_ms = std::llround(time_ms);
      continue;
    }
    if (ticks->position().tick < *each.tick) {
      // Damage ends it; the events have reported it.
      if (const auto there = ticks->go_to(*each.tick); !there || !*there) return {};
    }
    if (ticks->position().tick == *each.tick) each.time_ms = ticks->position().time_ms;
  }
  return {};
}

}  // namespace tickreel::library
