// The example recording of the format's description: three ticks, two keyframes, all 21 events, signed.
#pragma once

#include <boost/test/unit_test.hpp>
#include <vector>

#include "golden_bytes.hpp"
#include "hex.hpp"
#include "taken.hpp"
#include "tickreel/icrep/bc1.hpp"
#include "tickreel/icrep/delta.hpp"
#include "tickreel/icrep/reader.hpp"

namespace tickreel::test {

using namespace icrep;

template <std::size_t Count>
std::array<std::byte, Count> array_of(byte_span bytes) {
  std::array<std::byte, Count> made{};
  for (std::size_t i = 0; i < Count && i < bytes.size(); ++i) made[i] = bytes[i];
  return made;
}

template <class... Numbers>
byte_vector int32s(Numbers... numbers) {
  byte_vector bytes(4 * sizeof...(numbers));
  byte_writer out(bytes);
  (out.i32(numbers), ...);
  return bytes;
}

inline digest example_map() {
  return sha256(as_bytes("example map"));
}
inline digest example_final_hash() {
  return sha256(as_bytes("state at tick 3"));
}
constexpr std::string_view example_replay_id = "00000000-0000-4000-8000-000000000001";
// RFC 8032, test 1.
constexpr std::string_view example_key_seed =
    "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";

inline icrep::schema example_schema() {
  return {{{0, "position", 16}, {1, "health", 8}}, {{0, "credits", 4}}, {}};
}

inline sim_snapshot example_full() {
  sim_snapshot state;
  state.core.game_seed = 42;
  state.core.map_hash = example_map();
  state.core.rng_state = from_hex("0102030405060708");
  state.core.intern_table = {"rifle", "ore"};
  byte_vector components = int32s(1024, 2048, 0, 64);
  const byte_vector health = int32s(50, 50);
  components.insert(components.end(), health.begin(), health.end());
  state.core.entities = {{{7, 1}, 0, 3, components}};
  state.core.player_states = {{0, 1, int32s(5000)}};
  state.core.map_state = {{{3, 4, 0}, 1, 700}};
  return state;
}

inline script_state example_script() {
  script_state state;
  state.lua_states["base-ra1"] = from_hex("81a16101");
  state.mission_vars["wave"] = script::integer{3};
  return state;
}

inline delta_snapshot example_delta() {
  delta_snapshot delta;
  delta.core.baseline_hash = core_hash(example_full().core);
  delta.core.tick = 2;
  delta.core.intern_table_delta = {2, {"tank"}};
  byte_vector born = int32s(1);
  const byte_vector health = int32s(40, 40);
  born.insert(born.end(), health.begin(), health.end());
  delta.core.changed_entities = {{{7, 1}, 1, int32s(1100, 2048, 0, 64), false, false},
                                 {{8, 1}, 0, {}, false, true},
                                 {{9, 2}, 2, born, true, false},
                                 {world_tag, 1, from_hex("08000000000000001112131415161718"), false, false}};
  delta.core.changed_players = {{0, 1, int32s(4950)}};
  delta.core.changed_map = {{{{3, 4, 0}, 1, 690}}};
  delta.script_state = example_script();
  return delta;
}

inline std::vector<tick_frame> example_frames() {
  const timestamped_order moved{0, order::move{{{7, 1}, {9, 2}}, {2048, -1024, 0}}, 12000};
  const timestamped_order own{1, order::game_order{0x0102, from_hex("dead")}, 30500};
  return {{0, 0x51ca411e83c50fb2, {moved, own}},
          {1, 0x1122334455667788, {}},
          {2, 0x99aabbccddeeff00, {{1, order::idle{}, 0}}}};
}

inline std::vector<analysis::event> example_events() {
  using namespace analysis;
  const world_position here{1, 2, 3};
  const player_stats stats{5000, 100, 80, 12000, 12, 3, 5, 6, 0, 1, 9000, 4000, 8550};
  return {{unit_created{1, {9, 2}, 1, 0, here}},
          {construction_started{1, {10, 1}, 1, 0, here}},
          {construction_completed{2, {10, 1}}},
          {unit_destroyed{2, {8, 1}, unit_tag{9, 2}, 1}},
          {unit_position_sample{2, {{{7, 1}, {1100, 2048, 0}}, {{9, 2}, here}}}},
          {player_stat_snapshot{2, 0, stats}},
          {resource_collected{2, 0, 1, 25}},
          {upgrade_completed{2, 0, 17}},
          {camera_position_sample{2, 1, {512, 512, 0}, 100}},
          {selection_changed{2, 1, {{7, 1}}, {}}},
          {control_group_event{2, 1, 3, control_group_action::recall}},
          {ability_used{2, 1, 5, world_position{9, 8, 7}}},
          {pause_event{2, 0, true}},
          {match_ended{2, outcome::completed{outcome::winning_player{0}, outcome::surrender{1}}}},
          {vote_event{2, vote::ballot_cast{4, 1, vote::choice::yes}}},
          {engagement_started{2, here, {{7, 1}}, {{9, 2}}, 300, 450}},
          {engagement_ended{2, here, 1, 2, 3, 4, 90}},
          {superweapon_fired{2, 5, here, 0, 7, 2}},
          {base_destroyed{2, 1, here, {{8, 1}}}},
          {army_wipe{2, 1, 14, 9800, 72}},
          {comeback_moment{2, 0, -3000, 1500, 4500}}};
}

inline metadata example_metadata() {
  metadata facts;
  facts.replay_id = example_replay_id;
  facts.timestamp = "2027-03-15T15:00:00Z";
  facts.engine_version = "0.5.0";
  facts.data_version = "sha256:" + std::string(64, '0');
  facts.game_module = "ra1";
  facts.active_mods = {{"base-ra1", "1.0.0"}};
  facts.map_name = "Example";
  facts.map_hash = "sha256:" + to_hex(example_map());
  facts.game_speed = "slower";
  facts.balance_preset = "classic";
  facts.total_ticks = 3;
  facts.duration_seconds = 0.2;
  facts.players = {{0, "A", "allies", "won", 1}};
  facts.initial_rng_seed = 42;
  facts.is_signed = true;
  return facts;
}

inline byte_vector example_orders() {
  order_stream_writer writer({256, false});
  byte_vector blocks;
  for (const tick_frame& frame : example_frames()) taken(writer.add(frame, blocks));
  taken(writer.finish(blocks));
  return blocks;
}

inline byte_vector example_event_blocks() {
  auto writer = record_stream_writer::events(false);
  byte_vector blocks;
  for (const analysis::event& happened : example_events()) taken(writer.add(happened, blocks));
  taken(writer.finish(blocks));
  return blocks;
}

inline byte_vector example_keyframes() {
  keyframe_section_writer writer;
  taken(writer.add(0, true, to_bytes(example_full()), false));
  taken(writer.add(2, false, to_bytes(example_delta()), false));
  return writer.finish();
}

inline byte_vector example_signature() {
  const auto seed = array_of<32>(from_hex(example_key_seed));
  chain_signer signer(seed, {example_replay_id, example_map(), 42});
  taken(signer.add(0, core_hash(example_full().core)));
  taken(signer.add(3, example_final_hash()));
  return signer.section();
}

// A file with these facts. `others` are its other sections; it has the ticks of `facts` unless `others` names them.
inline byte_vector file_of(const metadata& facts, byte_span orders, byte_span keyframes,
                           file_sections others = {}) {
  const std::string json = to_json(facts);
  others.metadata_json = json;
  others.orders = orders;
  others.keyframes = keyframes;
  if (others.total_ticks == 0) others.total_ticks = facts.total_ticks;
  return taken(encode_file(others));
}

inline byte_vector example_file() {
  const byte_vector events = example_event_blocks();
  const byte_vector signature = example_signature();
  return file_of(example_metadata(), example_orders(), example_keyframes(),
                 {.events = events, .signature = signature, .final_state_hash = example_final_hash()});
}

inline reader_options example_options() {
  reader_options options;
  options.schema = example_schema();
  return options;
}

}  // namespace tickreel::test
