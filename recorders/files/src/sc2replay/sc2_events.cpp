#include "sc2_events.hpp"

#include <algorithm>
#include <cmath>

#include "player_names.hpp"
#include "sc2_facts.hpp"
#include "sc2_problem.hpp"
#include "tickreel/analysis/event_json.hpp"
#include "tickreel/files/event_types.hpp"
#include "tickreel/sc2replay/events_json.hpp"
#include "tickreel/sc2replay/game_actions.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

using sc2replay::bridged;

bool is_event_type(std::string_view name) {
  return analysis::type_from_name(name).has_value() || std::ranges::binary_search(sc2_event_types(), name);
}

// The game's clock at that tick differs by at most a nanosecond, by rounding.
std::uint64_t tick_of(const moment& where, bool first, double ticks_per_second) {
  if (where.unit == moment::by::tick) return where.tick;
  constexpr double rounding = 1e-6;
  const double ticks = std::max(0.0, where.seconds) * ticks_per_second;
  return static_cast<std::uint64_t>(
      std::min(first ? std::ceil(ticks - rounding) : std::floor(ticks + rounding), 9e18));
}

std::uint64_t tick_of(const bridged& item) noexcept {
  if (item.event != nullptr) return analysis::tick_of(*item.event);
  if (item.game != nullptr) return item.game->tick;
  return item.tracker != nullptr ? item.tracker->tick : item.said->tick;
}

std::string_view type_of(const bridged& item) noexcept {
  if (item.event != nullptr) return analysis::type_name(*item.event);
  if (item.game != nullptr) return item.game->name();
  return item.tracker != nullptr ? item.tracker->name() : name(item.said->kind);
}

bool concerns(const bridged& item, std::uint32_t player, const sc2replay::analysis_bridge& bridge) noexcept {
  if (item.unit && (item.unit->owner == player || item.unit->owner_before == player)) return true;
  if (item.event != nullptr) return analysis::concerns(*item.event, player);
  if (item.game != nullptr) return bridge.player_of_user(item.game->user) == player;
  if (item.said != nullptr) return bridge.player_of_user(item.said->user) == player;
  sc2replay::unit_owner_change owner;
  sc2replay::upgrade upgrade;
  sc2replay::player_setup setup;
  if (read_unit_owner_change(*item.tracker, owner)) return owner.control_player == player;
  if (read_upgrade(*item.tracker, upgrade)) return upgrade.player == player;
  return read_player_setup(*item.tracker, setup) && setup.player == player;
}

// In map units.
void append_point(const sc2replay::map_point& place, text::json_writer& json) {
  json.key("target_map").begin_object();
  json.member("x", place.x).member("y", place.y).end_object();
}

void append_unit(const sc2replay::unit_target& target, text::json_writer& json) {
  // As tags in analysis events.
  const auto generation = static_cast<std::uint16_t>(target.unit.recycle());
  json.key("target_unit").begin_object();
  json.member("index", target.unit.index()).member("generation", generation).end_object();
  append_point(target.place, json);
}

// The owner, type and position of a unit, as in events of births.
void append_unit_facts(const sc2replay::unit_facts& unit, text::json_writer& json) {
  json.member("unit_type", unit.type).member("owner", unit.owner);
  if (unit.place) {
    const auto fixed = [](double map_units) { return std::llround(map_units * sc2replay::point_scale); };
    json.key("pos").begin_object();
    json.member("x", fixed(unit.place->x)).member("y", fixed(unit.place->y));
    json.member("z", 0).end_object();
  }
  json.member("unit_type_name", unit.type_name);
}

// Names that an analysis event cannot store.
void append_names(const bridged& item, text::json_writer& json) {
  if (item.unit) append_unit_facts(*item.unit, json);
  if (!item.type_name.empty()) {
    const bool upgrade = std::holds_alternative<analysis::upgrade_completed>(item.event->what);
    json.member(upgrade ? "upgrade_name" : "unit_type_name", item.type_name);
  }
  const auto* used = std::get_if<analysis::ability_used>(&item.event->what);
  if (used == nullptr || item.game == nullptr) return;
  if (used->ability_id == sc2replay::right_click_ability_id) json.member("right_click", true);
  sc2replay::command order;
  sc2replay::command_target later;
  if (read_command(*item.game, order)) {
    if ((order.flags & sc2replay::command_flags::queued) != 0) json.member("queued", true);
    if (order.point) append_point(*order.point, json);
    if (order.unit) append_unit(*order.unit, json);
  } else if (read_command_target(*item.game, later)) {
    if (later.point) append_point(*later.point, json);
    if (later.unit) append_unit(*later.unit, json);
  }
}

// Other events identify users.
void append_player(std::uint8_t user, const sc2replay::analysis_bridge& bridge, text::json_writer& json) {
  if (const auto player = bridge.player_of_user(user)) json.member("player", *player);
}

void append_line(const bridged& item, const sc2replay::replay& of, const sc2replay::analysis_bridge& bridge,
                 std::string& line) {
  const double rate = clock_ticks_per_second(of);
  text::json_writer json(line);
  json.begin_object();
  if (item.event != nullptr) {
    analysis::append_members(*item.event, json);
    append_names(item, json);
  } else if (item.game != nullptr) {
    append_members(*item.game, json, rate);
    append_player(item.game->user, bridge, json);
  } else if (item.tracker != nullptr) {
    append_members(*item.tracker, json, rate);
    if (item.unit) json.member("owner", item.unit->owner);
    if (item.unit && item.unit->owner_before) json.member("owner_before", *item.unit->owner_before);
  } else {
    append_members(*item.said, json, rate);
    append_player(item.said->user, bridge, json);
    const std::string_view name = of.name_at(item.said->user, item.said->tick);
    if (item.said->kind == sc2replay::message_kind::chat && !name.empty()) json.member("from", name);
  }
  json.end_object();
}

}  // namespace

std::vector<std::string_view> sc2_event_types() {
  std::vector<std::string_view> out;
  for (const auto stream : {sc2replay::layout_stream::game, sc2replay::layout_stream::message}) {
    for (const sc2replay::layout& each : sc2replay::layouts(stream)) out.push_back(each.name);
  }
  sc2replay::tracker_event tracker;
  for (tracker.id = 0; tracker.id <= static_cast<std::uint32_t>(sc2replay::tracker_kind::player_setup);
       ++tracker.id) {
    out.push_back(tracker.name());
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

sc2replay::bridge_sources bridge_sources_of(const sc2replay::replay& of) noexcept {
  return {of.base_build(), of.header.loops,           of.game_events, of.message_events, of.tracker_events,
          of.players,      clock_ticks_per_second(of)};
}

result<std::uint64_t> sc2_events(const sc2replay::replay& of, const event_query& query,
                                 const std::function<bool(std::string_view)>& each, const monitor& watch,
                                 std::vector<std::string>& losses) {
  std::uint64_t first_tick = 0;
  std::uint64_t last_tick = ~std::uint64_t{0};
  const double rate = clock_ticks_per_second(of);
  if (query.from) first_tick = tick_of(*query.from, true, rate);
  if (query.to) last_tick = tick_of(*query.to, false, rate);
  for (const std::string& type : query.types) {
    if (!is_event_type(type)) {
      return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
    }
  }
  std::optional<std::uint32_t> player;
  if (!query.player.empty()) {
    player = player_named(query.player, of.players, &sc2replay::player::number);
    if (!player)
      return fail(error_code::invalid_argument, error::no_offset,
                  "the recording has no player of that name or number");
  }

  sc2replay::analysis_bridge bridge(bridge_sources_of(of));
  bridged item;
  std::uint64_t looked_at = 0;
  std::uint64_t count = 0;
  std::string line;
  while (bridge.next(item)) {
    if (++looked_at % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const std::uint64_t tick = tick_of(item);
    if (tick < first_tick || tick > last_tick) continue;
    if (!query.types.empty() && std::ranges::find(query.types, type_of(item)) == query.types.end()) continue;
    if (player && !concerns(item, *player, bridge)) continue;
    line.clear();
    append_line(item, of, bridge, line);
    ++count;
    if (!each(line)) return count;
  }
  for (const sc2replay::bridge_problem& one : bridge.problems()) {
    losses.push_back(stop_text(one.member, one.what));
  }
  return count;
}

}  // namespace tickreel::files
