#include "tickreel/text/utc.hpp"

#include <boost/test/unit_test.hpp>
#include <ctime>
#include <limits>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(utc_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(seconds_as_rfc_3339) {
  BOOST_TEST(text::utc_text(0) == "1970-01-01T00:00:00Z");
  BOOST_TEST(text::utc_text(-1) == "1969-12-31T23:59:59Z");
  BOOST_TEST(text::utc_text(1595973216) == "2020-07-28T21:53:36Z");
  BOOST_TEST(text::utc_text(951'782'400) == "2000-02-29T00:00:00Z");
  BOOST_TEST(text::utc_text(-62'167'219'200) == "0000-01-01T00:00:00Z");
  BOOST_TEST(text::utc_text(253'402'300'799) == "9999-12-31T23:59:59Z");
}

BOOST_AUTO_TEST_CASE(years_beyond_four_digits_are_empty) {
  for (const std::int64_t seconds :
       {std::int64_t{253'402'300'800}, std::int64_t{-62'167'219'201},
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    BOOST_TEST(text::utc_text(seconds) == "");
  }
}

#ifndef _WIN32
BOOST_AUTO_TEST_CASE(equals_the_system_function) {
  auto random = test::seeded_random("utc");
  for (int i = 0; i < 10'000; ++i) {
    // Years 1000 to 9999, which strftime prints with four digits on every system.
    const std::int64_t seconds = -30'610'224'000 + static_cast<std::int64_t>(random() % 284'012'524'800);
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts = {};
    BOOST_REQUIRE(gmtime_r(&time, &parts) != nullptr);
    char expected[32];
    (void)std::strftime(expected, sizeof expected, "%Y-%m-%dT%H:%M:%SZ", &parts);
    BOOST_REQUIRE_EQUAL(text::utc_text(seconds), expected);
    BOOST_REQUIRE(text::utc_seconds(expected) == seconds);
  }
}
#endif

BOOST_AUTO_TEST_CASE(texts_as_seconds) {
  const std::int64_t when = 1595973216;
  for (const char* text :
       {"2020-07-28T21:53:36Z", "2020-07-28t21:53:36z", "2020-07-28 21:53:36", "2020-07-28T21:53:36.999Z",
        "2020-07-28T23:53:36+02:00", "2020-07-28T16:23:36.5-05:30", "2020-07-29T00:53:36+03:00"}) {
    BOOST_TEST((text::utc_seconds(text) == when), text);
  }
  BOOST_TEST((text::utc_seconds("2016-12-31T23:59:60Z") == text::utc_seconds("2017-01-01T00:00:00Z")));
  BOOST_TEST((text::utc_seconds("0000-01-01T00:00:00Z") == -62'167'219'200));
}

BOOST_AUTO_TEST_CASE(other_texts_are_rejected) {
  for (const char* text : {"",
                           "2020",
                           "2020-07-28",
                           "2020-07-28T21:53",
                           "2020-02-30T00:00:00Z",
                           "2020-00-01T00:00:00Z",
                           "2020-13-01T00:00:00Z",
                           "2020-07-28T24:00:00Z",
                           "2020-07-28T21:60:00Z",
                           "2020-07-28T21:53:61Z",
                           "2020-07-28T21:53:36.Z",
                           "2020-07-28T21:53:36X",
                           "2020-07-28T21:53:36ZZ",
                           "2020-07-28T21:53:36+2:00",
                           "2020-07-28T21:53:36+24:00",
                           "2020-07-28T21:53:36+02:60",
                           "2020-07-28T21:53:36+02",
                           "-020-07-28T21:53:36Z",
                           "+2020-7-28T21:53:36Z",
                           " 2020-07-28T21:53:36Z",
                           "20O0-07-28T21:53:36Z",
                           "99999999999999999999"}) {
    BOOST_TEST(!text::utc_seconds(text), text);
  }
  // Truncated anywhere, it is another time or invalid, but never read past its end.
  const std::string whole = "2020-07-28T21:53:36.25+02:00";
  for (std::size_t size = 0; size < 19; ++size)
    BOOST_TEST(!text::utc_seconds(std::string_view(whole).substr(0, size)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
