// Values that a state cannot store are reported with kind, path and value.
#include "tickreel/echo/omissions.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "random.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(omissions_test)

using namespace tickreel;
using namespace tickreel::echo;

namespace {

struct listening {
  json_parser parser;
  std::unique_ptr<state> out = std::make_unique<state>();
  omission_tally tally;

  void session(std::string_view json) { BOOST_REQUIRE(parser.parse_session(json, *out, &tally).has_value()); }
  void bones(std::string_view json) { BOOST_REQUIRE(parser.parse_bones(json, *out, &tally).has_value()); }
  [[nodiscard]] const omission_tally::entry& only() const {
    BOOST_REQUIRE_EQUAL(tally.entries().size(), 1u);
    return tally.entries().front();
  }
};

std::string players(int count) {
  std::string text = R"({"teams":[{"players":[)";
  for (int i = 0; i < count; ++i) {
    if (i != 0) text += ',';
    text += R"({"userid":7,"name":"p)" + std::to_string(i) + R"("})";
  }
  return text + "]}]}";
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_kind_is_reported_with_its_value) {
  struct sample {
    const char* json;
    omission_kind kind;
    const char* path;
    const char* value;
  };
  const std::string long_name = '"' + std::string(70, 'n') + '"';
  const std::string named = R"({"teams":[{"players":[{"name":)" + long_name + "}]}]}";
  const sample samples[] = {
      {R"({"jetpack":1.5})", omission_kind::unknown_field, "jetpack", "1.5"},
      {R"({"jetpack":{"a":[1]}})", omission_kind::unknown_field, "jetpack", "{...}"},
      {R"({"game_clock":"soon"})", omission_kind::wrong_type, "game_clock", "\"soon\""},
      {R"({"blue_round_score":3.5})", omission_kind::wrong_type, "blue_round_score", "3.5"},
      {R"({"possession":[1,2,3]})", omission_kind::wrong_type, "possession", "[...]"},
      {R"({"game_status":"a","game_status":"b"})", omission_kind::repeated_field, "game_status", "\"b\""},
      {named.c_str(), omission_kind::cut_text, "teams.players.name", long_name.c_str()},
  };
  for (const sample& each : samples) {
    BOOST_TEST_CONTEXT(each.json) {
      listening l;
      l.session(each.json);
      BOOST_TEST((l.only().kind == each.kind));
      BOOST_TEST(l.only().path == each.path);
      BOOST_TEST(l.only().value == each.value);
      BOOST_TEST(l.only().count == 1u);
      const std::string said = l.tally.sentences().at(0);
      BOOST_TEST(said.find(each.path) != std::string::npos, said);
      BOOST_TEST(said.find(each.value) != std::string::npos, said);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_missing_field_of_a_whole_part_is_named) {
  listening l;
  l.session(R"({"last_throw":{"arm_speed":1,"total_speed":2}})");
  BOOST_TEST(l.tally.count(omission_kind::missing_part) == 11u);
  BOOST_TEST(l.tally.entries().front().path == "last_throw.off_axis_spin_deg");
}

BOOST_AUTO_TEST_CASE(every_player_beyond_the_limit_is_named) {
  listening l;
  l.tally.set_place({12, 13, 4711});
  l.session(players(255));
  BOOST_TEST(l.tally.count(omission_kind::dropped_player) == 255u - max_players);
  BOOST_TEST(l.out->match.player_count == max_players);
  const std::string said = l.tally.sentences().at(0);
  for (int i = max_players; i < 255; ++i) {
    BOOST_TEST(said.find("\"p" + std::to_string(i) + '"') != std::string::npos, said);
  }
  BOOST_TEST(said.find("tick 12 (line 13 at offset 4711)") != std::string::npos, said);

  listening skeletons;
  std::string text = R"({"user_bones":[)";
  for (int i = 0; i < 34; ++i) text += (i == 0 ? "" : ",") + (R"({"playerid":)" + std::to_string(i) + "}");
  skeletons.bones(text + "]}");
  BOOST_TEST(skeletons.tally.count(omission_kind::dropped_player) == 2u);
  BOOST_TEST(skeletons.tally.entries().back().value == "33");
}

BOOST_AUTO_TEST_CASE(a_tally_stays_bounded_and_keeps_counting) {
  omission_tally tally;
  for (int i = 0; i < 5000; ++i) tally.left_out({omission_kind::unknown_field, "k" + std::to_string(i), "1"});
  for (int i = 0; i < 3; ++i) tally.left_out({omission_kind::unknown_field, "k0", "1"});
  BOOST_TEST(tally.total() == 5003u);
  BOOST_TEST(tally.entries().size() == omission_tally::max_kept);
  BOOST_TEST(tally.entries().front().count == 4u);
  const auto sentences = tally.sentences();
  BOOST_TEST(sentences.size() < 30u);
  BOOST_TEST(sentences.back().find("more values were left out") != std::string::npos);
  omission_tally sum;
  sum.add(tally);
  sum.add(tally);
  BOOST_TEST(sum.total() == 2 * tally.total());
}

BOOST_AUTO_TEST_CASE(records_round_trip_and_count_once) {
  omission_tally from;
  from.set_place({99, 0, 0});
  from.left_out({omission_kind::wrong_type, "a.b", "\"x\""});
  omission_tally to;
  BOOST_TEST(to.take_record(omission_tally::record_of(from.entries()[0])));
  from.left_out({omission_kind::wrong_type, "a.b", "\"x\"", 41});
  BOOST_TEST(to.take_record(omission_tally::record_of(from.entries()[0])));
  BOOST_TEST(to.take_record(omission_tally::record_of(from.entries()[0])));
  BOOST_TEST(to.total() == 42u);
  BOOST_REQUIRE_EQUAL(to.entries().size(), 1u);
  BOOST_TEST(to.entries()[0].first.tick == 99u);
  BOOST_TEST(to.sentences() == from.sentences(), boost::test_tools::per_element());

  // Malicious records are rejected.
  byte_vector whole = omission_tally::record_of(from.entries()[0]);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    BOOST_TEST(!omission_tally().take_record(byte_span(whole).first(cut)));
  }
  whole[0] = std::byte{200};
  BOOST_TEST(!omission_tally().take_record(whole));
  auto random = test::seeded_random("records");
  for (int round = 0; round < 2000; ++round) {
    byte_vector noise(random() % 64);
    for (std::byte& each : noise) each = static_cast<std::byte>(random());
    omission_tally tally;
    if (!tally.take_record(noise)) BOOST_TEST(tally.empty());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
