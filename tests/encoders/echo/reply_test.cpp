#include <boost/test/unit_test.hpp>

#include <ostream>

#include "tickreel/echo/json.hpp"

namespace tickreel::echo {
std::ostream& operator<<(std::ostream& out, reply_kind kind) {
  return out << static_cast<int>(kind);
}
}  // namespace tickreel::echo

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(reply_test)

using namespace tickreel::echo;

BOOST_AUTO_TEST_CASE(a_full_session_is_a_match_with_or_without_an_error_code) {
  BOOST_TEST(classify_reply(200, R"({"sessionid":"A","teams":[],"err_code":0})") == reply_kind::match);
  BOOST_TEST(classify_reply(200, "\r\n {\"sessionid\" : \"A\"}") == reply_kind::match);
}

BOOST_AUTO_TEST_CASE(menus_and_invalid_responses_are_loading) {
  BOOST_TEST(classify_reply(404, "") == reply_kind::loading);
  BOOST_TEST(classify_reply(404, "<html>not found</html>") == reply_kind::loading);
  BOOST_TEST(classify_reply(404, "{}") == reply_kind::loading);
  BOOST_TEST(classify_reply(200, "") == reply_kind::loading);
  BOOST_TEST(classify_reply(200, "   ") == reply_kind::loading);
  BOOST_TEST(classify_reply(200, "null") == reply_kind::loading);
  BOOST_TEST(classify_reply(200, "{}") == reply_kind::loading);
  BOOST_TEST(classify_reply(200, R"({"err_code":0})") == reply_kind::loading);
  BOOST_TEST(classify_reply(500, "oops") == reply_kind::loading);
}

BOOST_AUTO_TEST_CASE(error_codes_count_whatever_the_status) {
  for (const int status : {200, 403, 500}) {
    BOOST_TEST(classify_reply(status, R"({"err_description":"API is disabled","err_code":-2})") ==
               reply_kind::api_disabled);
    BOOST_TEST(classify_reply(status, R"({"err_code": -6})") == reply_kind::lobby);
    BOOST_TEST(classify_reply(status, "{\"err_code\"\n:\t-9}") == reply_kind::other_error);
  }
  BOOST_TEST(classify_reply(500, "{}") == reply_kind::other_error);
}

BOOST_AUTO_TEST_CASE(a_player_named_like_a_key_has_no_effect) {
  BOOST_TEST(classify_reply(200, R"({"client_name":"err_code","sessionid":"A","err_code":0})") ==
             reply_kind::match);
  BOOST_TEST(classify_reply(200, R"({"client_name":"\"err_code\":-6","sessionid":"A","err_code":0})") ==
             reply_kind::match);
  BOOST_TEST(classify_reply(200, R"({"client_name":"sessionid"})") == reply_kind::loading);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
