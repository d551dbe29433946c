#include "facts.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cinttypes>
#include <cstdio>

#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utc.hpp"

namespace tickreel::game {

namespace {

// A version 4 UUID, RFC 9562.
std::string made_up_id() {
  // Where it fails there are no random bytes either, and the next call ends the program.
  [[maybe_unused]] const int ready = sodium_init();
  std::array<std::byte, 16> id{};
  randombytes_buf(id.data(), id.size());
  id[6] = (id[6] & std::byte{0x0F}) | std::byte{0x40};
  id[8] = (id[8] & std::byte{0x3F}) | std::byte{0x80};
  std::string digits = text::to_hex(id);
  for (const std::size_t at : {8u, 13u, 18u, 23u}) digits.insert(at, 1, '-');
  return digits;
}

std::string time_now() {
  using namespace std::chrono;
  return text::utc_text(floor<seconds>(system_clock::now()).time_since_epoch().count());
}

std::string hash_text(const icrep::digest& hash) {
  return "sha256:" + text::to_hex(hash);
}

constexpr std::string_view lost_key = "x_lost";
constexpr const char* lost_pattern =
    " { \"ticks\" : %" SCNu64 " , \"keyframes\" : %" SCNu64 " , \"events\" : %" SCNu64 " }";

std::vector<icrep::slot_description> descriptions(const std::vector<slot_layout>& slots) {
  std::vector<icrep::slot_description> out;
  for (const slot_layout& one : slots) out.push_back(one.slot);
  return out;
}

void append_values(text::json_writer& json, std::string_view key, const std::vector<slot_layout>& slots) {
  json.key(key);
  json.begin_array();
  for (const slot_layout& one : slots) {
    json.begin_object();
    json.member("slot", one.slot.slot);
    json.key("values");
    json.begin_array();
    for (const value_layout& value : one.values) {
      json.begin_object();
      json.member("name", std::string_view(value.name));
      json.member("kind", name(value.kind));
      json.member("offset", value.offset);
      json.member("size", value.size_bytes);
      json.end_object();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

std::string values_json(const world_layout& layout) {
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  append_values(json, "components", layout.components);
  append_values(json, "player_fields", layout.player_fields);
  append_values(json, "world", layout.world);
  json.end_object();
  return text;
}

std::string derived_types_json() {
  std::string text;
  text::json_writer json(text);
  json.begin_array();
  for (std::size_t type = 0; type < analysis::type_count; ++type) {
    if ((analysis::detector::types() >> type & 1) != 0) json.value(analysis::type_name(type));
  }
  json.end_array();
  return text;
}

}  // namespace

icrep::metadata facts_of(const match& about, const world_layout& layout, const match_options& options) {
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

std::optional<match_losses> losses_of(const icrep::metadata& facts) {
  const auto known = std::ranges::find(facts.others, lost_key, &std::pair<std::string, std::string>::first);
  match_losses lost;
  if (known == facts.others.end() ||
      std::sscanf(known->second.c_str(), lost_pattern, &lost.ticks, &lost.keyframes, &lost.events) != 3) {
    return std::nullopt;
  }
  return lost;
}

void add_losses(icrep::metadata& facts, const match_losses& lost) {
  std::string text;
  text::json_writer json(text);
  json.begin_object();
  json.member("ticks", lost.ticks);
  json.member("keyframes", lost.keyframes);
  json.member("events", lost.events);
  json.end_object();
  facts.others.emplace_back(std::string(lost_key), std::move(text));
}

// RFC 3339, as time_now() writes it; other offsets than Z are not for a reel's header to guess.
std::int64_t start_time_us(const icrep::metadata& facts) noexcept {
  int year = 0;
  unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (std::sscanf(facts.timestamp.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u", &year, &month, &day, &hour, &minute,
                  &second) != 6) {
    return 0;
  }
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return 0;
  const auto time = sys_days(date) + hours(hour) + minutes(minute) + seconds(second);
  return duration_cast<microseconds>(time.time_since_epoch()).count();
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
