#include "tickreel/analysis/event.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(encoders_analysis_tests)
BOOST_AUTO_TEST_SUITE(event_test)

using namespace tickreel::analysis;

namespace {

std::string json_of(const event& happened) {
  std::string json;
  append_json(happened, json);
  return json;
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_map_back_to_types) {
  BOOST_TEST(type_count == 21u);
  for (std::size_t type = 0; type < type_count; ++type) BOOST_TEST(*type_from_name(type_name(type)) == type);
  BOOST_TEST(type_name(0) == "unit_created");
  BOOST_TEST(type_name(20) == "comeback_moment");
  BOOST_TEST(type_name(21) == "unknown");
  BOOST_TEST(!type_from_name("unit_Created"));
  BOOST_TEST(type_name(event{pause_event{1, 0, true}}) == "pause_event");
  BOOST_TEST(tick_of(event{pause_event{7, 0, true}}) == 7u);
}

BOOST_AUTO_TEST_CASE(json_lines) {
  BOOST_TEST(json_of({unit_created{1, {9, 2}, 3, 0, {1, -2, 3}}}) ==
             R"({"tick":1,"type":"unit_created","tag":{"index":9,"generation":2},"unit_type":3,"owner":0,)"
             R"("pos":{"x":1,"y":-2,"z":3}})");
  BOOST_TEST(json_of({unit_destroyed{2, {8, 1}, std::nullopt, 4}, true}) ==
             R"({"tick":2,"type":"unit_destroyed","tag":{"index":8,"generation":1},"killer_tag":null,)"
             R"("killer_owner":4,"derived":true})");
  BOOST_TEST(
      json_of({match_ended{2, outcome::completed{outcome::winning_player{0}, outcome::surrender{1}}}}) ==
      R"({"tick":2,"type":"match_ended","outcome":{"kind":"completed",)"
      R"("winner":{"kind":"player","player":0},"reason":{"kind":"surrender","player":1}}})");
  BOOST_TEST(
      json_of({vote_event{2, vote::ballot_cast{4, 1, vote::choice::no}}}) ==
      R"({"tick":2,"type":"vote_event","event":{"kind":"ballot_cast","vote":4,"voter":1,"choice":"no"}})");
  BOOST_TEST(json_of({vote_event{2, vote::proposed{4, vote::custom{"say \"hi\"\n"}, 1}}}) ==
             R"({"tick":2,"type":"vote_event","event":{"kind":"proposed","vote":4,)"
             R"("vote_type":{"kind":"custom","name":"say \"hi\"\u000a"},"proposer":1}})");
  BOOST_TEST(json_of({selection_changed{2, 1, {{7, 1}, {8, 2}}, {}}}) ==
             R"({"tick":2,"type":"selection_changed","player":1,)"
             R"("added":[{"index":7,"generation":1},{"index":8,"generation":2}],"removed":[]})");
  BOOST_TEST(json_of({comeback_moment{18446744073709551615u, 0, -3000, 1500, 4500}}) ==
             R"({"tick":18446744073709551615,"type":"comeback_moment","player":0,"deficit_before":-3000,)"
             R"("advantage_after":1500,"swing_value":4500})");
}

BOOST_AUTO_TEST_CASE(participants_of_events) {
  BOOST_TEST(concerns({unit_created{1, {}, 5, 3, {}}}, 3));
  BOOST_TEST(!concerns({unit_created{1, {}, 5, 3, {}}}, 5));
  BOOST_TEST(concerns({unit_destroyed{1, {}, std::nullopt, 2}}, 2));
  BOOST_TEST(!concerns({unit_destroyed{1, {}, std::nullopt, std::nullopt}}, 0));
  BOOST_TEST(concerns({vote_event{1, vote::proposed{9, vote::kick{4, 0}, 1}}}, 1));
  BOOST_TEST(concerns({vote_event{1, vote::proposed{9, vote::kick{4, 0}, 1}}}, 4));
  BOOST_TEST(!concerns({vote_event{1, vote::proposed{9, vote::kick{4, 0}, 1}}}, 9));
  BOOST_TEST(concerns({match_ended{1, outcome::draw{outcome::agreed_draw{{{6, true}}}}}}, 6));
  BOOST_TEST(!concerns({pause_event{1, 2, false}}, 0));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
