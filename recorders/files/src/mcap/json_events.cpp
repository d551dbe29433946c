#include "json_events.hpp"

#include <simdjson.h>
#include <algorithm>

#include "tickreel/files/range.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::files {

namespace {

// On demand, so that a text or number that this parser cannot hold does not hide the rest of an event.
using event_value = simdjson::ondemand::value;

bool is_player(std::string_view key) {
  return key == "player" || key == "userid";
}

// is_json() limits the depth.
template <class Value>
bool has_player(Value& value, std::string_view player, std::optional<std::int64_t> number, bool in_player) {
  simdjson::ondemand::json_type type{};
  if (value.type().get(type) != simdjson::SUCCESS) return false;
  if (type == simdjson::ondemand::json_type::string) {
    std::string_view text;
    return value.get_string().get(text) == simdjson::SUCCESS && text == player;
  }
  if (type == simdjson::ondemand::json_type::number) {
    std::int64_t whole = 0;
    return in_player && number && value.get_int64().get(whole) == simdjson::SUCCESS && number == whole;
  }
  if (type == simdjson::ondemand::json_type::array) {
    for (auto each : value.get_array()) {
      event_value item;
      if (each.get(item) != simdjson::SUCCESS) return false;
      if (has_player(item, player, number, in_player)) return true;
    }
  }
  if (type == simdjson::ondemand::json_type::object) {
    for (auto each : value.get_object()) {
      std::string_view key;
      event_value member;
      const bool is_readable = each.unescaped_key().get(key) == simdjson::SUCCESS;
      if (each.value().get(member) != simdjson::SUCCESS) return false;
      if (is_readable && key == "type") continue;
      if (has_player(member, player, number, is_readable && is_player(key))) return true;
    }
  }
  return false;
}

}  // namespace

struct json_events::parser {
  simdjson::ondemand::parser json;
  simdjson::ondemand::document event;
  std::string text;
  // The caller has checked that it is JSON. False if it is not an object.
  bool read(std::string_view of) {
    text.reserve(of.size() + simdjson::SIMDJSON_PADDING);
    text = of;
    simdjson::ondemand::json_type type{};
    return json.iterate(text.data(), text.size(), text.capacity()).get(event) == simdjson::SUCCESS &&
           event.type().get(type) == simdjson::SUCCESS && type == simdjson::ondemand::json_type::object;
  }
};

json_events::json_events(const event_query& query) : query_(query), parser_(std::make_unique<parser>()) {
  if (query.from) from_ = query.from->without_game_clock();
  if (query.to) to_ = query.to->without_game_clock();
}
json_events::~json_events() = default;

bool json_events::takes(std::string_view json, std::int64_t time_ms) {
  if (query_.types.empty() && query_.player.empty() && !from_ && !to_) return true;
  if (!parser_->read(json)) return false;
  simdjson::ondemand::document& event = parser_->event;
  const bool is_of_player = query_.player.empty() || concerns_player();
  has_met_player_ = has_met_player_ || is_of_player;
  if (!is_of_player) return false;
  std::uint64_t tick = 0;
  std::string_view type;
  if (event["tick"].get_uint64().get(tick) != simdjson::SUCCESS) return false;
  if (!query_.types.empty() && event["type"].get_string().get(type) != simdjson::SUCCESS) return false;
  if (from_ && is_before(*from_, tick, time_ms, {})) return false;
  if (to_ && is_after(*to_, tick, time_ms, {})) return false;
  return query_.types.empty() || std::ranges::count(query_.types, type) != 0;
}

bool json_events::concerns_player() {
  const bool is_it =
      has_player(parser_->event, query_.player, text::parse_number<std::int64_t>(query_.player), false);
  parser_->event.rewind();
  return is_it;
}

void json_events::add_type(std::string_view json, std::vector<std::string>& types) {
  constexpr std::size_t max_types = 10'000;
  std::string_view type;
  if (!parser_->read(json) || parser_->event["type"].get_string().get(type) != simdjson::SUCCESS) return;
  const auto at = std::ranges::lower_bound(types, type);
  if ((at == types.end() || *at != type) && types.size() < max_types) types.emplace(at, type);
}

result<std::uint64_t> select_events(const json_event_walk& from, const event_query& query,
                                    const std::vector<player_summary>& players,
                                    const std::function<bool(std::string_view)>& each, const monitor& watch) {
  json_events events(query);
  const auto is_named = [&](const player_summary& one) {
    const auto number = text::parse_number<std::int64_t>(query.player);
    return one.name == query.player ||
           (number && one.userid && *one.userid == static_cast<std::uint64_t>(*number));
  };
  std::uint64_t count = 0;
  for (std::uint64_t read = 1;; ++read) {
    if (read % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = from.next();
    if (!more) return fail(more.error());
    if (!*more) {
      const bool is_known =
          query.player.empty() || events.has_met_player() || std::ranges::any_of(players, is_named);
      if (is_known) return count;
      return fail(error_code::invalid_argument, error::no_offset,
                  "the recording has no player of that name or number");
    }
    if (!events.takes(from.event(), from.time_ms())) continue;
    ++count;
    if (!each(from.event())) return count;
  }
}

result<std::vector<std::string>> types_of_events(const json_event_walk& from) {
  std::vector<std::string> types;
  const event_query all;
  json_events events(all);
  for (;;) {
    const auto more = from.next();
    if (!more) return fail(more.error());
    if (!*more) return types;
    events.add_type(from.event(), types);
  }
}

result<void> check_types(const event_query& query, const result<std::vector<std::string>>& known) {
  if (!known) return fail(known.error());
  for (const std::string& each : query.types) {
    if (std::ranges::count(*known, each) != 0) continue;
    return fail(error_code::invalid_argument, error::no_offset, "there is no such type of event");
  }
  return {};
}

}  // namespace tickreel::files
