#include "facts.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "layout_json.hpp"
#include "match_parts.hpp"
#include "tickreel/icrep/entry.hpp"
#include "tickreel/icrep/fact_values.hpp"
#include "tickreel/icrep/lost_content.hpp"
#include "tickreel/text/hex.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utc.hpp"

namespace tickreel::game {

namespace {

// A version 4 UUID, RFC 9562.
std::string made_up_id() {
  // If it fails, the system has no random bytes, and the next call ends the program.
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

// Long enough for any name; a hundred players with hostile names stay below the limit of metadata.
constexpr std::size_t fact_text_bytes = 1024;
// Bytes that the end adds beside outcomes: losses, duration, hashes.
constexpr std::size_t last_words_bytes = 4096;

constexpr std::string_view fixes_key = "x_mended";

void fix(std::string& text, match_fixes& fixes) {
  if (icrep::fix_text(text, fact_text_bytes)) ++fixes.texts;
}

std::vector<icrep::slot_description> descriptions(const std::vector<slot_layout>& slots, match_fixes& fixes) {
  std::vector<icrep::slot_description> out;
  for (const slot_layout& one : slots) {
    out.push_back(one.slot);
    fix(out.back().name, fixes);
  }
  return out;
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

icrep::metadata facts_of(const match& about, const world_layout& layout, const match_options& options,
                         match_fixes& fixes) {
  icrep::metadata facts;
  facts.replay_id = about.replay_id.empty() ? made_up_id() : about.replay_id;
  facts.timestamp = about.timestamp.empty() ? time_now() : about.timestamp;
  facts.engine_version = about.game_version;
  facts.game_module = about.game;
  facts.map_name = about.map;
  facts.map_hash = hash_text(about.map_hash);
  facts.players = about.players;
  for (auto& player : facts.players) {
    for (std::string* text : {&player.name, &player.faction, &player.outcome}) fix(*text, fixes);
    if (player.outcome.empty()) player.outcome = "unknown";
    if (!std::isfinite(player.apm_avg)) {
      player.apm_avg = 0;
      ++fixes.values;
    }
  }
  for (std::string* text :
       {&facts.replay_id, &facts.timestamp, &facts.engine_version, &facts.game_module, &facts.map_name}) {
    fix(*text, fixes);
  }
  facts.initial_rng_seed = about.seed;
  facts.tick_rate = std::to_string(about.ticks_per_second) + "/1";
  facts.schema = icrep::schema{descriptions(layout.components, fixes),
                               descriptions(layout.player_fields, fixes), descriptions(layout.world, fixes)};
  put_layout(facts, layout);
  if (options.split) add_split(facts, {options.file_limit_bytes, options.file_limit_keyframes});
  if (options.detect) facts.others.emplace_back(std::string(icrep::derived_types_key), derived_types_json());
  return facts;
}

std::optional<std::size_t> room_for_outcomes(const icrep::metadata& facts) {
  const std::size_t taken = icrep::to_json(facts).size() + last_words_bytes;
  const std::size_t most = icrep::limits{}.metadata_bytes;
  return taken <= most ? std::optional(most - taken) : std::nullopt;
}

std::vector<std::string> fix_outcomes(std::vector<std::string> outcomes, std::size_t room,
                                      match_fixes& fixes) {
  std::string json;
  for (std::string& outcome : outcomes) {
    fix(outcome, fixes);
    json.clear();
    text::append_json_text(outcome, json);
    if (json.size() > room) {
      outcome.clear();
      ++fixes.texts;
    } else {
      room -= json.size();
    }
  }
  return outcomes;
}

std::optional<match_losses> losses_of(const icrep::metadata& facts) {
  const auto lost = icrep::lost_content_of(facts);
  return lost ? std::optional(match_losses{lost->ticks, lost->keyframes, lost->events}) : std::nullopt;
}

std::optional<match_fixes> fixes_of(const icrep::metadata& facts) {
  match_fixes fixes;
  const bool found =
      icrep::read_numbers(facts, fixes_key, {{"texts", &fixes.texts}, {"values", &fixes.values}});
  return found ? std::optional(fixes) : std::nullopt;
}

void add_fixes(icrep::metadata& facts, const match_fixes& fixes) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("texts", fixes.texts).member("values", fixes.values).end_object();
  facts.others.emplace_back(std::string(fixes_key), std::move(text));
}

void add_losses(icrep::metadata& facts, const match_losses& lost) {
  icrep::set_lost_content(facts, {lost.ticks, lost.keyframes, lost.events});
}

std::int64_t start_time_us(const icrep::metadata& facts) noexcept {
  return text::utc_seconds(facts.timestamp).value_or(0) * 1'000'000;
}

void finish_facts(icrep::metadata& facts, const match& about, const match_result& how,
                  std::uint64_t total_ticks) {
  facts.total_ticks = total_ticks;
  facts.duration_seconds = static_cast<double>(total_ticks) / about.ticks_per_second;
  for (std::size_t i = 0; i < facts.players.size() && i < how.player_outcomes.size(); ++i) {
    if (!how.player_outcomes[i].empty()) facts.players[i].outcome = how.player_outcomes[i];
  }
}

}  // namespace tickreel::game
