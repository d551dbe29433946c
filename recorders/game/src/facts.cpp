#include "facts.hpp"

#include <chrono>
#include <cstdio>
#include <random>

#include "tickreel/analysis/json.hpp"

namespace tickreel::game {

namespace {

// A version 4 UUID, RFC 9562.
std::string made_up_id() {
  std::random_device source;
  std::string id;
  for (int digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) id += '-';
    unsigned value = source() & 15u;
    if (digit == 12) value = 4;
    if (digit == 16) value = 8 | (value & 3u);
    id += "0123456789abcdef"[value];
  }
  return id;
}

std::string time_now() {
  using namespace std::chrono;
  const auto now = floor<seconds>(system_clock::now());
  const auto day = floor<days>(now);
  const year_month_day date(day);
  const hh_mm_ss time(now - day);
  char text[32];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02uT%02d:%02d:%02dZ", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()));
  return text;
}

std::string hash_text(const icrep::digest& hash) {
  std::string text = "sha256:";
  for (const std::byte byte : hash) {
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) >> 4];
    text += "0123456789abcdef"[std::to_integer<unsigned>(byte) & 15];
  }
  return text;
}

std::vector<icrep::slot_description> descriptions(const std::vector<slot_layout>& slots) {
  std::vector<icrep::slot_description> out;
  for (const slot_layout& one : slots) out.push_back(one.slot);
  return out;
}

void append_values(analysis::json_text& json, std::string_view key, const std::vector<slot_layout>& slots) {
  json.key(key);
  json.open('[');
  for (const slot_layout& one : slots) {
    json.open('{');
    json.pair("slot", one.slot.slot);
    json.key("values");
    json.open('[');
    for (const value_layout& value : one.values) {
      json.open('{');
      json.pair("name", std::string_view(value.name));
      json.pair("kind", name(value.kind));
      json.pair("offset", value.offset);
      json.pair("size", value.size_bytes);
      json.close('}');
    }
    json.close(']');
    json.close('}');
  }
  json.close(']');
}

std::string values_json(const world_layout& layout) {
  std::string text;
  analysis::json_text json(text);
  json.open('{');
  append_values(json, "components", layout.components);
  append_values(json, "player_fields", layout.player_fields);
  append_values(json, "world", layout.world);
  json.close('}');
  return text;
}

std::string derived_types_json() {
  std::string text;
  analysis::json_text json(text);
  json.open('[');
  for (std::size_t type = 0; type < analysis::type_count; ++type) {
    if ((analysis::detector::types() >> type & 1) != 0) json.value(analysis::type_name(type));
  }
  json.close(']');
  return text;
}

}  // namespace

icrep::metadata facts_of(const match& about, const world_layout& layout, const recording_options& options) {
  icrep::metadata facts;
  facts.replay_id = about.replay_id.empty() ? made_up_id() : about.replay_id;
  facts.timestamp = about.timestamp.empty() ? time_now() : about.timestamp;
  facts.engine_version = about.game_version;
  facts.game_module = about.game;
  facts.map_name = about.map;
  facts.map_hash = hash_text(about.map_hash);
  facts.players = about.players;
  for (auto& player : facts.players) {
    if (player.outcome.empty()) player.outcome = "unknown";
  }
  facts.initial_rng_seed = about.seed;
  facts.tick_rate = std::to_string(about.ticks_per_second) + "/1";
  facts.schema = icrep::schema{descriptions(layout.components), descriptions(layout.player_fields),
                               descriptions(layout.world)};
  facts.others.emplace_back(std::string(values_key), values_json(layout));
  if (options.detect) facts.others.emplace_back(std::string(icrep::derived_types_key), derived_types_json());
  return facts;
}

void finish_facts(icrep::metadata& facts, const match& about, const match_result& how,
                  std::uint64_t total_ticks) {
  facts.total_ticks = total_ticks;
  facts.duration_seconds = static_cast<double>(total_ticks) / about.ticks_per_second;
  for (std::size_t i = 0; i < facts.players.size() && i < how.player_outcomes.size(); ++i) {
    facts.players[i].outcome = how.player_outcomes[i];
  }
}

}  // namespace tickreel::game
