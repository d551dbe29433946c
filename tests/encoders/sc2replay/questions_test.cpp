// What is asked of a replay: whose events these are, who was there, and what happened to units.
#include <simdjson.h>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/files/recording.hpp"
#include "tickreel/files/state_stream.hpp"

using namespace tickreel;
using namespace tickreel::test;

namespace {

std::vector<std::string> events_of(byte_span file, const files::event_query& query) {
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  std::vector<std::string> out;
  const auto given = (*opened)->events(query, [&](std::string_view line) {
    out.emplace_back(line);
    return true;
  });
  BOOST_REQUIRE_MESSAGE(given.has_value(), (given ? std::string() : describe(given.error())));
  return out;
}

template <class Value>
const Value* fact_of(const std::vector<files::fact>& facts, std::string_view key) {
  for (const files::fact& each : facts) {
    if (each.key == key) return std::get_if<Value>(&each.value);
  }
  return nullptr;
}

files::summary summary_of(byte_span file) {
  const auto opened = files::open(file);
  BOOST_REQUIRE(opened.has_value());
  auto out = (*opened)->summarise();
  BOOST_REQUIRE(out.has_value());
  return std::move(*out);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_players_events_are_all_of_them) {
  const std::filesystem::path folder = shared_data("sc2");
  if (folder.empty()) return;
  for (const char* name : {"2.1.4.32283-1v1.SC2Replay", "5.0.0.80949-1v1.SC2Replay"}) {
    const byte_vector file = read_file(folder / name);
    const std::vector<std::string> types = {"construction_started", "construction_completed", "unit_created",
                                            "unit_destroyed", "unit_type_change"};
    simdjson::dom::parser parser;
    std::map<std::string, std::size_t> of_all;
    for (const std::string& line : events_of(file, {.types = types})) {
      const simdjson::dom::element event = parser.parse(line);
      const std::string type(event["type"].get_string().value());
      std::int64_t owner = -1;
      BOOST_TEST((event["owner"].get(owner) == simdjson::SUCCESS), line);
      std::string_view unit;
      BOOST_TEST((event["unit_type_name"].get(unit) == simdjson::SUCCESS), line);
      if (type == "unit_destroyed") BOOST_TEST((event["pos"]["x"].error() == simdjson::SUCCESS), line);
      if (owner == 1) ++of_all[type];
    }
    std::map<std::string, std::size_t> of_first;
    for (const std::string& line : events_of(file, {.types = types, .player = "1"})) {
      const simdjson::dom::element event = parser.parse(line);
      if (event["owner"].get_int64().value() == 1) {
        ++of_first[std::string(event["type"].get_string().value())];
      }
    }
    BOOST_TEST(of_all.at("construction_completed") > 5u);
    BOOST_TEST(of_all.at("unit_destroyed") > 0u);
    BOOST_TEST((of_first == of_all), name);
  }
}

BOOST_AUTO_TEST_CASE(those_who_watched_are_told) {
  const files::summary found = summary_of(sample_file());
  BOOST_REQUIRE(found.players.size() == 4u);
  BOOST_TEST(found.players[3].name == "Watcher");
  BOOST_TEST(found.players[3].team == "spectator");
  const auto* const type = fact_of<std::string>(found.players[3].facts, "type");
  BOOST_REQUIRE(type != nullptr);
  BOOST_TEST(*type == "observer");
  const auto* const race = fact_of<std::string>(found.players[0].facts, "race_english");
  BOOST_REQUIRE(race != nullptr);
  BOOST_TEST(*race == "Zerg");
  // The sample says that it was arranged, and has a computer in it.
  const auto* const matched = fact_of<bool>(found.facts, "matched");
  BOOST_REQUIRE(matched != nullptr);
  BOOST_TEST(!*matched);
}

BOOST_AUTO_TEST_CASE(what_the_game_says_of_its_players_is_told) {
  auto members = sample_members();
  const std::string_view json =
      R"({"Title":"Clockwork Canyon","Players":[{"PlayerID":1,"MMR":3173,"APM":162.0,"Result":"Win"}]})";
  members.push_back({"replay.gamemetadata.json", byte_vector(as_bytes(json).begin(), as_bytes(json).end())});
  for (mpq::new_member& each : members) {
    if (each.name != "replay.initData") continue;
    sc2replay::lobby lobby = sample_lobby();
    lobby.map_author_name = "2-S2-1-165251";
    lobby.users[0].highest_league = 5;
    lobby.users[1].scaled_rating = 2715;
    each.bytes = *sc2replay::write_lobby(lobby, sample_base_build);
  }
  const auto file = mpq::write_archive(*sc2replay::write_header(sample_header()), members);
  BOOST_REQUIRE(file);
  const files::summary found = summary_of(*file);
  const auto text_of = [](const std::vector<files::fact>& facts, const char* key) {
    const auto* const text = fact_of<std::string>(facts, key);
    return text == nullptr ? std::string() : *text;
  };
  const auto& first = found.players[0].facts;
  BOOST_REQUIRE(fact_of<std::int64_t>(first, "mmr") != nullptr);
  BOOST_TEST(*fact_of<std::int64_t>(first, "mmr") == 3173);
  BOOST_REQUIRE(fact_of<double>(first, "game_apm") != nullptr);
  BOOST_TEST(*fact_of<double>(first, "game_apm") == 162.0);
  BOOST_TEST(text_of(first, "highest_league") == "diamond");
  BOOST_REQUIRE(fact_of<std::int64_t>(found.players[1].facts, "mmr") != nullptr);
  BOOST_TEST(*fact_of<std::int64_t>(found.players[1].facts, "mmr") == 2715);
  BOOST_TEST(text_of(found.facts, "region") == "Europe");
  BOOST_TEST(text_of(found.facts, "map_publisher") == "2-S2-1-165251");
  BOOST_TEST(text_of(found.facts, "match_id").starts_with("sc2-"));
}

BOOST_AUTO_TEST_CASE(a_tick_without_end_is_told_piece_by_piece) {
  auto members = sample_members();
  constexpr std::size_t count = 20'000;
  byte_vector events;
  for (std::size_t i = 0; i < count; ++i) {
    add_sample_event(events, 0, 0, 32, 7, [](sample_bits& to) { put_text(to, "the same tick", 10); });
  }
  for (mpq::new_member& each : members) {
    if (each.name == "replay.game.events") each.bytes = events;
  }
  const auto file = mpq::write_archive(*sc2replay::write_header(sample_header()), members);
  BOOST_REQUIRE(file);
  const auto opened = files::open(byte_span(*file));
  BOOST_REQUIRE(opened.has_value());
  BOOST_REQUIRE((*opened)->next().value());
  const auto* const pieces = dynamic_cast<const files::state_stream*>(opened->get());
  BOOST_REQUIRE(pieces != nullptr);
  std::size_t largest = 0;
  std::string all;
  BOOST_TEST(pieces->write_state([&](std::string_view piece) {
    largest = std::max(largest, piece.size());
    all += piece;
    return true;
  }));
  BOOST_TEST(largest < 300u);
  std::string at_once;
  (*opened)->append_state(at_once);
  BOOST_TEST((at_once == all));
  simdjson::dom::parser parser;
  simdjson::dom::element read;
  BOOST_REQUIRE(parser.parse(simdjson::padded_string("{" + all + "}")).get(read) == simdjson::SUCCESS);
  BOOST_TEST(read["events"].get_array().size() == count);
  // Whoever has enough is not told more.
  std::size_t told = 0;
  BOOST_TEST(!pieces->write_state([&](std::string_view) { return ++told < 10; }));
  BOOST_TEST(told == 10u);
  // The next tick is behind all of them.
  BOOST_REQUIRE((*opened)->next().value());
  BOOST_TEST((*opened)->position().tick == 40u);
}

BOOST_AUTO_TEST_CASE(races_have_one_name_in_every_language) {
  auto members = sample_members();
  for (mpq::new_member& each : members) {
    if (!each.name.starts_with("replay.details")) continue;
    sc2replay::details facts = sample_details();
    (*facts.players)[0].race = "\xED\x85\x8C\xEB\x9E\x80";  // Terran in Korean
    (*facts.players)[1].race = "no race";                   // and nothing is chosen
    each.bytes = sc2replay::write_details(facts);
  }
  const auto file = mpq::write_archive(*sc2replay::write_header(sample_header()), members);
  BOOST_REQUIRE(file);
  const files::summary found = summary_of(*file);
  const auto* const race = fact_of<std::string>(found.players[0].facts, "race_english");
  BOOST_REQUIRE(race != nullptr);
  BOOST_TEST(*race == "Terran");
  BOOST_TEST(fact_of<std::string>(found.players[1].facts, "race_english") == nullptr);
}
