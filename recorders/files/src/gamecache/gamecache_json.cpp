#include "gamecache_json.hpp"

#include "tickreel/gamecache/names.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::files {

namespace {

using gamecache::player;
namespace field = gamecache::field;

void append_text(text::json_writer& json, const std::string& key, const gamecache::text& from) {
  const std::string utf8 = gamecache::to_utf8(from);
  json.member(key, utf8);
  if (gamecache::from_utf8(utf8, from.form) != from)
    json.member(key + "_hex", text::to_hex(as_bytes(from.bytes)));
}

void append_text(text::json_writer& json, const std::string& key, const std::string& plain) {
  append_text(json, key, gamecache::text{gamecache::text_form::plain, plain});
}

void append_player(text::json_writer& json, const player& from, std::uint32_t fields, bool flat,
                   bool assists) {
  const auto has = [fields](std::uint32_t bit) { return (fields & bit) != 0; };
  json.begin_object();
  if (has(field::player_names)) append_text(json, "name", from.name);
  if (has(field::teams)) {
    json.member("team", int{from.team});
    if (const auto name = gamecache::team_name(from.team); !name.empty()) json.member("team_name", name);
  }
  if (has(field::heroes)) {
    json.member("hero", int{from.hero});
    if (const auto name = gamecache::hero_name(from.hero); !name.empty()) json.member("hero_name", name);
  }
  if (has(field::levels)) json.member("level", int{from.level});
  if (has(field::lanes)) {
    json.member("lane", int{from.lane});
    if (const auto name = gamecache::lane_name(from.lane); !name.empty()) json.member("lane_name", name);
  }
  if (has(field::stats)) {
    json.member("kills", from.kills).member("deaths", from.deaths).member("creeps", from.creeps);
    json.member("denies", from.denies);
    if (assists) json.member("assists", from.assists);
  }
  if (flat) json.member("gold", from.gold).member("neutrals", from.neutrals);
  if (has(field::leave_times)) json.member("leave_ms", from.leave_ms);
  if (has(field::item_gold)) json.member("item_gold", from.item_gold);
  if (has(field::actions_per_minute)) json.member("actions_per_minute", from.actions_per_minute);
  json.end_object();
}

void append_version(text::json_writer& json, const std::string& key, std::uint32_t version) {
  json.member(key, version);
  if (const std::string text = gamecache::version_text(version); !text.empty())
    json.member(key + "_text", text);
}

}  // namespace

void append_gamecache_item(const gamecache::item& from, gamecache::layout layout, std::string& out) {
  const bool flat = layout == gamecache::layout::flat;
  const std::uint32_t fields = flat                ? field::all & ~(field::ratio | field::mode)
                               : from.understood() ? from.fields
                                                   : 0;
  const auto has = [fields](std::uint32_t bit) { return (fields & bit) != 0; };
  text::json_writer json(out);
  append_text(json, "path", from.path);
  json.member("modified", from.modified);
  if (!flat) {
    json.member("flags", from.fields).member("age", from.age);
    if (from.claimed_size) json.member("claimed_size", *from.claimed_size);
  }
  if (has(field::game_name)) append_text(json, "name", from.name);
  if (has(field::ratio)) append_text(json, "ratio", from.ratio);
  if (has(field::length)) json.member("length_ms", from.length_ms);
  if (has(field::mode)) append_text(json, "mode", from.mode);
  if (flat) json.member("mode_bits", from.mode_bits);
  if (has(field::map_version)) append_version(json, "map_version", from.map_version);
  if (has(field::warcraft_version)) append_version(json, "warcraft_version", from.warcraft_version);
  if (has(field::winner)) {
    json.member("winner", int{from.winner});
    const auto name = gamecache::winner_name(from.winner);
    if (!name.empty()) json.member("winner_name", name);
  }
  if (flat && from.has_host_and_saver) json.member("host", int{from.host}).member("saver", int{from.saver});
  if (has(field::player_count)) {
    json.key("players").begin_array();
    for (const player& each : from.players) {
      append_player(json, each, fields, flat, flat || from.stats_per_player == 5);
    }
    json.end_array();
  }
  if (!from.tail.empty()) json.member("unknown_hex", text::to_hex(from.tail));
}

}  // namespace tickreel::files
