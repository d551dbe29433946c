#include <boost/test/unit_test.hpp>

#include "sample.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_gamecache_tests)
BOOST_AUTO_TEST_SUITE(layout_test)

using namespace tickreel;
using namespace tickreel::gamecache;
using namespace tickreel::test;

namespace {

// An item of 2.09 with two players: all fields, one name of each form. Each line is a field.
constexpr std::string_view flagged_file =
    "3a150000 01000000 05000000"
    "72000000"
    "03e6e84900000000"
    "f4ff0f00"
    "03000000"
    "433a5c722e77336700"        // C:\r.w3g
    "617363696900"              // ascii
    "31763100"                  // 1v1
    "82c12400"                  // 2408834
    "2d6170 00"                 // -ap
    "02"                        //
    "ef420000"                  // 6.59b
    "7e0c0000"                  // 1.23
    "6e00"                      // n, plain
    "01 a973b65b 0000"          // wide
    "015a"                      // heroes
    "0100 0200 0300 0400 0500"  //
    "ffff ffff ffff ffff ffff"  // not recorded
    "40771b00 00000000"         // leave times
    "28230000 ffffffff"         // gold
    "0b19"                      // levels
    "0104"                      // lanes
    "0001"                      // teams
    "7800 feff"                 // actions per minute
    "fd";                       // winner: -3

constexpr std::string_view flat_file =
    "01000000"
    "4a000000"
    "433a5c722e77336700"
    "c8628b5600000000"
    "6e c3 00"  // n and half of a letter
    "1f050400"
    "8100000000000000"
    "60450000"
    "980c0000"
    "02"
    "01"
    "00 ff"
    "62 00"
    "01 27 0100 0200 0300 0400 0500 0600 0700 09000000 04 19 70110100 ffff";

std::uint32_t u32_at(const byte_vector& file, std::size_t at) {
  byte_reader in(byte_span(file).subspan(at));
  return in.u32();
}

}  // namespace

BOOST_AUTO_TEST_CASE(hand_made_flagged_layout) {
  const byte_vector file = from_hex(flagged_file);
  BOOST_REQUIRE_EQUAL(u32_at(file, 12), file.size() - 12);
  BOOST_TEST((detect(file) == layout::flagged));
  const contents cache = taken(read(file));
  BOOST_TEST((cache.layout == layout::flagged));
  BOOST_TEST(cache.stored_version == 5434u);
  BOOST_TEST(cache.next_age == 5u);
  BOOST_REQUIRE_EQUAL(cache.items.size(), 1u);
  const item& only = cache.items[0];
  BOOST_TEST(only.path == "C:\\r.w3g");
  BOOST_TEST(only.modified == 1240000003);
  BOOST_TEST(only.fields == field::all);
  BOOST_TEST(only.age == 3u);
  BOOST_TEST((only.name == plain("ascii")));
  BOOST_TEST(only.ratio == "1v1");
  BOOST_TEST(only.length_ms == 2408834u);
  BOOST_TEST(only.mode == "-ap");
  BOOST_TEST(version_text(only.map_version) == "6.59b");
  BOOST_TEST(version_text(only.warcraft_version) == "1.23");
  BOOST_TEST(int{only.winner} == -3);
  BOOST_TEST(int{only.stats_per_player} == 5);
  BOOST_REQUIRE_EQUAL(only.players.size(), 2u);
  const player& first = only.players[0];
  const player& second = only.players[1];
  BOOST_TEST((first.name == plain("n")));
  BOOST_TEST((second.name == wide("玩家")));
  BOOST_TEST(to_utf8(second.name) == "玩家");
  BOOST_TEST(int{first.hero} == 1);
  BOOST_TEST(int{second.hero} == 90);
  BOOST_TEST(first.kills == 1);
  BOOST_TEST(first.deaths == 2);
  BOOST_TEST(first.creeps == 3);
  BOOST_TEST(first.denies == 4);
  BOOST_TEST(first.assists == 5);
  BOOST_TEST(second.kills == -1);
  BOOST_TEST(first.leave_ms == 1800000u);
  BOOST_TEST(first.item_gold == 9000);
  BOOST_TEST(second.item_gold == -1);
  BOOST_TEST(int{second.level} == 25);
  BOOST_TEST(int{second.lane} == 4);
  BOOST_TEST(int{second.team} == 1);
  // Out of order: actions per minute (bit 19) precede the winner (bit 18).
  BOOST_TEST(first.actions_per_minute == 120);
  BOOST_TEST(second.actions_per_minute == -2);
  BOOST_TEST((taken(write(cache)) == file));
}

BOOST_AUTO_TEST_CASE(hand_made_flat_layout) {
  const byte_vector file = from_hex(flat_file);
  BOOST_REQUIRE_EQUAL(u32_at(file, 4), file.size() - 8);
  BOOST_TEST((detect(file) == layout::flat));
  const contents cache = taken(read(file));
  BOOST_REQUIRE_EQUAL(cache.items.size(), 1u);
  const item& only = cache.items[0];
  BOOST_TEST(only.modified == 1451975368);
  BOOST_TEST((only.name == plain("n\xc3")));
  BOOST_TEST(to_utf8(only.name) == "n\xEF\xBF\xBD");
  BOOST_TEST(only.length_ms == 263455u);
  BOOST_TEST(only.mode_bits == 129u);
  BOOST_TEST(version_text(only.map_version) == "6.83c");
  BOOST_TEST(int{only.winner} == 2);
  BOOST_TEST(int{only.host} == 0);
  BOOST_TEST(int{only.saver} == -1);
  BOOST_REQUIRE_EQUAL(only.players.size(), 1u);
  const player& one = only.players[0];
  BOOST_TEST((one.name == plain("b")));
  BOOST_TEST(int{one.team} == 1);
  BOOST_TEST(int{one.hero} == 39);
  BOOST_TEST(one.kills == 1);
  BOOST_TEST(one.assists == 5);
  BOOST_TEST(one.gold == 6u);
  BOOST_TEST(one.neutrals == 7u);
  BOOST_TEST(one.leave_ms == 9u);
  BOOST_TEST(int{one.lane} == 4);
  BOOST_TEST(int{one.level} == 25);
  BOOST_TEST(one.item_gold == 70000);
  BOOST_TEST(one.actions_per_minute == 65535);
  BOOST_TEST((taken(write(cache)) == file));
}

BOOST_AUTO_TEST_CASE(betas_without_host_and_saver) {
  contents cache{.layout = layout::flat, .items = {full_item(layout::flat, 1), full_item(layout::flat, 2)}};
  cache.items[0].has_host_and_saver = false;
  cache.items[0].host = cache.items[0].saver = -1;
  const byte_vector file = taken(write(cache));
  BOOST_TEST((taken(read(file)) == cache));
}

BOOST_AUTO_TEST_CASE(unknown_bytes_are_preserved) {
  for (const layout each : {layout::flagged, layout::flat}) {
    contents cache = full_cache(each, 3);
    for (item& one : cache.items) one.tail = from_hex("aabbccddee");
    const byte_vector file = taken(write(cache));
    const contents again = taken(read(file));
    BOOST_TEST((again == cache));
    BOOST_TEST((taken(write(again)) == file));
  }
}

BOOST_AUTO_TEST_CASE(unknown_fields_keep_their_item_as_bytes) {
  contents cache = full_cache(layout::flagged, 2);
  byte_vector file = taken(write(cache));
  file[24] |= std::byte{0x02};  // of the first item's fields
  const contents again = taken(read(file));
  BOOST_TEST(!again.items[0].understood());
  BOOST_TEST(again.items[0].path == cache.items[0].path);
  BOOST_TEST(again.items[0].tail.size() > 100u);
  BOOST_TEST((again.items[1] == cache.items[1]));
  BOOST_TEST((taken(write(again)) == file));

  // Without a valid size the start of the next item is unknown.
  cache.stored_version = 208;
  for (item& one : cache.items) one.stats_per_player = 4;
  file = taken(write(cache));
  file[24] |= std::byte{0x02};
  const auto refused = read(file);
  BOOST_REQUIRE(!refused);
  BOOST_TEST((refused.error().code == error_code::malformed));
  BOOST_TEST(refused.error().offset == 24u);
}

BOOST_AUTO_TEST_CASE(sizes_below_1_05_are_ignored) {
  contents cache = full_cache(layout::flagged, 3);
  cache.stored_version = 208;  // 1.04
  for (item& one : cache.items) {
    one.stats_per_player = 4;
    one.claimed_size = 0x7FFFFFF0u - one.age;
    for (player& each : one.players) each.assists = 0;
  }
  const byte_vector file = taken(write(cache));
  BOOST_TEST(u32_at(file, 12) == 0x7FFFFFF0u);
  const contents again = taken(read(file));
  BOOST_TEST((again == cache));
  // The correct size if no other is given.
  cache.items.resize(1);
  cache.items[0].claimed_size.reset();
  const byte_vector right = taken(write(cache));
  BOOST_TEST(u32_at(right, 12) == right.size() - 12);
}

BOOST_AUTO_TEST_CASE(four_or_five_statistics_by_size) {
  for (const std::uint32_t version : {version_1_05, version_2_05}) {
    for (const std::uint8_t count : {std::uint8_t{4}, std::uint8_t{5}}) {
      contents cache = full_cache(layout::flagged, 1);
      cache.stored_version = version == version_1_05 ? 210 : version;
      cache.items[0].stats_per_player = count;
      if (count == 4) {
        for (player& each : cache.items[0].players) each.assists = 0;
      }
      const byte_vector file = taken(write(cache));
      const contents again = taken(read(file));
      BOOST_TEST(int{again.items[0].stats_per_player} == int{count});
      BOOST_TEST((again == cache));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_file_of_a_crashed_program) {
  byte_vector file = taken(write(full_cache(layout::flat, 3)));
  const contents whole = taken(read(file));
  for (std::size_t at = 0; at < 4; ++at) file[at] = std::byte{0};
  BOOST_TEST((detect(file) == layout::flat));
  contents found = taken(read(file));
  BOOST_TEST(found.unfinished);
  BOOST_TEST(found.torn_bytes == 0u);
  BOOST_TEST((found.items == whole.items));
  file.resize(file.size() - 5);
  found = taken(read(file));
  BOOST_TEST(found.unfinished);
  BOOST_TEST(found.torn_bytes > 100u);
  BOOST_TEST(found.items.size() == 2u);
  BOOST_TEST(!taken(read(taken(write(found)))).unfinished);
}

BOOST_AUTO_TEST_CASE(empty_files) {
  BOOST_TEST((detect({}) == std::nullopt));
  BOOST_TEST((detect(from_hex("00000000")) == layout::flat));
  BOOST_TEST((detect(from_hex("000000")) == std::nullopt));
  BOOST_TEST((detect(from_hex("3a150000 00000000 07000000")) == layout::flagged));
  BOOST_TEST(taken(read(from_hex("00000000"))).items.empty());
  BOOST_TEST(taken(read(from_hex("3a150000 00000000 07000000"))).next_age == 7u);
  BOOST_TEST((read({}).error().code == error_code::not_recognised));
}

BOOST_AUTO_TEST_CASE(detected_by_the_first_bytes) {
  for (const layout each : {layout::flagged, layout::flat}) {
    const contents cache = full_cache(each, 30);
    const byte_vector file = taken(write(cache));
    for (const std::size_t head : {file.size(), std::size_t{2000}, item_size(cache.items[0], cache) + 12}) {
      const auto found = recognise(byte_span(file).first(head), file.size());
      BOOST_REQUIRE(found.has_value());
      BOOST_TEST((found->layout == each));
      BOOST_TEST(found->items == (head < 2000    ? 1u
                                  : head == 2000 ? 2000u / item_size(cache.items[9], cache)
                                                 : 8u),
                 head);
      BOOST_TEST(found->is_complete == (head > 2000), head);
    }
  }
  BOOST_TEST(recognise(from_hex("00000000"), 4).has_value());
  BOOST_TEST(!recognise(from_hex("00000000"), 5).has_value());
  BOOST_TEST(recognise(from_hex("3a150000 00000000 07000000"), 12).has_value());
  // The heads of other formats.
  for (const std::string_view other :
       {"TICKREEL\1\0\0\0", "ICRP\1\0\1\0", "MPQ\x1b....", "PK\3\4....", "{\"a\":1}  "}) {
    BOOST_TEST(!recognise(as_bytes(other), 100'000).has_value(), other);
  }
  BOOST_TEST(!recognise(from_hex("e8030000 01000000 00000000 00000000 00000000"), 5000).has_value());
  BOOST_TEST(!recognise(byte_vector(4096), 4096).has_value());
}

BOOST_AUTO_TEST_CASE(a_single_item) {
  for (const layout each : {layout::flagged, layout::flat}) {
    const contents cache = full_cache(each, 2);
    const byte_vector bytes = taken(write_item(cache.items[1], cache));
    BOOST_TEST((taken(read_item(bytes, cache)) == cache.items[1]));
    byte_vector longer = bytes;
    longer.push_back(std::byte{0});
    BOOST_TEST(!read_item(longer, cache));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
