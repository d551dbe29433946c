// Caches for tests, hand-made and random.
#pragma once

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <string_view>

#include "hex.hpp"
#include "taken.hpp"
#include "tickreel/gamecache/file.hpp"

namespace tickreel::test {

inline gamecache::text wide(std::string_view utf8) {
  return gamecache::from_utf8(utf8, gamecache::text_form::wide);
}
inline gamecache::text plain(std::string_view bytes) {
  return {gamecache::text_form::plain, std::string(bytes)};
}

// A game of ten players with every field of the layout.
inline gamecache::item full_item(gamecache::layout layout, std::uint32_t number) {
  const bool flat = layout == gamecache::layout::flat;
  gamecache::item out;
  out.path = "C:\\Replay\\game" + std::to_string(number) + ".w3g";
  out.modified = 1'240'000'000 + number;
  out.name = flat ? plain("Local Game") : wide("Local Game");
  out.length_ms = 2'400'000 + number;
  out.map_version = gamecache::make_version(6, 59, 1);
  out.warcraft_version = gamecache::make_version(1, 23);
  out.winner = static_cast<std::int8_t>(number % 3);
  if (flat) {
    out.mode_bits = 129;
    out.host = 0;
    out.saver = 4;
  } else {
    out.fields = gamecache::field::all;
    out.age = number;
    out.ratio = "5v5";
    out.mode = "-rdsp";
    out.stats_per_player = 5;
  }
  for (std::uint8_t slot = 0; slot < 10; ++slot) {
    gamecache::player each;
    const std::string name = "Player_" + std::to_string(slot);
    each.name = flat ? plain(name) : wide(name);
    each.hero = static_cast<std::uint8_t>(slot * 9);
    each.level = static_cast<std::uint8_t>(slot + 10);
    each.lane = slot % 5;
    each.team = slot % 2;
    each.kills = slot;
    each.deaths = 10 - slot;
    each.creeps = 100 + slot;
    each.denies = slot;
    each.assists = 2 * slot;
    each.actions_per_minute = 120 + slot;
    each.leave_ms = 1'800'000u + slot;
    each.item_gold = 9000 + 250 * slot;
    if (flat) {
      each.gold = static_cast<std::uint16_t>(1000 + slot);
      each.neutrals = slot;
    }
    out.players.push_back(std::move(each));
  }
  return out;
}

inline gamecache::contents full_cache(gamecache::layout layout, std::uint32_t items) {
  gamecache::contents out{.layout = layout, .items = {}};
  for (std::uint32_t number = 0; number < items; ++number) out.items.push_back(full_item(layout, number));
  if (layout == gamecache::layout::flagged) out.next_age = items;
  return out;
}

// Random contents within the limits of this layout and version.
gamecache::contents random_cache(std::mt19937_64& random, gamecache::layout layout,
                                 std::uint32_t stored_version);

}  // namespace tickreel::test
