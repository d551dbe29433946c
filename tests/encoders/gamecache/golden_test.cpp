// Files of an independent program, and one that players used.
#include <simdjson.h>

#include <algorithm>
#include <map>

#include "sample.hpp"
#include "shared_data.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;
using simdjson::dom::element;

namespace {

std::int64_t number(const element& from, const char* key, std::int64_t otherwise = 0) {
  std::int64_t value = otherwise;
  if (from[key].get(value) != simdjson::SUCCESS) return otherwise;
  return value;
}
bool has(const element& from, const char* key) {
  return from[key].error() == simdjson::SUCCESS;
}
std::string words(const element& from, const char* key) {
  std::string_view value;
  if (from[key].get(value) != simdjson::SUCCESS) return {};
  return std::string(value);
}
std::string hex_words(const element& from, const char* key) {
  const byte_vector bytes = from_hex(words(from, key));
  return std::string(as_text(bytes));
}

// Details that the JSON gives only in its note: the forms of names, the trailing bytes of the fields, the wrong sizes.
struct unspoken {
  bool plain_game_name = false;
  bool plain_player_names = false;
  bool mixed = false;
  std::string_view tail = "";
  bool claims_sizes = false;
};

player flagged_player(const element& from, const unspoken& notes, std::size_t place) {
  player out;
  if (has(from, "name")) {
    // Mixed: plain, wide, empty plain, empty wide.
    const bool is_plain = notes.mixed ? place % 2 == 0 : notes.plain_player_names;
    out.name = is_plain ? plain(words(from, "name")) : wide(words(from, "name"));
  }
  out.hero = static_cast<std::uint8_t>(number(from, "hero"));
  out.level = static_cast<std::uint8_t>(number(from, "level"));
  out.lane = static_cast<std::uint8_t>(number(from, "lane"));
  out.team = static_cast<std::uint8_t>(number(from, "team"));
  out.leave_ms = static_cast<std::uint32_t>(number(from, "leave_ms"));
  out.item_gold = number(from, "gold");
  out.actions_per_minute = static_cast<std::int32_t>(number(from, "apm"));
  simdjson::dom::array stats;
  if (from["stats"].get(stats) == simdjson::SUCCESS) {
    std::int32_t* const places[] = {&out.kills, &out.deaths, &out.creeps, &out.denies, &out.assists};
    std::size_t at = 0;
    for (const element each : stats) *places[at++] = static_cast<std::int32_t>(std::int64_t(each));
  }
  return out;
}

item flagged_item(const element& from, const unspoken& notes, std::uint8_t stats_per_player) {
  item out;
  out.path = words(from, "path");
  out.modified = number(from, "mtime");
  out.fields = static_cast<std::uint32_t>(std::stoul(words(from, "flags"), nullptr, 16));
  out.age = static_cast<std::uint32_t>(number(from, "age"));
  if (has(from, "name")) {
    const bool is_plain = notes.plain_game_name || notes.mixed;
    out.name = is_plain ? plain(words(from, "name")) : wide(words(from, "name"));
  }
  out.ratio = words(from, "ratio");
  out.length_ms = static_cast<std::uint32_t>(number(from, "length_ms"));
  out.mode = words(from, "mode");
  out.map_version = static_cast<std::uint32_t>(number(from, "map_version"));
  out.warcraft_version = static_cast<std::uint32_t>(number(from, "wc3_version"));
  out.winner = static_cast<std::int8_t>(number(from, "winner"));
  if ((out.fields & field::stats) != 0) out.stats_per_player = stats_per_player;
  out.players.resize(static_cast<std::size_t>(number(from, "count")));
  simdjson::dom::array players;
  if (from["players"].get(players) == simdjson::SUCCESS) {
    std::size_t at = 0;
    for (const element each : players) {
      out.players.at(at) = flagged_player(each, notes, at);
      ++at;
    }
  }
  out.tail = from_hex(notes.tail);
  if (notes.claims_sizes) out.claimed_size = 0x7FFFFFF0;
  return out;
}

item flat_item(const element& from) {
  const bool hex = has(from, "path_hex");
  item out;
  out.path = hex ? hex_words(from, "path_hex") : words(from, "path");
  out.modified = number(from, "mtime");
  out.name = plain(hex ? hex_words(from, "name_hex") : words(from, "name"));
  out.length_ms = static_cast<std::uint32_t>(number(from, "length_ms"));
  out.mode_bits = static_cast<std::uint64_t>(number(from, "mode_bits"));
  out.map_version = static_cast<std::uint32_t>(number(from, "map_version"));
  out.warcraft_version = static_cast<std::uint32_t>(number(from, "wc3_version"));
  out.winner = static_cast<std::int8_t>(number(from, "winner"));
  out.host = static_cast<std::int8_t>(number(from, "host"));
  out.saver = static_cast<std::int8_t>(number(from, "saver"));
  for (const element each : from["players"].get_array()) {
    player one;
    one.name = plain(hex ? hex_words(each, "name_hex") : words(each, "name"));
    one.team = static_cast<std::uint8_t>(number(each, "team"));
    one.hero = static_cast<std::uint8_t>(number(each, "hero"));
    std::vector<std::int64_t> stats;
    for (const element value : each["stats7"].get_array()) stats.push_back(std::int64_t(value));
    BOOST_REQUIRE_EQUAL(stats.size(), 7u);
    one.kills = static_cast<std::int32_t>(stats[0]);
    one.deaths = static_cast<std::int32_t>(stats[1]);
    one.creeps = static_cast<std::int32_t>(stats[2]);
    one.denies = static_cast<std::int32_t>(stats[3]);
    one.assists = static_cast<std::int32_t>(stats[4]);
    one.gold = static_cast<std::uint16_t>(stats[5]);
    one.neutrals = static_cast<std::uint16_t>(stats[6]);
    one.leave_ms = static_cast<std::uint32_t>(number(each, "leave_ms"));
    one.lane = static_cast<std::uint8_t>(number(each, "lane"));
    one.level = static_cast<std::uint8_t>(number(each, "level"));
    one.item_gold = number(each, "gold");
    one.actions_per_minute = static_cast<std::int32_t>(number(each, "apm"));
    out.players.push_back(std::move(one));
  }
  return out;
}

// The rule of the file with 2048 items; the JSON contains four of them.
contents many_items() {
  contents out{.next_age = 2048, .items = {}};
  for (std::uint32_t at = 0; at < 2048; ++at) {
    item each;
    each.age = at * 1775 % 2048;
    each.modified = 1'240'000'000 + each.age;
    each.fields = field::length | field::winner;
    const std::string digits = std::to_string(at);
    each.path = "C:\\r\\" + std::string(4 - digits.size(), '0') + digits + ".w3g";
    each.length_ms = 60'000 + at;
    each.winner = static_cast<std::int8_t>(at % 3);
    out.items.push_back(std::move(each));
  }
  return out;
}

const std::map<std::string, unspoken>& notes_of() {
  static const std::map<std::string, unspoken> notes = {
      {"v104-old-encoding-bad-sizes.gamecache",
       {.plain_game_name = true, .plain_player_names = true, .claims_sizes = true}},
      {"v105b-narrow-names.gamecache", {.plain_player_names = true}},
      {"v209-all-flags.gamecache", {}},
      {"v209-empty.gamecache", {}},
      {"v209-mixed-name-forms.gamecache", {.mixed = true}},
      {"v209-no-flags.gamecache", {}},
      {"v209-one-flag-each.gamecache", {}},
      {"v209-unknown-tail.gamecache", {.tail = "aabbccddee"}},
      {"v304-empty.gamecache.dat", {}},
      {"v304-one-item.gamecache.dat", {}},
  };
  return notes;
}

contents expected_contents(const element& json, const unspoken& notes) {
  contents out;
  if (words(json, "dialect") == "3.x-flat") {
    out.layout = layout::flat;
    for (const element each : json["items"].get_array()) out.items.push_back(flat_item(each));
    return out;
  }
  out.stored_version = static_cast<std::uint32_t>(number(json, "raw_version"));
  out.next_age = static_cast<std::uint32_t>(number(json, "next_age"));
  const auto stats = static_cast<std::uint8_t>(number(json, "stats_per_player"));
  for (const element each : json["items"].get_array()) out.items.push_back(flagged_item(each, notes, stats));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_file_reads_as_expected_and_is_written_from_its_json) {
  const auto folder = shared_data("gamecache");
  if (folder.empty()) return;
  for (const auto& [name, notes] : notes_of()) {
    BOOST_TEST_CONTEXT(name) {
      simdjson::dom::parser parser;
      const element json = parser.load((folder / (name + ".expected.json")).string());
      const contents expected = expected_contents(json, notes);
      BOOST_TEST(static_cast<std::int64_t>(expected.items.size()) == number(json, "item_count"));
      const byte_vector file = read_file(folder / name);
      const contents found = taken(read(file));
      BOOST_TEST((found == expected));
      BOOST_TEST((taken(write(expected)) == file));
      if (found.layout == layout::flagged) {
        const std::uint32_t version = normalised_version(found.stored_version);
        BOOST_TEST(version == static_cast<std::uint32_t>(number(json, "normalised_version")));
        BOOST_TEST(version_text(version) == words(json, "version_text"));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_2048_items) {
  const auto folder = shared_data("gamecache");
  if (folder.empty()) return;
  const byte_vector file = read_file(folder / "v209-2048-items.gamecache");
  simdjson::dom::parser parser;
  const element json = parser.load((folder / "v209-2048-items.gamecache.expected.json").string());
  const contents expected = many_items();
  const contents found = taken(read(file));
  BOOST_TEST((found == expected));
  BOOST_TEST((taken(write(expected)) == file));
  std::size_t at = 0;
  for (const element each : json["first3"].get_array()) {
    BOOST_TEST((flagged_item(each, {}, 5) == found.items.at(at++)));
  }
  BOOST_TEST((flagged_item(json["last"], {}, 5) == found.items.back()));
}

BOOST_AUTO_TEST_CASE(a_cache_that_was_used) {
  const auto folder = shared_data("gamecache");
  if (folder.empty()) return;
  const byte_vector file = read_file(folder / "real-3.04b.gamecache.dat");
  simdjson::dom::parser parser;
  const element json = parser.load((folder / "real-3.04b.gamecache.dat.expected.json").string());
  const contents found = taken(read(file));
  BOOST_TEST((found.layout == layout::flat));
  BOOST_TEST(static_cast<std::int64_t>(found.items.size()) == number(json, "item_count"));
  std::map<std::string, std::int64_t> players;
  std::map<std::string, std::int64_t> winners;
  std::int64_t player_total = 0, length = 0, kills = 0, gold = 0, max_hero = 0;
  for (const item& each : found.items) {
    ++players[std::to_string(each.players.size())];
    ++winners[std::to_string(each.winner)];
    player_total += static_cast<std::int64_t>(each.players.size());
    length += each.length_ms;
    for (const player& one : each.players) {
      kills += one.kills;
      gold += one.item_gold;
      max_hero = std::max<std::int64_t>(max_hero, one.hero);
    }
    BOOST_TEST(each.tail.empty());
  }
  BOOST_TEST(player_total == number(json, "players_total"));
  BOOST_TEST(length == number(json, "sum_length_ms"));
  BOOST_TEST(kills == number(json, "sum_kills"));
  BOOST_TEST(gold == number(json, "sum_gold"));
  BOOST_TEST(max_hero == number(json, "max_hero_id"));
  const auto same_histogram = [&](const char* key, const std::map<std::string, std::int64_t>& counted) {
    std::map<std::string, std::int64_t> expected_counts;
    for (const auto [name, count] : json[key].get_object())
      expected_counts[std::string(name)] = std::int64_t(count);
    return expected_counts == counted;
  };
  BOOST_TEST(same_histogram("player_count_histogram", players));
  BOOST_TEST(same_histogram("winner_histogram", winners));
  std::size_t at = 0;
  for (const element each : json["first2"].get_array()) {
    BOOST_TEST((flat_item(each) == found.items.at(at++)));
  }
  BOOST_TEST((flat_item(json["last"]) == found.items.back()));
  BOOST_TEST((taken(write(found)) == file));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
