#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <set>

#include "hex.hpp"
#include "random.hpp"
#include "sample_replay.hpp"
#include "tickreel/sc2replay/layout.hpp"
#include "tickreel/sc2replay/packed_fields.hpp"
#include "tickreel/sc2replay/players.hpp"
#include "tickreel/sc2replay/rewrite.hpp"
#include "tickreel/sc2replay/versioned_writer.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_files_tests)
BOOST_AUTO_TEST_SUITE(files_test)

using namespace tickreel;
using namespace tickreel::sc2replay;
using namespace tickreel::test;

namespace {

// Every parser of a whole member, applied to its bytes; the offset of its error, or nothing if it succeeds.
using parser = std::function<std::optional<error>(byte_span)>;

template <class Value>
std::optional<error> error_of(const result<Value>& from) {
  if (from) return std::nullopt;
  return from.error();
}

struct member_case {
  const char* name;
  byte_vector bytes;
  parser parse;
};

std::vector<member_case> members() {
  return {
      {"header", *write_header(sample_header()), [](byte_span in) { return error_of(read_header(in, 0)); }},
      {"beta header", *write_header(sample_beta_header()),
       [](byte_span in) { return error_of(read_header(in, 0)); }},
      {"details", write_details(sample_details()), [](byte_span in) { return error_of(read_details(in)); }},
      {"lobby", *write_lobby(sample_lobby(), sample_base_build),
       [](byte_span in) { return error_of(read_lobby(in, sample_base_build)); }},
      {"attributes", *write_attributes(sample_attributes(), sample_base_build),
       [](byte_span in) { return error_of(read_attributes(in, sample_base_build)); }},
  };
}

}  // namespace

BOOST_AUTO_TEST_CASE(versioned_data_round_trip) {
  versioned_writer to;
  to.structure(6);
  to.field(0);
  to.integer(-769);
  to.field(-3);
  to.array(2);
  to.u8(7);
  to.four_bytes(0x5332);
  to.field(2);
  to.optional(true);
  to.text("h\xC3\xA9");
  to.field(3);
  to.choice(1);
  to.eight_bytes(0x0102030405060708);
  to.field(4);
  to.bit_array(bytes_of({0xFF, 0x01}), 9);
  to.field(5);
  to.optional(false);
  const byte_vector bytes = to.take();
  // Tag 5, six fields; field 0: tag 9 and -769.
  BOOST_TEST((byte_vector(bytes.begin(), bytes.begin() + 6) == bytes_of({5, 12, 0, 9, 0x83, 0x0C})));
  versioned_reader from(bytes);
  BOOST_TEST(from.structure() == 6u);
  BOOST_TEST(from.field_number() == 0);
  BOOST_TEST(from.integer() == -769);
  BOOST_TEST(from.field_number() == -3);
  BOOST_TEST(from.array() == 2u);
  BOOST_TEST(from.u8() == 7);
  BOOST_TEST(from.four_bytes() == 0x5332u);
  BOOST_TEST(from.field_number() == 2);
  BOOST_TEST(from.optional());
  BOOST_TEST(from.text() == "h\xC3\xA9");
  BOOST_TEST(from.field_number() == 3);
  BOOST_TEST(from.choice() == 1);
  BOOST_TEST(from.eight_bytes() == 0x0102030405060708u);
  BOOST_TEST(from.field_number() == 4);
  std::uint64_t bits = 0;
  BOOST_TEST(from.bit_array(bits).size() == 2u);
  BOOST_TEST(bits == 9u);
  BOOST_TEST(from.field_number() == 5);
  BOOST_TEST(!from.optional());
  BOOST_TEST(from.ok());
  BOOST_TEST(from.at_end());
}

BOOST_AUTO_TEST_CASE(headers_of_both_kinds_read_back) {
  for (const header& what : {sample_header(), sample_beta_header()}) {
    const auto bytes = write_header(what);
    BOOST_REQUIRE(bytes);
    const auto again = read_header(*bytes);
    BOOST_REQUIRE(again);
    BOOST_TEST((*again == what));
  }
  // 39 bytes; the loops begin at bit 3 of byte 34, so the trailing bytes are loops / 8.
  const auto beta = write_header(sample_beta_header());
  BOOST_TEST(beta->size() == 39u);
  BOOST_TEST(std::to_integer<int>((*beta)[36]) * 256 + std::to_integer<int>((*beta)[37]) == 15005 / 8);
  BOOST_TEST(version_text(sample_header()) == "5.0.0.80949");
  header too_large = sample_beta_header();
  too_large.minor = 256;
  BOOST_TEST((write_header(too_large).error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(unknown_header_fields_are_skipped) {
  versioned_writer to;
  to.structure(3);
  to.field(77);
  to.array(2);
  to.integer(1);
  to.text("new");
  to.field(0);
  to.text(header::default_signature());
  to.field(3);
  to.integer(99);
  const auto read = read_header(to.bytes());
  BOOST_REQUIRE(read);
  BOOST_TEST(read->loops == 99u);
}

BOOST_AUTO_TEST_CASE(details_read_back) {
  const details newest = sample_details();
  details oldest = newest;
  oldest.mod_paths.reset();
  oldest.campaign.reset();
  oldest.restarts_as_transition_map.reset();
  oldest.recovering_disabled.reset();
  oldest.cache_handles.reset();
  for (details_player& each : *oldest.players) {
    each.slot.reset();
    each.hero.reset();
  }
  details nobody = newest;
  nobody.players.reset();
  for (const details& what : {newest, oldest, nobody}) {
    const auto again = read_details(write_details(what));
    BOOST_REQUIRE(again);
    BOOST_TEST((*again == what));
  }
  BOOST_TEST(handle_text(newest.players->at(1).toon) == "2-S2-1-4545534");
  BOOST_TEST(handle_text(newest.players->at(2).toon) == "0--0-0");
  BOOST_TEST(unix_ms_of_file_time(116444736000000000) == 0);
  byte_vector longer = write_details(newest);
  longer.push_back(std::byte{0});
  const auto refused = read_details(longer);
  BOOST_TEST((refused.error().code == error_code::malformed));
  BOOST_TEST(refused.error().offset == longer.size() - 1);
}

BOOST_AUTO_TEST_CASE(more_players_than_the_game_supports_are_rejected) {
  details crowd = sample_details();
  crowd.players->resize(17);
  BOOST_TEST((read_details(write_details(crowd)).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(clan_tags_come_in_three_spellings) {
  for (const char* stored : {"&lt;A&amp;B&gt;<sp/>Ayla", "<A&B><sp/>Ayla", "[A&B]<sp/>Ayla"}) {
    const split_name_result parts = split_name(stored);
    BOOST_TEST(parts.clan_tag == "A&B");
    BOOST_TEST(parts.name == "Ayla");
  }
  BOOST_TEST(split_name("[TICK]Ayla").clan_tag == "TICK");
  BOOST_TEST(split_name("[TICK] Ayla").name == "Ayla");
  BOOST_TEST(split_name("&lt;TICK&gt;Ayla").name == "Ayla");
  BOOST_TEST(split_name("[TICK]").name == "[TICK]");
  BOOST_TEST(split_name("Ayla").clan_tag.empty());
  BOOST_TEST(split_name("Ayla").name == "Ayla");
  BOOST_TEST(split_name("").name.empty());
}

BOOST_AUTO_TEST_CASE(lobbies_read_back_in_every_build) {
  std::set<std::uint32_t> builds;
  for (const layout& each : layouts(layout_stream::init_data)) builds.insert(each.first_base_build);
  for (const layout& each : layouts(layout_stream::info)) builds.insert(each.first_base_build);
  BOOST_TEST(builds.size() >= 20u);
  builds.insert(newest_known_base_build + 1000);
  for (const std::uint32_t build : builds) {
    BOOST_TEST_CONTEXT("base build " << build) {
      const auto bytes = write_lobby(sample_lobby(), build);
      BOOST_REQUIRE(bytes);
      const auto read = read_lobby(*bytes, build);
      BOOST_REQUIRE(read);
      // Not every build has every field; the fields that were read are written to the same bytes.
      BOOST_TEST((*write_lobby(*read, build) == *bytes));
      BOOST_TEST(read->users[1].name == "Borin");
      BOOST_TEST(read->users[0].random_seed == 0xFEDCBA98u);
      BOOST_TEST((read->slots[1].user_id == 1u));
      BOOST_TEST(!read->slots[2].user_id.has_value());
      BOOST_TEST(read->map_size_y == 216u);
      BOOST_TEST(read->random_seed == 385365665u);
      BOOST_TEST(read->cache_handles.size() == 1u);
      const auto kept = rewrite_lobby(*bytes, build, [](const lobby_text&) { return std::nullopt; });
      BOOST_REQUIRE(kept);
      BOOST_TEST((*kept == *bytes));
    }
  }
  lobby whole = sample_lobby();
  const auto read = read_lobby(*write_lobby(whole, sample_base_build), sample_base_build);
  BOOST_REQUIRE(read);
  // All options of the build round-trip; those that were not set are 0.
  for (const game_option& each : whole.options) {
    BOOST_TEST(std::count(read->options.begin(), read->options.end(), each) == 1);
  }
  whole.options = read->options;
  for (lobby_user& each : whole.users) BOOST_TEST(each.toon_handle.empty());
  BOOST_TEST((*read == whole));
}

BOOST_AUTO_TEST_CASE(a_lobby_of_the_beta_contains_the_player_list) {
  lobby what = sample_lobby();
  what.title = "Blistering Sands";
  what.players.resize(3);
  what.players[1] = {"Ayla", "Zerg", "255,180,20,30"};
  what.players[2] = {"Borin", "Terran", "255,0,66,255"};
  const auto read = read_lobby(*write_lobby(what, 14621), 14621);
  BOOST_REQUIRE(read);
  BOOST_TEST(read->title == what.title);
  BOOST_TEST((read->players == what.players));
  const auto players = join_players({14621, nullptr, &*read, {}});
  BOOST_REQUIRE(players.size() == 2u);
  BOOST_TEST(players[1].number == 2);
  BOOST_TEST((players[1].event_user == 2));
  BOOST_TEST((players[1].user == 1));
  BOOST_TEST(players[1].color.blue == 255);
}

BOOST_AUTO_TEST_CASE(texts_of_a_lobby_are_replaced_in_place) {
  const auto bytes = write_lobby(sample_lobby(), sample_base_build);
  std::size_t asked = 0;
  const auto changed = rewrite_lobby(*bytes, sample_base_build, [&](const lobby_text& text) {
    ++asked;
    std::optional<std::string> out;
    if (text.list == "user_initial_data" && text.field == "name" && text.index == 1) out = "Another player";
    if (text.list == "slots" && text.field == "toon_handle" && text.index == 3) out = "";
    return out;
  });
  BOOST_REQUIRE(changed);
  BOOST_TEST(asked >= 8u);
  lobby expected = *read_lobby(*bytes, sample_base_build);
  expected.users[1].name = "Another player";
  expected.slots[3].toon_handle.clear();
  BOOST_TEST((*read_lobby(*changed, sample_base_build) == expected));
  const auto too_long =
      rewrite_lobby(*bytes, sample_base_build, [](const lobby_text&) { return std::string(3000, 'x'); });
  BOOST_TEST((too_long.error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(attributes_read_back_in_both_layouts) {
  attributes what = sample_attributes();
  auto read = read_attributes(*write_attributes(what, sample_base_build), sample_base_build);
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == what));
  BOOST_TEST(read->value(attribute_id::game_mode) == "Amm");
  BOOST_TEST(read->value(attribute_id::race, 2) == "RAND");
  BOOST_TEST(read->value(attribute_id::race, 3).empty());
  what.header.resize(4);
  read = read_attributes(*write_attributes(what, 16561), 16561);
  BOOST_REQUIRE(read);
  BOOST_TEST((*read == what));
  BOOST_TEST((write_attributes(what, sample_base_build).error().code == error_code::invalid_argument));
  what.list[0].value = "Human";
  BOOST_TEST((write_attributes(what, 16561).error().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(players_are_matched_across_members) {
  const details score = sample_details();
  const lobby room = sample_lobby();
  const std::vector<player_setup> setups = {{1, player_type::human, 0, 0},
                                            {2, player_type::human, 1, 1},
                                            {5, player_type::computer, std::nullopt, 2}};
  const auto players = join_players({sample_base_build, &score, &room, setups});
  BOOST_REQUIRE(players.size() == 3u);
  BOOST_TEST(players[0].name == "Ayla");
  BOOST_TEST(players[0].clan_tag == "TICK");
  BOOST_TEST(players[0].handle == "2-S2-1-278321");
  BOOST_TEST((players[0].event_user == 0));
  BOOST_TEST(players[0].chosen_race == "Zerg");
  BOOST_TEST((players[0].result == game_result::win));
  BOOST_TEST(players[1].chosen_race == "random");
  BOOST_TEST(players[2].number == 5);
  BOOST_TEST((players[2].type == player_type::computer));
  BOOST_TEST(!players[2].event_user.has_value());
  BOOST_TEST(name_of_user(1, players, {}, &room, sample_base_build) == "Borin");
  BOOST_TEST(name_of_user(2, players, {}, &room, sample_base_build) == "Watcher");
  BOOST_TEST(name_of_user(9, players, {}, nullptr, sample_base_build).empty());
  BOOST_TEST(players[0].race_english == "Zerg");
  // The spectators, and their numbers.
  const auto watching = find_observers(&room, sample_base_build);
  BOOST_REQUIRE(watching.size() == 1u);
  BOOST_TEST(watching[0].name == "Watcher");
  BOOST_TEST(watching[0].event_user == 2);
  BOOST_TEST(watching[0].handle == "2-S2-1-99");
  BOOST_TEST(!watching[0].referee);
  const auto watching_early = find_observers(&room, 19679);
  BOOST_REQUIRE(watching_early.size() == 1u);
  BOOST_TEST(watching_early[0].event_user == 4);
  BOOST_TEST(name_of_user(4, {}, watching_early, &room, 19679) == "Watcher");
  BOOST_TEST(find_observers(nullptr, 19679).empty());
  // A clan tag before the name in another notation.
  details strange = score;
  (*strange.players)[0].name = "TICK.Ayla";
  BOOST_TEST(join_players({sample_base_build, &strange, &room, setups})[0].name == "Ayla");
  // Before 2.0 events name the player, whose slot follows from the order.
  const auto early = join_players({19679, &score, &room, {}});
  BOOST_TEST((early[1].event_user == 2));
  BOOST_TEST((early[1].user == 1));
  // Without a lobby, the remaining fields are still correct.
  const auto alone = join_players({sample_base_build, &score, nullptr, {}});
  BOOST_REQUIRE(alone.size() == 3u);
  BOOST_TEST((alone[1].event_user == 1));
  BOOST_TEST(alone[1].name == "Borin");
}

BOOST_AUTO_TEST_CASE(truncated_at_any_byte_is_an_error_with_an_offset) {
  for (const member_case& each : members()) {
    BOOST_TEST_CONTEXT(each.name) {
      BOOST_TEST(!each.parse(each.bytes).has_value());
      for (std::size_t size = 0; size < each.bytes.size(); ++size) {
        const auto failed = each.parse(byte_span(each.bytes).first(size));
        BOOST_REQUIRE(failed.has_value());
        BOOST_REQUIRE(failed->offset <= size);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(any_flipped_bit_is_read_or_rejected) {
  for (const member_case& each : members()) {
    BOOST_TEST_CONTEXT(each.name) {
      std::size_t refused = 0;
      byte_vector bytes = each.bytes;
      for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
        const auto flip = static_cast<std::byte>(1u << (bit % 8));
        bytes[bit / 8] ^= flip;
        if (const auto failed = each.parse(bytes)) {
          ++refused;
          BOOST_REQUIRE(failed->offset <= bytes.size());
        }
        bytes[bit / 8] ^= flip;
      }
      BOOST_TEST(refused > 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(noise_is_read_or_rejected) {
  auto random = seeded_random("noise_is_read_or_rejected");
  for (int round = 0; round < 3000; ++round) {
    for (const member_case& each : members()) {
      byte_vector bytes = each.bytes;
      for (int i = 0; i < 4; ++i) bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      if (const auto failed = each.parse(bytes)) BOOST_REQUIRE(failed->offset <= bytes.size());
    }
    if (round % 30 != 0) continue;
    for (const std::uint32_t build : {14621u, 16561u, 23260u, 34784u, 97425u, 200000u}) {
      byte_vector noise(random() % 2000);
      for (std::byte& byte : noise) byte = static_cast<std::byte>(random());
      (void)read_lobby(noise, build);
      (void)rewrite_lobby(noise, build, [](const lobby_text&) { return std::string(); });
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
