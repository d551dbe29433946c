// 24 simulated hours at 60 Hz, 5.18 million ticks: a leak of one byte in fifty ticks is noticed.
#include "worlds.hpp"

BOOST_AUTO_TEST_SUITE(long_runs_tests)
BOOST_AUTO_TEST_SUITE(whole_day_test)

namespace {
constexpr std::uint64_t ticks = 1440 * 60 * tickreel::test::ticks_per_second;
}

BOOST_AUTO_TEST_CASE(a_described_struct) {
  tickreel::test::record_described_structs(ticks);
}
BOOST_AUTO_TEST_CASE(a_reel_of_columns) {
  tickreel::test::record_columns(ticks);
}
BOOST_AUTO_TEST_CASE(a_butter) {
  tickreel::test::record_butter(ticks);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
