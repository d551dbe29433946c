#include "json_events.hpp"

#include <simdjson.h>
#include <algorithm>
#include <charconv>

#include "tickreel/files/range.hpp"

namespace tickreel::files {

namespace {

using event_json = simdjson::dom::element;

bool is_player(std::string_view key) {
  return key == "player" || key == "userid";
}

// is_json() limits the depth.
bool has_player(const event_json& value, std::string_view player, std::optional<std::int64_t> number,
                bool in_player) {
  std::string_view text;
  if (value.get(text) == simdjson::SUCCESS) return text == player;
  std::int64_t whole = 0;
  if (value.get(whole) == simdjson::SUCCESS) return in_player && number == whole;
  simdjson::dom::array list;
  if (value.get(list) == simdjson::SUCCESS) {
    return std::any_of(list.begin(), list.end(),
                       [&](const event_json& each) { return has_player(each, player, number, in_player); });
  }
  simdjson::dom::object members;
  if (value.get(members) != simdjson::SUCCESS) return false;
  return std::any_of(members.begin(), members.end(), [&](const auto& each) {
    return each.key != "type" && has_player(each.value, player, number, is_player(each.key));
  });
}

}  // namespace

struct json_events::parser {
  simdjson::dom::parser json;
  // False if it is not an object.
  bool read(std::string_view text, event_json& out) {
    return json.parse(text.data(), text.size()).get(out) == simdjson::SUCCESS && out.is_object();
  }
};

json_events::json_events(const event_query& query) : query_(query), parser_(std::make_unique<parser>()) {
  if (query.from) from_ = query.from->without_game_clock();
  if (query.to) to_ = query.to->without_game_clock();
}
json_events::~json_events() = default;

bool json_events::takes(std::string_view json, std::int64_t time_ms) {
  if (query_.types.empty() && query_.player.empty() && !from_ && !to_) return true;
  event_json event;
  if (!parser_->read(json, event)) return false;
  std::uint64_t tick = 0;
  std::string_view type;
  if (event["tick"].get(tick) != simdjson::SUCCESS || event["type"].get(type) != simdjson::SUCCESS)
    return false;
  if (from_ && is_before(*from_, tick, time_ms, {})) return false;
  if (to_ && is_after(*to_, tick, time_ms, {})) return false;
  if (!query_.types.empty() && std::ranges::count(query_.types, type) == 0) return false;
  if (query_.player.empty()) return true;
  std::int64_t number = 0;
  const char* const end = query_.player.data() + query_.player.size();
  const auto [stopped, code] = std::from_chars(query_.player.data(), end, number);
  const bool is_number = code == std::errc{} && stopped == end;
  return has_player(event, query_.player, is_number ? std::optional(number) : std::nullopt, false);
}

void json_events::add_type(std::string_view json, std::vector<std::string>& types) {
  constexpr std::size_t max_types = 10'000;
  event_json event;
  std::string_view type;
  if (!parser_->read(json, event) || event["type"].get(type) != simdjson::SUCCESS) return;
  const auto at = std::ranges::lower_bound(types, type);
  if ((at == types.end() || *at != type) && types.size() < max_types) types.emplace(at, type);
}

result<std::uint64_t> select_events(const json_event_walk& from, const event_query& query,
                                    const std::function<bool(std::string_view)>& each, const monitor& watch) {
  json_events events(query);
  std::uint64_t count = 0;
  for (std::uint64_t read = 1;; ++read) {
    if (read % 4096 == 0 && watch.stop()) return fail(error_code::interrupted);
    const auto more = from.next();
    if (!more) return fail(more.error());
    if (!*more) return count;
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
