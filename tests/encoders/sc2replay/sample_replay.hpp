// The members of a small made-up replay: two players, a computer, a spectator, chat, and an event that names a user.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tickreel/bytes/bits.hpp"
#include "tickreel/sc2replay/attributes.hpp"
#include "tickreel/sc2replay/details.hpp"
#include "tickreel/sc2replay/header.hpp"
#include "tickreel/sc2replay/lobby.hpp"

namespace tickreel::test {

inline constexpr std::uint32_t sample_base_build = 80949;

inline sc2replay::header sample_header() {
  sc2replay::header out;
  out.major = 5;
  out.build = 80949;
  out.base_build = sample_base_build;
  out.loops = 640;
  out.scaled_time = true;
  out.root_key.emplace();
  out.root_key->fill(std::byte{0x5A});
  out.data_build = 80949;
  out.compatibility_hash.emplace();
  out.root_key_is_development_data = false;
  return out;
}

inline sc2replay::header sample_beta_header() {
  sc2replay::header out;
  out.encoding = sc2replay::header_encoding::beta;
  out.signature =
      "StarCraft II replay\x1B"
      "2";
  out.minor = 9;
  out.build = 14621;
  out.base_build = 14621;
  out.loops = 15005;
  return out;
}

inline sc2replay::details_player sample_player(std::string name, std::uint64_t id, std::uint32_t slot) {
  sc2replay::details_player out;
  out.name = std::move(name);
  if (id != 0) out.toon = {2, 0x5332, 1, id};
  out.race = "Zerg";
  out.color = {255, 180, 20, 30};
  out.control = id != 0 ? 2 : 3;
  out.team = slot;
  out.result = slot == 0 ? 1 : 2;
  out.slot = std::optional<std::uint32_t>(slot);
  out.hero = "";
  return out;
}

inline sc2replay::details sample_details() {
  sc2replay::details out;
  out.players = {sample_player("&lt;TICK&gt;<sp/>Ayla", 278321, 0), sample_player("Borin", 4545534, 1),
                 sample_player("Very easy computer", 0, 2)};
  out.title = "Clockwork Canyon";
  out.thumbnail = "Minimap.tga";
  out.map_by_blizzard = true;
  out.ended_utc = 132404660161480473;
  out.local_offset = -180000000000;
  out.cache_handles = {std::string(40, 'h'), std::string("s2ma\0\0EU", 8) + std::string(32, '\x7F')};
  out.mod_paths = std::optional<std::vector<std::string>>();
  out.campaign = 0;
  out.restarts_as_transition_map = std::optional<bool>(false);
  out.recovering_disabled = true;
  return out;
}

inline sc2replay::lobby sample_lobby() {
  sc2replay::lobby out;
  out.users.resize(16);
  out.users[0].name = "Ayla";
  out.users[0].clan_tag = "TICK";
  out.users[0].scaled_rating = -7;
  out.users[0].random_seed = 0xFEDCBA98;
  out.users[1].name = "Borin";
  out.users[2].name = "Watcher";
  out.slots.resize(4);
  for (std::uint32_t slot = 0; slot < out.slots.size(); ++slot) {
    out.slots[slot].control = slot == 2 ? 3 : 2;
    out.slots[slot].team_id = slot;
    out.slots[slot].working_set_slot_id = slot;
    if (slot != 2) out.slots[slot].user_id = slot == 3 ? 2 : slot;
  }
  out.slots[0].race = 1;
  out.slots[0].toon_handle = "2-S2-1-278321";
  out.slots[1].color = 3;
  out.slots[1].toon_handle = "2-S2-1-4545534";
  out.slots[3].observe = 1;
  out.slots[3].toon_handle = "2-S2-1-99";
  out.options = {{"lock_teams", 1}, {"amm", 1}, {"fog", 2}};
  out.game_cache_name = "Dflt";
  out.map_file_name = "Cache/h.s2ma";
  out.cache_handles = {std::string(40, 'h')};
  out.random_value = 12345;
  out.game_speed = 4;
  out.max_players = 3;
  out.map_size_x = 200;
  out.map_size_y = 216;
  out.random_seed = 385365665;
  out.host_user_id = 1;
  return out;
}

inline sc2replay::attributes sample_attributes() {
  sc2replay::attributes out;
  out.header.resize(5);
  out.list = {{999, 500, 1, "Humn"}, {999, 3001, 2, "RAND"}, {999, 3009, 16, "Amm"}, {999, 3003, 1, " 100"}};
  return out;
}

using sample_bits = bit_writer<bit_order::high_first>;

// Each event starts at a byte boundary, as the game writes them.
template <class Write>
void add_sample_event(byte_vector& to, unsigned delta, unsigned user, unsigned id, unsigned id_bits,
                      Write&& write) {
  byte_vector room(256);
  sample_bits bits(room);
  bits.bits(0, 2);
  bits.bits(delta, 6);
  bits.bits(user, 5);
  bits.bits(id, id_bits);
  write(bits);
  to.insert(to.end(), bits.written().begin(), bits.written().end());
}

inline void put_text(sample_bits& to, std::string_view text, unsigned length_bits) {
  to.bits(text.size(), length_bits);
  to.aligned_bytes(as_bytes(text));
}

// Two lines of chat and a ping between them.
inline byte_vector sample_messages() {
  byte_vector out;
  add_sample_event(out, 40, 0, 0, 4, [](sample_bits& to) {
    to.bits(0, 3);
    put_text(to, "good luck, Borin", 11);
  });
  add_sample_event(out, 1, 1, 1, 4, [](sample_bits& to) {
    to.bits(1, 3);
    to.bits(0x80000000u + 4096, 32);
    to.bits(0x80000000u + 8192, 32);
  });
  add_sample_event(out, 63, 1, 0, 4, [](sample_bits& to) {
    to.bits(0, 3);
    put_text(to, "gg", 11);
  });
  return out;
}

// A player joins by name, a script repeats a user's input, two players leave.
inline byte_vector sample_game_events() {
  byte_vector out;
  add_sample_event(out, 5, 2, 102, 7, [](sample_bits& to) {
    to.bits(1, 2);
    put_text(to, "Watcher", 8);
    to.flag(true);
    put_text(to, "2-S2-1-99", 7);
    to.flag(true);
    put_text(to, "WCH", 8);
    to.flag(false);  // no clan logo
    to.flag(false);
    to.flag(false);
  });
  add_sample_event(out, 3, 0, 32, 7, [](sample_bits& to) { put_text(to, "-zoom 40", 10); });
  add_sample_event(out, 60, 0, 101, 7, [](sample_bits& to) { to.bits(2, 4); });
  add_sample_event(out, 0, 1, 101, 7, [](sample_bits& to) { to.bits(0, 4); });
  return out;
}

}  // namespace tickreel::test
