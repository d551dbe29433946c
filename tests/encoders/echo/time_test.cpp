#include "tickreel/echo/time.hpp"

#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(time_test)

using namespace tickreel::echo;

namespace {

std::string formatted(std::int64_t time) {
  const auto text = format_time(time);
  return {text.data(), text.size()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(known_times) {
  BOOST_TEST(formatted(0) == "1970/01/01 00:00:00.000");
  BOOST_TEST(formatted(1'658'001'898'159) == "2022/07/16 20:04:58.159");
  BOOST_TEST(formatted(951'827'696'789) == "2000/02/29 12:34:56.789");
  BOOST_TEST(formatted(-1) == "1969/12/31 23:59:59.999");
  BOOST_TEST(formatted(-62'167'219'200'000) == "0000/01/01 00:00:00.000");
  BOOST_TEST(formatted(253'402'300'799'999) == "9999/12/31 23:59:59.999");
}

BOOST_AUTO_TEST_CASE(tables_show_whole_seconds) {
  BOOST_TEST(format_to_seconds(1'658'001'898'159) == "2022-07-16 20:04:58");
  BOOST_TEST(format_to_seconds(std::nullopt) == "");
}

BOOST_AUTO_TEST_CASE(times_out_of_range_are_clamped) {
  BOOST_TEST(formatted(std::numeric_limits<std::int64_t>::min()) == "0000/01/01 00:00:00.000");
  BOOST_TEST(formatted(std::numeric_limits<std::int64_t>::max()) == "9999/12/31 23:59:59.999");
}

BOOST_AUTO_TEST_CASE(other_notations_are_read) {
  const std::int64_t time = 1'658'001'898'159;
  for (const char* text :
       {"2022/07/16 20:04:58.159", "2022-07-16 20:04:58.159", "2022.07.16 20.04.58.159",
        "2022-07-16T20:04:58.159", "2022/07/16 20:04:58.1599999", "2022/07/16 20:04:58,159"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST((parse_time(text) == time));
    }
  }
  BOOST_TEST((parse_time("2022/07/16 20:04:58") == time - 159));
  BOOST_TEST((parse_time("2022/07/16 20:04:58.1") == time - 59));
}

BOOST_AUTO_TEST_CASE(invalid_times_are_rejected) {
  for (const char* text :
       {"", "2022", "2022/07/16", "2022/07/16 20:04", "2022/13/16 20:04:58.159", "2022/00/16 20:04:58.159",
        "2022/02/29 20:04:58.159", "2022/07/32 20:04:58.159", "2022/07/16 24:04:58.159",
        "2022/07/16 20:60:58.159", "2022/07/16 20:04:60.159", "2022/07/16 20:04:58.",
        "2022/07/16 20:04:58.15x", "2022/07/16 20:04:58.12345678", "-022/07/16 20:04:58.159",
        "2022/07/16x20:04:58.159", "2022/07/16 20:04:58.159 ", "{\"disc\":{\"position\":[0.0"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(!parse_time(text).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(every_time_round_trips) {
  auto random = tickreel::test::seeded_random("times");
  std::uniform_int_distribution<std::int64_t> any(-62'167'219'200'000, 253'402'300'799'999);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t time = any(random);
    BOOST_REQUIRE((parse_time(formatted(time)) == time));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
