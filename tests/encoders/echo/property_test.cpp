#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "json_equal.hpp"
#include "random.hpp"
#include "random_state.hpp"
#include "state_equal.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(property_test)

using namespace tickreel;
using namespace tickreel::echo;

BOOST_AUTO_TEST_CASE(any_state_round_trips_through_its_api_json) {
  auto random = test::seeded_random("states");
  test::state_generator generate(random);
  const auto original = std::make_unique<state>();
  const auto again = std::make_unique<state>();
  json_parser parser;
  for (int i = 0; i < 400; ++i) {
    generate.fill(*original, i % 2 == 0);
    std::string session, bones;
    append_session_json(*original, json_shape::api, number_style::shortest, session);
    append_bones_json(*original, json_shape::api, number_style::shortest, bones);
    BOOST_REQUIRE(session.find('\n') == std::string::npos);
    const auto session_report = parser.parse_session(session, *again);
    BOOST_REQUIRE_MESSAGE(session_report && session_report->complete(), session);
    BOOST_REQUIRE_EQUAL(test::session_difference(*original, *again), "");
    const auto bones_report = parser.parse_bones(bones, *again);
    BOOST_REQUIRE(bones_report && bones_report->complete());
    if (original->bones == bones_kind::absent)
      original->bones = bones_kind::without_list;  // one text for both
    BOOST_REQUIRE_EQUAL(test::bones_difference(*original, *again), "");
  }
}

BOOST_AUTO_TEST_CASE(the_model_prints_the_same_twice) {
  auto random = test::seeded_random("models");
  test::state_generator generate(random);
  const auto original = std::make_unique<state>();
  const auto again = std::make_unique<state>();
  json_parser parser;
  for (int i = 0; i < 200; ++i) {
    generate.fill(*original, true);
    std::string first, second;
    append_session_json(*original, json_shape::model, number_style::shortest, first);
    const auto report = parser.parse_session(first, *again);
    BOOST_REQUIRE_MESSAGE(report && report->complete(), first);
    append_session_json(*again, json_shape::model, number_style::shortest, second);
    BOOST_REQUIRE_EQUAL(test::json_difference(first, second), "");
  }
}

BOOST_AUTO_TEST_CASE(a_parser_grows_shrinks_and_moves) {
  auto random = test::seeded_random("sizes");
  test::state_generator generate(random);
  const auto original = std::make_unique<state>();
  const auto again = std::make_unique<state>();
  json_parser parser;
  for (int i = 0; i < 50; ++i) {
    generate.fill(*original, false);
    std::string session;
    append_session_json(*original, json_shape::api, number_style::shortest, session);
    session += std::string(random() % 100'000, ' ');
    json_parser moved = std::move(parser);
    BOOST_REQUIRE(moved.parse_session(session, *again).has_value());
    BOOST_REQUIRE_EQUAL(test::session_difference(*original, *again), "");
    parser = std::move(moved);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
