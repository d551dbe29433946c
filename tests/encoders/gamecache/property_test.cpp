// Everything that a file can contain round-trips byte for byte.
#include "random.hpp"
#include "sample.hpp"

namespace tickreel::gamecache {
namespace {

std::uint64_t below(std::mt19937_64& random, std::uint64_t limit) {
  return random() % limit;
}

// Any bytes except 0; the first is not 01.
std::string any_bytes(std::mt19937_64& random, std::size_t most) {
  std::string out;
  for (std::size_t left = below(random, most + 1); left != 0; --left) {
    out += static_cast<char>(static_cast<unsigned char>(1 + below(random, 255)));
  }
  if (out.starts_with('\1')) out[0] = 'x';
  return out;
}

text any_name(std::mt19937_64& random, bool may_be_wide) {
  text out;
  if (!may_be_wide || below(random, 2) == 0) return {text_form::plain, any_bytes(random, 20)};
  out.form = text_form::wide;
  for (std::size_t left = below(random, 20); left != 0; --left) {
    // Any unit except 0, including unpaired surrogates.
    const auto unit = 1 + below(random, 65535);
    out.bytes += static_cast<char>(static_cast<unsigned char>(unit & 0xFF));
    out.bytes += static_cast<char>(static_cast<unsigned char>(unit >> 8));
  }
  return out;
}

player flagged_player(std::mt19937_64& random, std::uint32_t fields, std::uint8_t stats) {
  player out;
  const auto has = [fields](std::uint32_t bit) { return (fields & bit) != 0; };
  const auto half = [&random] { return static_cast<std::int32_t>(static_cast<std::int16_t>(random())); };
  if (has(field::player_names)) out.name = any_name(random, true);
  if (has(field::heroes)) out.hero = static_cast<std::uint8_t>(random());
  if (has(field::stats)) {
    for (std::int32_t* value : {&out.kills, &out.deaths, &out.creeps, &out.denies}) *value = half();
    if (stats == 5) out.assists = half();
  }
  if (has(field::leave_times)) out.leave_ms = static_cast<std::uint32_t>(random());
  if (has(field::item_gold)) out.item_gold = static_cast<std::int32_t>(random());
  if (has(field::levels)) out.level = static_cast<std::uint8_t>(random());
  if (has(field::lanes)) out.lane = static_cast<std::uint8_t>(random());
  if (has(field::teams)) out.team = static_cast<std::uint8_t>(random());
  if (has(field::actions_per_minute)) out.actions_per_minute = half();
  return out;
}

item flagged_item(std::mt19937_64& random, std::uint32_t version) {
  item out;
  const bool sizes_count = version >= version_1_05;
  out.path = any_bytes(random, 40);
  out.modified = static_cast<std::int64_t>(random());
  out.fields = static_cast<std::uint32_t>(random()) & field::all;
  out.age = static_cast<std::uint32_t>(random());
  const auto has = [&out](std::uint32_t bit) { return (out.fields & bit) != 0; };
  if (has(field::game_name)) out.name = any_name(random, true);
  if (has(field::ratio)) out.ratio = any_bytes(random, 15);
  if (has(field::length)) out.length_ms = static_cast<std::uint32_t>(random());
  if (has(field::mode)) out.mode = any_bytes(random, 31);
  if (has(field::map_version)) out.map_version = static_cast<std::uint32_t>(random());
  if (has(field::warcraft_version)) out.warcraft_version = static_cast<std::uint32_t>(random());
  if (has(field::winner)) out.winner = static_cast<std::int8_t>(random());
  const std::uint8_t stats = version >= version_2_05 ? 5 : 4;
  if (has(field::stats)) out.stats_per_player = stats;
  if (has(field::player_count)) {
    for (std::size_t left = below(random, 11); left != 0; --left) {
      out.players.push_back(flagged_player(random, out.fields, stats));
    }
  }
  if (!sizes_count) out.claimed_size = static_cast<std::uint32_t>(random());
  return out;
}

item flat_item(std::mt19937_64& random) {
  item out;
  out.path = any_bytes(random, 40);
  out.modified = static_cast<std::int64_t>(random());
  out.name = any_name(random, false);
  out.length_ms = static_cast<std::uint32_t>(random());
  out.mode_bits = random();
  out.map_version = static_cast<std::uint32_t>(random());
  out.warcraft_version = static_cast<std::uint32_t>(random());
  out.winner = static_cast<std::int8_t>(random());
  // Other values would be read as the first letters of a name.
  out.host = static_cast<std::int8_t>(static_cast<int>(below(random, 33)) - 1);
  out.saver = static_cast<std::int8_t>(static_cast<int>(below(random, 33)) - 1);
  for (std::size_t left = below(random, 11); left != 0; --left) {
    player each;
    const auto half = [&random] { return static_cast<std::int32_t>(static_cast<std::uint16_t>(random())); };
    each.name = any_name(random, false);
    each.team = static_cast<std::uint8_t>(random());
    each.hero = static_cast<std::uint8_t>(random());
    for (std::int32_t* value :
         {&each.kills, &each.deaths, &each.creeps, &each.denies, &each.assists, &each.actions_per_minute}) {
      *value = half();
    }
    each.gold = static_cast<std::uint16_t>(random());
    each.neutrals = static_cast<std::uint16_t>(random());
    each.leave_ms = static_cast<std::uint32_t>(random());
    each.lane = static_cast<std::uint8_t>(random());
    each.level = static_cast<std::uint8_t>(random());
    each.item_gold = static_cast<std::uint32_t>(random());
    out.players.push_back(std::move(each));
  }
  return out;
}

}  // namespace
}  // namespace tickreel::gamecache

namespace tickreel {

gamecache::contents test::random_cache(std::mt19937_64& random, gamecache::layout as,
                                       std::uint32_t stored_version) {
  using namespace gamecache;
  contents out{.layout = as, .items = {}};
  if (as == layout::flagged) {
    out.stored_version = stored_version;
    out.next_age = static_cast<std::uint32_t>(random());
  }
  const std::uint32_t version = normalised_version(stored_version);
  for (std::size_t left = 1 + below(random, 8); left != 0; --left) {
    out.items.push_back(as == layout::flagged ? flagged_item(random, version) : flat_item(random));
  }
  return out;
}

}  // namespace tickreel

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(property_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(written_caches_are_read_back) {
  auto random = seeded_random("written_caches_are_read_back");
  for (int round = 0; round < 1500; ++round) {
    const std::uint32_t versions[] = {190, 208, 210, 211, version_2_05 - 26, version_2_05, version_2_09};
    const auto version = versions[below(random, std::size(versions))];
    const auto as = below(random, 3) == 0 ? layout::flat : layout::flagged;
    const contents from = random_cache(random, as, version);
    const byte_vector file = taken(write(from));
    BOOST_REQUIRE((detect(file) == as));
    const contents again = taken(read(file));
    BOOST_REQUIRE((again == from));
    BOOST_REQUIRE((taken(write(again)) == file));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
