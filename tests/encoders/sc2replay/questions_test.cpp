// What is asked of a replay: whose events these are, who was there, and what happened to units.
#include <simdjson.h>
#include <boost/test/unit_test.hpp>
#include <map>
#include <set>

#include "sample_file.hpp"
#include "shared_data.hpp"
#include "tickreel/files/recording.hpp"

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
