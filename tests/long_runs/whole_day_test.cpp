// 24 simulated hours at 60 Hz, 5.18 million ticks: a leak of one byte in fifty ticks is noticed.
#include "worlds.hpp"

BOOST_AUTO_TEST_SUITE(long_runs_tests)
BOOST_AUTO_TEST_SUITE(whole_day_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

constexpr std::uint64_t ticks = 1440 * 60 * ticks_per_second;
constexpr std::int64_t crosses_31_bits_ms = std::int64_t{1} << 31;
constexpr std::int64_t crosses_32_bits_ms = std::int64_t{1} << 32;

}  // namespace

BOOST_AUTO_TEST_CASE(a_described_struct) {
  const long_run how{ticks, crosses_32_bits_ms};
  described_world world(how);
  record_for_long(world, how);
}

BOOST_AUTO_TEST_CASE(a_reel_of_columns) {
  const long_run how{ticks, crosses_31_bits_ms};
  echo_world<columns_encoder> world(how);
  record_for_long(world, how);
}

BOOST_AUTO_TEST_CASE(a_butter) {
  const long_run how{ticks, crosses_32_bits_ms};
  echo_world<butter::encoder> world(how);
  record_for_long(world, how);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
