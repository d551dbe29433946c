// Compares real replays with the output of two independent readers.
#include <simdjson.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cctype>
#include <string>

#include "hex.hpp"
#include "random.hpp"
#include "shared_data.hpp"
#include "tickreel/codec/crc32.hpp"
#include "tickreel/mpq/write_archive.hpp"
#include "tickreel/sc2replay/replay.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_archive_tests)
BOOST_AUTO_TEST_SUITE(real_replays_test)

using namespace tickreel;
using namespace tickreel::test;
using simdjson::dom::element;

namespace {

// Calls `check(name, file, expected)` for every replay.
template <class Check>
void for_each_replay(Check&& check) {
  if (shared_data("sc2").empty()) return;
  std::size_t count = 0;
  for (const auto& each : shared_files("sc2", ".SC2Replay")) {
    std::filesystem::path json = each;
    json.replace_extension(".expected.json");
    simdjson::dom::parser parser;
    const element expected = parser.load(json.string());
    BOOST_TEST_CONTEXT(each.filename().string()) {
      check(read_file(each), expected);
    }
    ++count;
  }
  BOOST_TEST(count == 19u);
}

std::string text(element from) {
  return std::string(std::string_view(from));
}
std::int64_t number(element from) {
  return from.get_int64();
}

bool has(element object, std::string_view key) {
  return object.at_key(key).error() == simdjson::SUCCESS;
}

void check_header(const sc2replay::header& header, byte_span file, element expected) {
  const element wanted = expected["header"];
  BOOST_TEST(test::to_hex(as_bytes(header.signature)) == text(wanted["signature"]));
  BOOST_TEST(header.flags == number(wanted["flags"]));
  BOOST_TEST(header.major == number(wanted["major"]));
  BOOST_TEST(header.minor == number(wanted["minor"]));
  BOOST_TEST(header.revision == number(wanted["revision"]));
  BOOST_TEST(header.build == number(wanted["build"]));
  BOOST_TEST(header.base_build == number(wanted["baseBuild"]));
  BOOST_TEST(header.type == number(wanted["type"]));
  BOOST_TEST(header.loops == number(wanted["elapsedGameLoops"]));
  const bool beta = text(wanted["encoding"]) == "bitpacked";
  BOOST_TEST((header.encoding == sc2replay::header_encoding::beta) == beta);
  if (has(wanted, "extra")) {
    const element extra = wanted["extra"];
    BOOST_TEST(header.scaled_time.has_value() == has(extra, "4"));
    BOOST_TEST(header.root_key.has_value() == has(extra, "5"));
    if (header.root_key) BOOST_TEST("hex:" + test::to_hex(*header.root_key) == text(extra["5"]["1"]));
    if (header.data_build) BOOST_TEST(*header.data_build == number(extra["6"]));
    if (header.compatibility_hash) {
      BOOST_TEST("hex:" + test::to_hex(*header.compatibility_hash) == text(extra["7"]["1"]));
    }
  }
  const auto prefix = mpq::read_prefix(file);
  BOOST_REQUIRE(prefix);
  BOOST_TEST(prefix->user_data_room == number(expected["userData"]["maxSize"]));
  BOOST_TEST(prefix->archive_offset == number(expected["userData"]["archiveOffset"]));
  BOOST_TEST(prefix->user_data_bytes == number(expected["userData"]["size"]));
}

void check_members(const mpq::archive& archive, element expected) {
  std::size_t count = 0;
  for (const auto& [name, wanted] : simdjson::dom::object(expected["files"])) {
    ++count;
    BOOST_TEST_CONTEXT(std::string(name)) {
      const auto bytes = archive.read(name);
      BOOST_REQUIRE(bytes);
      BOOST_TEST(bytes->size() == number(wanted["size"]));
      const std::uint32_t sum = crc32(*bytes);
      byte_vector big = {static_cast<std::byte>(sum >> 24), static_cast<std::byte>(sum >> 16),
                         static_cast<std::byte>(sum >> 8), static_cast<std::byte>(sum)};
      BOOST_TEST(test::to_hex(big) == text(wanted["crc32"]));
    }
  }
  // The expected list omits empty members.
  const auto filled = std::count_if(archive.members().begin(), archive.members().end(),
                                    [](const mpq::member& each) { return each.bytes > 0; });
  BOOST_TEST(static_cast<std::size_t>(filled) == count);
}

void check_details(const sc2replay::details& details, element expected) {
  BOOST_TEST(details.title == text(expected["map"]));
  BOOST_TEST(details.ended_utc == number(expected["timeUTC"]));
  BOOST_TEST(details.local_offset == number(expected["timeLocalOffset"]));
  BOOST_TEST(details.game_speed == number(expected["gameSpeed"]));
  std::size_t at = 0;
  for (const element handle : simdjson::dom::array(expected["cacheHandles"])) {
    BOOST_REQUIRE(at < details.cache_handles->size());
    BOOST_TEST(test::to_hex(as_bytes(details.cache_handles->at(at++))) == text(handle));
  }
  BOOST_TEST(at == details.cache_handles->size());
  at = 0;
  for (const element wanted : simdjson::dom::array(expected["players"])) {
    BOOST_REQUIRE(at < details.players->size());
    const sc2replay::details_player& player = details.players->at(at++);
    BOOST_TEST(player.name == text(wanted["name"]));
    BOOST_TEST(handle_text(player.toon) == text(wanted["toon"]));
    BOOST_TEST(player.race == text(wanted["race"]));
    BOOST_TEST(player.control == number(wanted["control"]));
    BOOST_TEST(player.team == number(wanted["team"]));
    BOOST_TEST(player.handicap == number(wanted["handicap"]));
    BOOST_TEST(player.observe == number(wanted["observe"]));
    BOOST_TEST(player.result == number(wanted["result"]));
    const simdjson::dom::array color = wanted["color"];
    BOOST_TEST(player.color.alpha == number(color.at(0)));
    BOOST_TEST(player.color.red == number(color.at(1)));
    BOOST_TEST(player.color.green == number(color.at(2)));
    BOOST_TEST(player.color.blue == number(color.at(3)));
  }
  BOOST_TEST(at == details.players->size());
}

std::string snake(std::string_view camel) {
  std::string out;
  for (const char letter : camel) {
    if (std::isupper(static_cast<unsigned char>(letter)) != 0) out += '_';
    out += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return out;
}

void check_options(const sc2replay::lobby& lobby, element wanted) {
  std::size_t count = 0;
  for (const auto& [name, value] : simdjson::dom::object(wanted)) {
    const std::string ours = snake(name);
    const auto found = std::find_if(lobby.options.begin(), lobby.options.end(),
                                    [&](const sc2replay::game_option& each) { return each.name == ours; });
    BOOST_REQUIRE_MESSAGE(found != lobby.options.end(), ours);
    const std::uint64_t expected = value.is_bool() ? (bool(value) ? 1u : 0u) : value.get_uint64().value();
    BOOST_TEST(found->value == expected, ours);
    ++count;
  }
  BOOST_TEST(count == lobby.options.size());
}

void check_slots(const sc2replay::lobby& lobby, element wanted_slots) {
  std::vector<const sc2replay::lobby_slot*> taken;
  for (const sc2replay::lobby_slot& each : lobby.slots) {
    if (each.control >= 2) taken.push_back(&each);
  }
  std::size_t at = 0;
  for (const element wanted : simdjson::dom::array(wanted_slots)) {
    BOOST_REQUIRE(at < taken.size());
    const sc2replay::lobby_slot& slot = *taken[at++];
    BOOST_TEST(slot.control == number(wanted["control"]));
    BOOST_TEST(slot.user_id.has_value() == !wanted["userId"].is_null());
    if (slot.user_id) BOOST_TEST(*slot.user_id == number(wanted["userId"]));
    BOOST_TEST(slot.team_id == number(wanted["teamId"]));
    BOOST_TEST(slot.observe == number(wanted["observe"]));
    BOOST_TEST(slot.handicap == number(wanted["handicap"]));
    BOOST_TEST(slot.difficulty == number(wanted["difficulty"]));
  }
  BOOST_TEST(at == taken.size());
}

void check_lobby(const sc2replay::lobby& lobby, element wanted) {
  check_options(lobby, wanted["gameOptions"]);
  check_slots(lobby, wanted["slots"]);
  BOOST_TEST(lobby.random_seed == number(wanted["randomSeed"]));
  if (!has(wanted, "users")) return;
  std::vector<std::string> names;
  for (const sc2replay::lobby_user& each : lobby.users) {
    if (!each.name.empty()) names.push_back(each.name);
  }
  std::vector<std::string> wanted_names;
  for (const element name : simdjson::dom::array(wanted["users"])) wanted_names.push_back(text(name));
  BOOST_TEST(names == wanted_names, boost::test_tools::per_element());
  BOOST_TEST(lobby.max_players == number(wanted["maxPlayers"]));
  BOOST_TEST(lobby.map_size_x == number(wanted["mapSizeX"]));
  BOOST_TEST(lobby.map_size_y == number(wanted["mapSizeY"]));
}

// The list at the end of replay.info.
void check_beta_players(const sc2replay::lobby& lobby, element expected) {
  BOOST_TEST(lobby.title == text(expected["map"]));
  BOOST_TEST(lobby.game_speed == number(expected["gameSpeed"]));
  std::vector<const sc2replay::beta_player*> named;
  for (const sc2replay::beta_player& each : lobby.players) {
    if (!each.name.empty()) named.push_back(&each);
  }
  std::size_t at = 0;
  for (const element wanted : simdjson::dom::array(expected["players"])) {
    BOOST_REQUIRE(at < named.size());
    BOOST_TEST(named[at]->name == text(wanted["name"]));
    BOOST_TEST(named[at]->race == text(wanted["race"]));
    ++at;
  }
  BOOST_TEST(at == named.size());
}

}  // namespace

BOOST_AUTO_TEST_CASE(real_replays_give_their_expected_results) {
  for_each_replay([](const byte_vector& file, element expected) {
    const auto archive = sc2replay::open_archive(file);
    BOOST_REQUIRE(archive);
    const auto replay = sc2replay::replay::open(*archive);
    BOOST_REQUIRE(replay);
    BOOST_TEST(replay->problems.empty());
    check_header(replay->header, file, expected);
    check_members(*archive, expected);
    BOOST_REQUIRE(replay->lobby.has_value());
    if (replay->details) {
      check_details(*replay->details, expected);
      check_lobby(*replay->lobby, expected["initData"]);
      BOOST_REQUIRE(replay->attributes.has_value());
      BOOST_TEST(replay->attributes->list.size() == number(expected["attributes"]["count"]));
    } else {
      check_lobby(*replay->lobby, expected);
      check_beta_players(*replay->lobby, expected);
    }
    BOOST_TEST(replay->players.size() == simdjson::dom::array(expected["players"]).size());
    for (const sc2replay::player& each : replay->players) BOOST_TEST(each.slot.has_value());
  });
}

BOOST_AUTO_TEST_CASE(rewritten_real_members_are_unchanged) {
  for_each_replay([](const byte_vector& file, element) {
    const auto archive = sc2replay::open_archive(file);
    BOOST_REQUIRE(archive);
    const auto replay = sc2replay::replay::open(*archive);
    BOOST_REQUIRE(replay);
    const byte_span header = archive->user_data();
    const byte_vector written_header = sc2replay::write_header(replay->header).value();
    BOOST_TEST(std::equal(header.begin(), header.end(), written_header.begin(), written_header.end()));
    const std::uint32_t build = replay->base_build();
    if (replay->details) {
      BOOST_TEST((write_details(*replay->details) == *archive->read("replay.details")));
      BOOST_TEST(
          (*write_attributes(*replay->attributes, build) == *archive->read("replay.attributes.events")));
    }
    const char* name = replay->details ? "replay.initData" : "replay.info";
    const byte_vector lobby = *archive->read(name);
    const auto kept =
        sc2replay::rewrite_lobby(lobby, build, [](const sc2replay::lobby_text&) { return std::nullopt; });
    BOOST_REQUIRE(kept);
    BOOST_TEST((*kept == lobby));
    const auto again = sc2replay::read_lobby(*write_lobby(*replay->lobby, build), build);
    BOOST_REQUIRE(again);
    BOOST_TEST((*again == *replay->lobby));
    // And the whole file, by its members.
    std::vector<mpq::new_member> members;
    for (const mpq::member& each : archive->members()) {
      members.push_back({each.name, *archive->read(each.name)});
    }
    const auto written = mpq::write_archive(header, members);
    BOOST_REQUIRE(written);
    const auto reopened = sc2replay::open_archive(*written);
    BOOST_REQUIRE(reopened);
    BOOST_TEST(reopened->members().size() == members.size());
    for (const mpq::new_member& each : members) BOOST_TEST((*reopened->read(each.name) == each.bytes));
  });
}

BOOST_AUTO_TEST_CASE(truncated_members_of_real_replays_are_rejected) {
  for_each_replay([](const byte_vector& file, element) {
    const auto archive = sc2replay::open_archive(file);
    const auto replay = sc2replay::replay::open(*archive);
    BOOST_REQUIRE(replay);
    const std::uint32_t build = replay->base_build();
    const char* name = replay->details ? "replay.initData" : "replay.info";
    const byte_vector lobby = *archive->read(name);
    const auto refuses = [](const auto& parsed, std::size_t size) {
      BOOST_REQUIRE(!parsed);
      BOOST_REQUIRE(parsed.error().offset <= size);
    };
    for (std::size_t size = 0; size < lobby.size(); ++size) {
      refuses(sc2replay::read_lobby(byte_span(lobby).first(size), build), size);
    }
    if (!replay->details) return;
    const byte_vector details = *archive->read("replay.details");
    for (std::size_t size = 0; size < details.size(); ++size) {
      refuses(sc2replay::read_details(byte_span(details).first(size)), size);
    }
  });
}

BOOST_AUTO_TEST_CASE(damaged_real_archives_are_read_or_rejected) {
  auto random = seeded_random("damaged_real_archives_are_read_or_rejected");
  for_each_replay([&random](const byte_vector& file, element) {
    for (int round = 0; round < 40; ++round) {
      byte_vector changed = file;
      for (std::uint64_t i = random() % 8 + 1; i-- > 0;) {
        const std::size_t tail = std::min<std::size_t>(changed.size(), 1200);
        const std::size_t at =
            random() % 2 == 0 ? changed.size() - 1 - random() % tail : random() % changed.size();
        changed[at] = static_cast<std::byte>(random());
      }
      const auto archive = sc2replay::open_archive(changed);
      if (!archive) continue;
      byte_vector bytes;
      for (const mpq::member& each : archive->members()) {
        const auto read = archive->read(each.name, bytes);
        BOOST_REQUIRE((read || read.error().offset <= changed.size()));
      }
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
