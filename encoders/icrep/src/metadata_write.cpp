#include <cmath>

#include "tickreel/icrep/metadata.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::icrep {

namespace {

using text::json_writer;

// JSON has no NaN and infinity, and readers reject them.
double finite(double number) noexcept {
  return std::isfinite(number) ? number : 0;
}

void write(json_writer& out, const other_members& others) {
  for (const auto& [key, json] : others) {
    out.key(key);
    out.raw(json);
  }
}

void write(json_writer& out, const conversion& from) {
  out.begin_object();
  out.member("source", from.source);
  out.member("original_file", from.original_file);
  out.member("original_mod", from.original_mod);
  out.member("original_version", from.original_version);
  out.member("conversion_date", from.conversion_date);
  out.key("translation_warnings");
  out.raw(from.translation_warnings_json);
  if (from.diverged_at_tick) out.member("diverged_at_tick", *from.diverged_at_tick);
  write(out, from.others);
  out.end_object();
}

void write(json_writer& out, const branch& from) {
  out.begin_object();
  out.member("parent_replay_id", from.parent_replay_id);
  out.member("parent_replay_file_sha256", from.parent_replay_file_sha256);
  out.member("branch_tick", from.branch_tick);
  out.member("branch_state_hash", from.branch_state_hash);
  out.member("original_player_slot", from.original_player_slot);
  out.key("ai_assignments");
  out.raw(from.ai_assignments_json);
  write(out, from.others);
  out.end_object();
}

void write(json_writer& out, std::string_view key, std::string_view number_key,
           const std::vector<slot_description>& slots) {
  out.key(key);
  out.begin_array();
  for (const slot_description& slot : slots) {
    out.begin_object();
    out.member(number_key, slot.slot);
    out.member("name", slot.name);
    out.member("size", slot.size_bytes);
    out.end_object();
  }
  out.end_array();
}

void write(json_writer& out, const schema& description) {
  out.begin_object();
  write(out, "components", "slot", description.components);
  write(out, "player_fields", "bit", description.player_fields);
  if (!description.world.empty()) write(out, "world", "slot", description.world);
  out.end_object();
}

void write_players(json_writer& out, const std::vector<player_entry>& players) {
  out.key("players");
  out.begin_array();
  for (const player_entry& player : players) {
    out.begin_object();
    out.member("slot", player.slot);
    out.member("name", player.name);
    out.member("faction", player.faction);
    out.member("outcome", player.outcome);
    out.member("apm_avg", finite(player.apm_avg));
    out.end_object();
  }
  out.end_array();
}

}  // namespace

std::string to_json(const metadata& facts) {
  std::string json;
  json_writer out(json);
  out.begin_object();
  out.member("replay_id", facts.replay_id);
  out.member("timestamp", facts.timestamp);
  out.member("engine_version", facts.engine_version);
  out.member("base_build", facts.base_build);
  out.member("data_version", facts.data_version);
  out.member("game_module", facts.game_module);
  out.key("active_mods");
  out.begin_array();
  for (const mod_entry& mod : facts.active_mods) {
    out.begin_object();
    out.member("id", mod.id);
    out.member("version", mod.version);
    out.end_object();
  }
  out.end_array();
  out.member("map_name", facts.map_name);
  out.member("map_hash", facts.map_hash);
  out.member("game_speed", facts.game_speed);
  out.member("balance_preset", facts.balance_preset);
  out.member("total_ticks", facts.total_ticks);
  out.member("duration_seconds", finite(facts.duration_seconds));
  write_players(out, facts.players);
  out.member("initial_rng_seed", facts.initial_rng_seed);
  out.member("signed", facts.is_signed);
  if (facts.relay_server) out.member("relay_server", *facts.relay_server);
  if (facts.converted_from) {
    out.key("converted_from");
    write(out, *facts.converted_from);
  }
  if (facts.branch_from) {
    out.key("branch_from");
    write(out, *facts.branch_from);
  }
  if (facts.state_hash) out.member("state_hash", *facts.state_hash);
  if (facts.tick_rate) out.member("tick_rate", *facts.tick_rate);
  if (facts.schema) {
    out.key("schema");
    write(out, *facts.schema);
  }
  write(out, facts.others);
  out.end_object();
  return json;
}

void anonymize(metadata& facts) {
  std::size_t number = 0;
  for (player_entry& player : facts.players) player.name = "Player " + std::to_string(++number);
}

std::optional<std::uint32_t> tick_duration_ms(std::string_view game_speed) noexcept {
  constexpr std::pair<std::string_view, std::uint32_t> speeds[] = {
      {"slowest", 80}, {"slower", 67}, {"normal", 50}, {"faster", 35}, {"fastest", 20}};
  for (const auto& [name, duration_ms] : speeds) {
    if (name == game_speed) return duration_ms;
  }
  return std::nullopt;
}

}  // namespace tickreel::icrep
