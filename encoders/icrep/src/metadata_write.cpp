#include "tickreel/analysis/json.hpp"
#include "tickreel/icrep/metadata.hpp"

namespace tickreel::icrep {

namespace {

using analysis::json_text;

void write(json_text& out, const other_members& others) {
  for (const auto& [key, json] : others) {
    out.key(key);
    out.raw(json);
  }
}

void write(json_text& out, const conversion& from) {
  out.open('{');
  out.pair("source", from.source);
  out.pair("original_file", from.original_file);
  out.pair("original_mod", from.original_mod);
  out.pair("original_version", from.original_version);
  out.pair("conversion_date", from.conversion_date);
  out.key("translation_warnings");
  out.raw(from.translation_warnings_json);
  if (from.diverged_at_tick) out.pair("diverged_at_tick", *from.diverged_at_tick);
  write(out, from.others);
  out.close('}');
}

void write(json_text& out, const branch& from) {
  out.open('{');
  out.pair("parent_replay_id", from.parent_replay_id);
  out.pair("parent_replay_file_sha256", from.parent_replay_file_sha256);
  out.pair("branch_tick", from.branch_tick);
  out.pair("branch_state_hash", from.branch_state_hash);
  out.pair("original_player_slot", from.original_player_slot);
  out.key("ai_assignments");
  out.raw(from.ai_assignments_json);
  write(out, from.others);
  out.close('}');
}

void write(json_text& out, std::string_view key, std::string_view number_key,
           const std::vector<slot_description>& slots) {
  out.key(key);
  out.open('[');
  for (const slot_description& slot : slots) {
    out.open('{');
    out.pair(number_key, slot.slot);
    out.pair("name", slot.name);
    out.pair("size", slot.size_bytes);
    out.close('}');
  }
  out.close(']');
}

void write(json_text& out, const schema& description) {
  out.open('{');
  write(out, "components", "slot", description.components);
  write(out, "player_fields", "bit", description.player_fields);
  if (!description.world.empty()) write(out, "world", "slot", description.world);
  out.close('}');
}

void write_players(json_text& out, const std::vector<player_entry>& players) {
  out.key("players");
  out.open('[');
  for (const player_entry& player : players) {
    out.open('{');
    out.pair("slot", player.slot);
    out.pair("name", player.name);
    out.pair("faction", player.faction);
    out.pair("outcome", player.outcome);
    out.pair("apm_avg", player.apm_avg);
    out.close('}');
  }
  out.close(']');
}

}  // namespace

std::string to_json(const metadata& facts) {
  std::string json;
  json_text out(json);
  out.open('{');
  out.pair("replay_id", facts.replay_id);
  out.pair("timestamp", facts.timestamp);
  out.pair("engine_version", facts.engine_version);
  out.pair("base_build", facts.base_build);
  out.pair("data_version", facts.data_version);
  out.pair("game_module", facts.game_module);
  out.key("active_mods");
  out.open('[');
  for (const mod_entry& mod : facts.active_mods) {
    out.open('{');
    out.pair("id", mod.id);
    out.pair("version", mod.version);
    out.close('}');
  }
  out.close(']');
  out.pair("map_name", facts.map_name);
  out.pair("map_hash", facts.map_hash);
  out.pair("game_speed", facts.game_speed);
  out.pair("balance_preset", facts.balance_preset);
  out.pair("total_ticks", facts.total_ticks);
  out.pair("duration_seconds", facts.duration_seconds);
  write_players(out, facts.players);
  out.pair("initial_rng_seed", facts.initial_rng_seed);
  out.pair("signed", facts.is_signed);
  if (facts.relay_server) out.pair("relay_server", *facts.relay_server);
  if (facts.converted_from) {
    out.key("converted_from");
    write(out, *facts.converted_from);
  }
  if (facts.branch_from) {
    out.key("branch_from");
    write(out, *facts.branch_from);
  }
  if (facts.state_hash) out.pair("state_hash", *facts.state_hash);
  if (facts.tick_rate) out.pair("tick_rate", *facts.tick_rate);
  if (facts.schema) {
    out.key("schema");
    write(out, *facts.schema);
  }
  write(out, facts.others);
  out.close('}');
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
