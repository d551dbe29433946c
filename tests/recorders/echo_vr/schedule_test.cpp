#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <vector>

#include "random.hpp"
#include "tickreel/echo_vr/deadline_schedule.hpp"
#include "tickreel/echo_vr/latency.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_units_tests)
BOOST_AUTO_TEST_SUITE(schedule_test)

namespace {

using namespace std::chrono_literals;
using time_point = deadline_schedule::time_point;

const time_point start{1000s};

BOOST_AUTO_TEST_SUITE(schedule)

BOOST_AUTO_TEST_CASE(a_poller_that_is_always_in_time_loses_nothing) {
  deadline_schedule schedule(start, 60'000);
  time_point now = start;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const auto slot = schedule.next(now);
    BOOST_REQUIRE_EQUAL(slot.number, i);
    BOOST_REQUIRE_EQUAL(slot.skipped, 0);
    BOOST_REQUIRE((slot.when == schedule.deadline(i)));
    now = slot.when + 5ms;  // the response took 5 ms
  }
  // 600 polls at 60 Hz take exactly ten seconds, although a period is not a whole number of nanoseconds.
  BOOST_TEST((schedule.deadline(600) == start + 10s));
}

BOOST_AUTO_TEST_CASE(rounding_errors_do_not_accumulate) {
  const deadline_schedule schedule(start, 60'000);
  const std::uint64_t a_day = 60ull * 86'400;
  BOOST_TEST((schedule.deadline(a_day) == start + 24h));
  BOOST_TEST((schedule.deadline(a_day * 3650) == start + 24h * 3650));
  const deadline_schedule slow(start, 100);  // once in ten seconds
  BOOST_TEST((slow.deadline(3) == start + 30s));
}

BOOST_AUTO_TEST_CASE(a_slow_response_costs_whole_deadlines_without_bursts) {
  deadline_schedule schedule(start, 10'000);  // every 100 ms
  BOOST_TEST(schedule.next(start).number == 0);
  // 340 ms: 100, 200 and 300 have passed; 300 is only 40 ms ago, so it is still polled, late.
  auto slot = schedule.next(start + 340ms);
  BOOST_TEST(slot.number == 3);
  BOOST_TEST(slot.skipped == 2);
  // 350 ms is half a period after 300: that one is lost.
  deadline_schedule other(start, 10'000);
  BOOST_TEST(other.next(start).number == 0);
  slot = other.next(start + 350ms);
  BOOST_TEST(slot.number == 4);
  BOOST_TEST(slot.skipped == 3);
  BOOST_TEST((slot.when == start + 400ms));
}

BOOST_AUTO_TEST_CASE(before_the_start_and_after_a_pause) {
  deadline_schedule schedule(start, 10'000);
  BOOST_TEST(schedule.next(start - 1h).number == 0);
  BOOST_TEST(schedule.next(start - 1h).number == 1);
  const auto slot = schedule.next(start + 1h);
  BOOST_TEST(slot.number == 36'000);
  BOOST_TEST(slot.skipped == 35'998);
}

BOOST_AUTO_TEST_CASE(made_and_lost_polls_add_up_whatever_the_delays) {
  auto random = test::seeded_random("schedule");
  for (int round = 0; round < 300; ++round) {
    const auto rate_millihertz = std::uniform_int_distribution<std::uint32_t>(100, 120'000)(random);
    const auto period = std::chrono::nanoseconds(1'000'000'000'000 / rate_millihertz);
    deadline_schedule schedule(start, rate_millihertz);
    std::uint64_t made = 0;
    std::uint64_t lost = 0;
    time_point now = start;
    time_point last_made = start - period;
    deadline_schedule::slot slot;
    for (int i = 0; i < 200; ++i) {
      slot = schedule.next(now);
      ++made;
      lost += slot.skipped;
      const time_point poll_at = std::max(now, slot.when);
      BOOST_REQUIRE((poll_at - slot.when) * 2 <= period + 2ns);  // never half a period late
      BOOST_REQUIRE((poll_at - last_made) * 2 >= period - 4ns);  // never closer than half a period
      last_made = poll_at;
      now = poll_at + period * std::uniform_int_distribution<std::int64_t>(0, 5000)(random) / 1000;
    }
    BOOST_REQUIRE_EQUAL(made + lost, slot.number + 1);
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(latency)

BOOST_AUTO_TEST_CASE(small_values_are_exact) {
  latency_histogram histogram;
  BOOST_TEST(histogram.quantile(0.5) == 0);
  for (std::uint64_t i = 0; i < 16; ++i) histogram.add(i);
  BOOST_TEST(histogram.count() == 16);
  BOOST_TEST(histogram.quantile(0.0) == 0);
  BOOST_TEST(histogram.quantile(0.5) == 7);
  BOOST_TEST(histogram.quantile(1.0) == 15);
}

BOOST_AUTO_TEST_CASE(quantiles_are_never_too_low_and_at_most_an_eighth_too_high) {
  auto random = test::seeded_random("latency");
  for (int round = 0; round < 50; ++round) {
    latency_histogram histogram;
    std::vector<std::uint64_t> all;
    for (int i = 0; i < 500; ++i) {
      const int bits = std::uniform_int_distribution<int>(0, 38)(random);
      all.push_back(random() & ((std::uint64_t{1} << bits) - 1));
      histogram.add(all.back());
    }
    std::sort(all.begin(), all.end());
    for (const double share : {0.01, 0.5, 0.9, 0.99, 1.0}) {
      const auto rank = static_cast<std::size_t>(share * 500 + 0.5);
      const std::uint64_t exact = all[rank - 1];
      BOOST_REQUIRE_GE(histogram.quantile(share), exact);
      BOOST_REQUIRE_LE(histogram.quantile(share), exact + exact / 8);
    }
  }
}

BOOST_AUTO_TEST_CASE(values_beyond_the_last_bucket_are_counted_in_it) {
  latency_histogram histogram;
  histogram.add(~std::uint64_t{0});
  BOOST_TEST(histogram.count() == 1);
  BOOST_TEST(histogram.quantile(0.5) > std::uint64_t{1} << 40);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
