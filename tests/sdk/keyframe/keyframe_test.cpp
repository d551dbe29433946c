#include <boost/test/unit_test.hpp>
#include <limits>
#include <string>

#include "tickreel/keyframe/cadence.hpp"

BOOST_AUTO_TEST_SUITE(sdk_keyframe_tests)
BOOST_AUTO_TEST_SUITE(keyframe_test)

using namespace tickreel;

namespace {

// K for keyframes, . for deltas: the decisions of the cadence for frames `step_us` apart.
std::string pattern(keyframe_cadence& cadence, int frames, std::int64_t step_us = 1000) {
  std::string text;
  for (int i = 0; i < frames; ++i) {
    const frame_stamp stamp{static_cast<std::uint64_t>(i), i * step_us};
    text += cadence.next(stamp) == frame_kind::keyframe ? 'K' : '.';
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_CASE(counts_frames) {
  keyframe_cadence every_third({.keyframe_interval_ticks = 3});
  BOOST_TEST(pattern(every_third, 8) == "K..K..K.");
  keyframe_cadence always({.keyframe_interval_ticks = 1});
  BOOST_TEST(pattern(always, 3) == "KKK");
}

BOOST_AUTO_TEST_CASE(without_any_rule_only_the_first_is_a_keyframe) {
  keyframe_cadence never({.keyframe_interval_ticks = 0, .keyframe_interval_ms = 0});
  BOOST_TEST(pattern(never, 1000) == "K" + std::string(999, '.'));
}

BOOST_AUTO_TEST_CASE(measures_time) {
  keyframe_cadence by_time({.keyframe_interval_ticks = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(by_time, 9, 2500) == "K...K...K");
  keyframe_cadence slow({.keyframe_interval_ticks = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(slow, 4, 9999) == "K.K.");
  keyframe_cadence slower({.keyframe_interval_ticks = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(slower, 4, 50000) == "KKKK");
}

// Otherwise a clock that is set back by an hour would mean an hour without a keyframe.
BOOST_AUTO_TEST_CASE(measures_time_in_both_directions) {
  keyframe_cadence back({.keyframe_interval_ms = 10});
  BOOST_TEST(pattern(back, 9, -2500) == "K...K...K");
  keyframe_cadence far({.keyframe_interval_ms = 10});
  constexpr std::int64_t last = (std::numeric_limits<std::int64_t>::max)();
  std::string kinds;
  for (const std::int64_t time_us : {last, -last - 1, -last, last, last - 9'999, last - 10'000}) {
    kinds += far.next({kinds.size(), time_us}) == frame_kind::keyframe ? 'K' : '.';
  }
  BOOST_TEST(kinds == "KK.K.K");
}

BOOST_AUTO_TEST_CASE(the_first_rule_that_applies_restarts_both) {
  keyframe_cadence both({.keyframe_interval_ticks = 4, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(both, 9, 1000) == "K...K...K");
  keyframe_cadence time_first({.keyframe_interval_ticks = 4, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(time_first, 7, 5000) == "K.K.K.K");
}

BOOST_AUTO_TEST_CASE(a_forced_keyframe_restarts_the_count) {
  keyframe_cadence cadence({.keyframe_interval_ticks = 4});
  BOOST_TEST(pattern(cadence, 2) == "K.");
  cadence.force();
  cadence.force();
  BOOST_TEST(pattern(cadence, 6) == "K...K.");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
