#include "sc2_facts.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "tickreel/codec/codec.hpp"
#include "tickreel/sc2replay/game_event.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "tickreel/sc2replay/message.hpp"
#include "tickreel/sc2replay/statistics.hpp"
#include "tickreel/sc2replay/tracker_event.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/utc.hpp"

namespace tickreel::files {

namespace {

using sc2replay::game_event;

std::string_view speed_name(std::uint32_t speed) noexcept {
  constexpr std::string_view names[] = {"slower", "slow", "normal", "fast", "faster"};
  return speed < std::size(names) ? names[speed] : "unknown";
}

std::string_view result_name(sc2replay::game_result result) noexcept {
  switch (result) {
    case sc2replay::game_result::win:
      return "win";
    case sc2replay::game_result::loss:
      return "loss";
    case sc2replay::game_result::tie:
      return "tie";
    case sc2replay::game_result::unknown:
      break;
  }
  return "unknown";
}

std::string_view type_name(sc2replay::player_type type) noexcept {
  if (type == sc2replay::player_type::human) return "human";
  if (type == sc2replay::player_type::computer) return "computer";
  return "unknown";
}

constexpr std::uint32_t fastest = 4;

double rounded(double value) noexcept {
  return std::round(value * 10) / 10;
}

// "1v1", "2v2", "2v0" and so on, from the sizes of teams.
std::string teams_text(const sc2replay::replay& of) {
  std::array<unsigned, 16> sizes{};
  for (const sc2replay::player& each : of.players) {
    if (each.team && *each.team < sizes.size()) ++sizes[*each.team];
  }
  std::string out;
  for (const unsigned size : sizes) {
    if (size == 0) continue;
    if (!out.empty()) out += 'v';
    out += std::to_string(size);
  }
  return out;
}

// By the first number of a handle.
std::string_view region_name(std::string_view handle) noexcept {
  const std::string_view number = handle.substr(0, handle.find('-'));
  constexpr std::pair<std::string_view, std::string_view> regions[] = {
      {"1", "Americas"}, {"2", "Europe"},         {"3", "Korea and Taiwan"},
      {"5", "China"},    {"6", "Southeast Asia"}, {"98", "public test"}};
  for (const auto& [each, name] : regions) {
    if (each == number) return name;
  }
  return {};
}

std::string_view league_name(std::uint32_t league) noexcept {
  constexpr std::string_view names[] = {"none",     "bronze",  "silver", "gold",
                                        "platinum", "diamond", "master", "grandmaster"};
  return league < std::size(names) ? names[league] : names[0];
}

// Facts that the game itself stores about a player.
void add_game_facts(const sc2replay::replay& of, const sc2replay::player& player, player_summary& out) {
  const auto add = [&out](const char* key, auto&& value) { out.facts.push_back({key, std::move(value)}); };
  std::optional<double> rating;
  if (of.metadata) {
    for (const sc2replay::metadata_player& each : of.metadata->players) {
      if (each.number != player.number) continue;
      rating = each.rating;
      if (each.actions_per_minute) add("game_apm", *each.actions_per_minute);
    }
  }
  if (!of.lobby || !player.user || *player.user >= of.lobby->users.size()) {
    if (rating) add("mmr", static_cast<std::int64_t>(std::llround(*rating)));
    return;
  }
  const sc2replay::lobby_user& user = of.lobby->users[*player.user];
  // Before a ranked game ends, the lobby may contain numbers far below 0 for "none".
  constexpr std::int32_t lowest_rating = -10'000;
  if (!rating && user.scaled_rating && *user.scaled_rating > lowest_rating && *user.scaled_rating != 0) {
    rating = *user.scaled_rating;
  }
  if (rating) add("mmr", static_cast<std::int64_t>(std::llround(*rating)));
  if (user.highest_league) add("highest_league", std::string(league_name(*user.highest_league)));
}

player_summary summarise_player(const sc2replay::replay& of, const sc2replay::player& player,
                                const sc2_activity& activity) {
  player_summary out;
  out.name = player.name;
  if (player.team) out.team = std::to_string(*player.team + 1);
  const auto add = [&out](const char* key, auto&& value) { out.facts.push_back({key, std::move(value)}); };
  add("number", std::int64_t{player.number});
  if (player.event_user) add("event_user", std::int64_t{*player.event_user});
  if (!player.clan_tag.empty()) add("clan_tag", std::string(player.clan_tag));
  if (!player.handle.empty()) add("handle", std::string(player.handle));
  add("type", std::string(type_name(player.type)));
  if (!player.race.empty()) add("race", std::string(player.race));
  if (!player.race_english.empty()) add("race_english", std::string(player.race_english));
  if (!player.chosen_race.empty()) add("chosen_race", std::string(player.chosen_race));
  add("result", std::string(result_name(player.result)));
  if (const auto apm = actions_per_minute(of, player, activity)) add("apm", *apm);
  if (player.before) add("took_over_from", std::string(player.before->name));
  add_game_facts(of, player, out);
  return out;
}

player_summary summarise_observer(const sc2replay::observer& who) {
  player_summary out;
  out.name = who.name;
  out.team = "spectator";
  out.facts.push_back({"event_user", std::int64_t{who.event_user}});
  if (!who.clan_tag.empty()) out.facts.push_back({"clan_tag", who.clan_tag});
  if (!who.handle.empty()) out.facts.push_back({"handle", who.handle});
  out.facts.push_back({"type", std::string(who.referee ? "referee" : "observer")});
  return out;
}

// Games arranged by the ladder. The game's own mode is also set for games against computers.
bool is_matched(const sc2replay::replay& of) noexcept {
  const bool computers = std::any_of(of.players.begin(), of.players.end(), [](const sc2replay::player& each) {
    return each.type == sc2replay::player_type::computer;
  });
  return !computers && of.attributes->value(sc2replay::attribute_id::game_mode) == "Amm";
}

std::string identity_of(const sc2replay::person& who) {
  return who.handle.empty() ? who.name : who.handle;
}

// The user in a player's slot after the first `resumptions` resumptions of a game.
std::string holder_of(const sc2replay::replay& of, const sc2replay::player& player, std::size_t resumptions) {
  std::string out =
      identity_of(player.before ? *player.before : sc2replay::person{player.name, {}, player.handle});
  for (std::size_t at = 0; at < resumptions; ++at) {
    for (const auto& user : of.resumptions[at].users) {
      if (user.event_user == player.event_user) out = identity_of(user.by);
    }
  }
  return out;
}

// The same for every recorder of the match: a number drawn by the servers, the players, and a hash of the
// map. A game resumed from a replay has all of that from the original; the time and user of the resumption
// make it another match.
std::string match_id(const sc2replay::replay& of, std::size_t resumptions) {
  if (!of.lobby) return {};
  std::vector<std::string> parts;
  for (const sc2replay::player& each : of.players) parts.push_back(holder_of(of, each, resumptions));
  std::sort(parts.begin(), parts.end());
  for (std::size_t at = 0; at < resumptions; ++at) {
    parts.push_back("resumed " + std::to_string(of.resumptions[at].tick));
  }
  const auto& handles = of.lobby->cache_handles;
  parts.push_back(handles.empty() ? of.lobby->map_file_name : handles.back());
  parts.push_back(std::to_string(of.lobby->random_value) + ' ' + std::to_string(of.lobby->random_seed));
  std::string all;
  for (const std::string& each : parts) all += each + '\0';
  std::array<std::byte, 8> hash{};
  const std::uint64_t value = xxh3_64(as_bytes(all));
  for (std::size_t at = 0; at < hash.size(); ++at) {
    hash[at] = static_cast<std::byte>(value >> (56 - 8 * at) & 0xFF);
  }
  return "sc2-" + text::to_hex(hash);
}

// The last handle is the map's; those before it are of the files that it builds on.
void add_map_facts(const sc2replay::replay& of, summary& out) {
  std::string_view handle;
  if (of.details && of.details->cache_handles && !of.details->cache_handles->empty())
    handle = of.details->cache_handles->back();
  else if (of.lobby && !of.lobby->cache_handles.empty())
    handle = of.lobby->cache_handles.back();
  // Type, region, hash.
  if (handle.size() == 40 && handle.starts_with("s2ma"))
    out.facts.push_back({"map_file", map_file_name(as_bytes(handle.substr(8)))});
  if (of.lobby && of.lobby->map_size_x > 0 && of.lobby->map_size_y > 0)
    out.facts.push_back({"map_size", map_size_text(of.lobby->map_size_x, of.lobby->map_size_y)});
}

// Reads a stream to its end and passes every event to `each`.
template <class Reader, class Event, class Each>
void go_through(Reader reader, Event& event, std::uint64_t game_end, const monitor& watch,
                sc2_stream_end& out, Each&& each) {
  // A tenth of a second, at the slowest.
  constexpr std::uint64_t events_between_looks = 1u << 16;
  auto more = reader.next(event);
  for (; more && *more; more = reader.next(event)) {
    if (++out.events % events_between_looks == 0 && watch.stop()) return;
    out.last_tick = std::max(out.last_tick, event.tick);
    if (event.tick > game_end && out.late_events++ == 0) out.first_late_offset = event.offset;
    each(event);
  }
  if (!more) out.stopped = more.error();
}

}  // namespace

std::uint32_t game_speed(const sc2replay::replay& of) noexcept {
  if (of.details) return of.details->game_speed;
  return of.lobby ? of.lobby->game_speed : fastest;
}

double loops_per_second(const sc2replay::replay& of) noexcept {
  // Slower to faster: 0.6, 0.8, 1, 1.2 and 1.4 times 16.
  return sc2replay::loops_per_game_second * (0.6 + 0.2 * std::min(game_speed(of), fastest));
}

double clock_ticks_per_second(const sc2replay::replay& of) noexcept {
  constexpr std::uint32_t first_with_real_time = 3;
  const bool beta = of.header.encoding == sc2replay::header_encoding::beta;
  const bool real = !beta && of.header.major >= first_with_real_time;
  return real ? loops_per_second(of) : sc2replay::loops_per_game_second;
}

std::string map_file_name(byte_span sha256) {
  return text::to_hex(sha256) + ".s2ma";
}

std::string map_size_text(std::uint32_t width, std::uint32_t height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

std::string clock_text(const sc2replay::replay& of) {
  const bool real_time = clock_ticks_per_second(of) == loops_per_second(of);
  std::string speed(speed_name(game_speed(of)));
  speed.front() = static_cast<char>(speed.front() - 'a' + 'A');
  return (real_time ? "real time, " : "game time, ") + speed;
}

std::optional<double> actions_per_minute(const sc2replay::replay& of, const sc2replay::player& player,
                                         const sc2_activity& activity) noexcept {
  if (!player.event_user || *player.event_user >= activity.actions.size()) return std::nullopt;
  if (activity.last_tick[*player.event_user] < activity.first_tick) return 0;
  const double minutes = static_cast<double>(activity.last_tick[*player.event_user] - activity.first_tick) /
                         clock_ticks_per_second(of) / 60;
  if (minutes <= 0) return 0;
  return rounded(static_cast<double>(activity.actions[*player.event_user]) / minutes);
}

std::string ended_text(const sc2replay::replay& of) {
  if (!of.details) return {};
  return text::utc_text(sc2replay::unix_ms_of_file_time(of.details->ended_utc) / 1000);
}

sc2_activity activity_of(const sc2replay::replay& of, const monitor& watch) {
  sc2_activity out;
  const std::uint32_t base_build = of.base_build();
  const std::uint64_t end = of.header.loops;
  out.first_tick = of.resumed_tick();
  const auto event = std::make_unique<game_event>();
  go_through(sc2replay::game_event_reader(of.game_events, base_build), *event, end, watch, out.game,
             [&out](const game_event& each) {
               std::int64_t build = 0;
               if (each.kind == sc2replay::game_event_kind::other && each.name() == "user_options") {
                 if (each.number("base_build_num", build)) out.base_builds.insert(build);
                 if (each.number("build_num", build)) out.builds.insert(build);
               }
               if (each.user >= out.actions.size() || each.tick < out.first_tick) return;
               out.last_tick[each.user] = each.tick;
               if (is_action(each)) ++out.actions[each.user];
             });
  sc2replay::message message;
  go_through(sc2replay::message_reader(of.message_events, base_build), message, end, watch, out.messages,
             [&out](const sc2replay::message& each) {
               if (each.kind == sc2replay::message_kind::chat) ++out.chat_lines;
             });
  const auto tracked = std::make_unique<sc2replay::tracker_event>();
  go_through(sc2replay::tracker_event_reader(of.tracker_events, base_build), *tracked, end, watch,
             out.tracker, [](const sc2replay::tracker_event&) {});
  return out;
}

summary summarise_sc2(const sc2replay::replay& of, const sc2_activity& activity,
                      const verification& judgement) {
  summary out;
  out.format = "sc2replay";
  out.format_version = of.base_build();
  out.bytes = of.file_bytes;
  out.ticks = of.header.loops;
  out.duration_ms = static_cast<std::int64_t>(
      std::llround(1000.0 * static_cast<double>(of.header.loops) / clock_ticks_per_second(of)));
  out.health = is_marked_copy(judgement) ? health::recovered
               : judgement.ok()          ? health::whole
                                         : health::damaged;
  for (const sc2replay::player& each : of.players) {
    out.players.push_back(summarise_player(of, each, activity));
  }
  for (const sc2replay::observer& each : of.observers) out.players.push_back(summarise_observer(each));
  const auto add = [&out](const char* key, auto&& value) { out.facts.push_back({key, std::move(value)}); };
  add("map", std::string(of.map()));
  add_map_facts(of, out);
  add("version", sc2replay::version_text(of.header));
  add("base_build", std::int64_t{of.base_build()});
  if (is_newer_than_known(of.header)) {
    add("layouts_of", std::int64_t{sc2replay::newest_known_base_build});
  }
  add("teams", teams_text(of));
  if (of.attributes) add("matched", is_matched(of));
  if (std::string id = match_id(of, of.resumptions.size()); !id.empty()) add("match_id", std::move(id));
  if (!of.resumptions.empty()) {
    std::string original = match_id(of, of.resumptions.size() - 1);
    add("resumed_from", original.empty() ? "unknown" : std::move(original));
    add("resumed_at_tick", static_cast<std::int64_t>(of.resumed_tick()));
  }
  for (const sc2replay::player& each : of.players) {
    if (const std::string_view region = region_name(each.handle); !region.empty()) {
      add("region", std::string(region));
      break;
    }
  }
  if (of.lobby && !of.lobby->map_author_name.empty()) {
    add("map_publisher", std::string(of.lobby->map_author_name));
  }
  add("speed", std::string(speed_name(game_speed(of))));
  add("clock", clock_text(of));
  add("game_seconds", rounded(of.header.loops / sc2replay::loops_per_game_second));
  add("real_seconds", rounded(of.header.loops / loops_per_second(of)));
  if (of.details) add("ended", ended_text(of));
  add("game_events", static_cast<std::int64_t>(activity.game.events));
  add("tracker_events", static_cast<std::int64_t>(activity.tracker.events));
  add("messages", static_cast<std::int64_t>(activity.messages.events));
  add("chat_lines", static_cast<std::int64_t>(activity.chat_lines));
  std::string stripped;
  for (const std::string_view each : of.stripped) {
    stripped += (stripped.empty() ? "" : ", ") + std::string(each);
  }
  if (!stripped.empty()) add("stripped", std::move(stripped));
  for (std::string& each : problems_of(judgement)) add("problem", std::move(each));
  return out;
}

}  // namespace tickreel::files
