#define BOOST_TEST_MODULE sdk_keyframe
#include <boost/test/unit_test.hpp>
#include <string>

#include "random.hpp"
#include "tickreel/keyframe/cadence.hpp"
#include "tickreel/keyframe/index.hpp"
#include "tickreel/keyframe/seek_plan.hpp"

using namespace tickreel;

namespace {

// K for keyframes, . for deltas: what the cadence says to frames `step_us` apart.
std::string pattern(keyframe_cadence& cadence, int frames, std::int64_t step_us = 1000) {
  std::string text;
  for (int i = 0; i < frames; ++i) {
    const frame_stamp stamp{static_cast<std::uint64_t>(i), i * step_us};
    text += cadence.next(stamp) == frame_kind::keyframe ? 'K' : '.';
  }
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(cadences)

BOOST_AUTO_TEST_CASE(counts_frames) {
  keyframe_cadence every_third({.keyframe_interval_frames = 3});
  BOOST_TEST(pattern(every_third, 8) == "K..K..K.");
  keyframe_cadence always({.keyframe_interval_frames = 1});
  BOOST_TEST(pattern(always, 3) == "KKK");
}

BOOST_AUTO_TEST_CASE(without_any_rule_only_the_first_is_a_keyframe) {
  keyframe_cadence never({.keyframe_interval_frames = 0, .keyframe_interval_ms = 0});
  BOOST_TEST(pattern(never, 1000) == "K" + std::string(999, '.'));
}

BOOST_AUTO_TEST_CASE(measures_time) {
  keyframe_cadence by_time({.keyframe_interval_frames = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(by_time, 9, 2500) == "K...K...K");
  keyframe_cadence slow({.keyframe_interval_frames = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(slow, 4, 9999) == "K.K.");
  keyframe_cadence slower({.keyframe_interval_frames = 0, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(slower, 4, 50000) == "KKKK");
}

BOOST_AUTO_TEST_CASE(whichever_rule_comes_first_restarts_both) {
  keyframe_cadence both({.keyframe_interval_frames = 4, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(both, 9, 1000) == "K...K...K");
  keyframe_cadence time_first({.keyframe_interval_frames = 4, .keyframe_interval_ms = 10});
  BOOST_TEST(pattern(time_first, 7, 5000) == "K.K.K.K");
}

BOOST_AUTO_TEST_CASE(a_forced_keyframe_restarts_the_count) {
  keyframe_cadence cadence({.keyframe_interval_frames = 4});
  BOOST_TEST(pattern(cadence, 2) == "K.");
  cadence.force();
  cadence.force();
  BOOST_TEST(pattern(cadence, 6) == "K...K.");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(indexing)

BOOST_AUTO_TEST_CASE(finds_the_last_keyframe_at_or_before) {
  keyframe_index index;
  BOOST_TEST(!index.at_or_before_tick(0).has_value());
  BOOST_TEST(!index.at_or_before_time(0).has_value());
  BOOST_TEST(index.add({10, 1000, 7}));
  BOOST_TEST(index.add({20, 2000, 8}));
  BOOST_TEST(index.add({30, 3000, 9}));
  BOOST_TEST(!index.at_or_before_tick(9).has_value());
  BOOST_TEST(index.at_or_before_tick(10).value() == 0u);
  BOOST_TEST(index.at_or_before_tick(19).value() == 0u);
  BOOST_TEST(index.at_or_before_tick(20).value() == 1u);
  BOOST_TEST(index.at_or_before_tick(~std::uint64_t{0}).value() == 2u);
  BOOST_TEST(!index.at_or_before_time(999).has_value());
  BOOST_TEST(index.at_or_before_time(1000).value() == 0u);
  BOOST_TEST(index.at_or_before_time(2999).value() == 1u);
  BOOST_TEST(index[1].location == 8u);
  BOOST_TEST(index.entries().size() == 3u);
  index.clear();
  BOOST_TEST(index.empty());
}

BOOST_AUTO_TEST_CASE(ticks_rise_and_times_never_fall) {
  keyframe_index index;
  BOOST_TEST(index.add({5, 500, 0}));
  BOOST_TEST(!index.add({5, 600, 1}));
  BOOST_TEST(!index.add({4, 600, 1}));
  BOOST_TEST(index.size() == 1u);
  BOOST_TEST(index.add({6, 100, 1}));
  BOOST_TEST(index[1].time_us == 500);
  BOOST_TEST(index.at_or_before_time(500).value() == 1u);
}

BOOST_AUTO_TEST_CASE(agrees_with_a_plain_search) {
  auto random = test::seeded_random("keyframe index");
  for (int round = 0; round < 200; ++round) {
    keyframe_index index;
    std::uint64_t tick = random() % 5;
    std::int64_t time_us = 0;
    const std::size_t count = random() % 20;
    for (std::size_t i = 0; i < count; ++i) {
      BOOST_REQUIRE(index.add({tick, time_us, i}));
      tick += 1 + random() % 5;
      time_us += static_cast<std::int64_t>(random() % 3);
    }
    for (std::uint64_t sought = 0; sought < tick + 2; ++sought) {
      std::optional<std::size_t> by_tick, by_time;
      for (std::size_t i = 0; i < index.size(); ++i) {
        if (index[i].tick <= sought) by_tick = i;
        if (index[i].time_us <= static_cast<std::int64_t>(sought)) by_time = i;
      }
      BOOST_REQUIRE((index.at_or_before_tick(sought) == by_tick));
      BOOST_REQUIRE((index.at_or_before_time(static_cast<std::int64_t>(sought)) == by_time));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(seeking)

BOOST_AUTO_TEST_CASE(starts_at_the_keyframe_before) {
  keyframe_index index;
  BOOST_REQUIRE(index.add({0, 0, 100}));
  BOOST_REQUIRE(index.add({300, 5000, 200}));
  const tick_range recorded{0, 449};

  const auto inside = plan_seek(index, recorded, 449);
  BOOST_REQUIRE(inside.has_value());
  BOOST_TEST(inside->entry == 1u);
  BOOST_TEST(inside->keyframe.location == 200u);
  BOOST_TEST(inside->max_frames_to_decode == 150u);

  const auto on_keyframe = plan_seek(index, recorded, 300);
  BOOST_REQUIRE(on_keyframe.has_value());
  BOOST_TEST(on_keyframe->max_frames_to_decode == 1u);

  const auto before = plan_seek(index, recorded, 299);
  BOOST_REQUIRE(before.has_value());
  BOOST_TEST(before->keyframe.tick == 0u);
  BOOST_TEST(before->max_frames_to_decode == 300u);
}

BOOST_AUTO_TEST_CASE(says_why_there_is_no_way) {
  keyframe_index index;
  BOOST_REQUIRE(index.add({50, 0, 0}));
  const tick_range recorded{20, 90};
  const auto code = [&](std::uint64_t tick) { return plan_seek(index, recorded, tick).error().code; };
  BOOST_TEST((code(19) == error_code::out_of_range));
  BOOST_TEST((code(91) == error_code::out_of_range));
  BOOST_TEST((code(20) == error_code::missing_keyframe));
  BOOST_TEST((code(49) == error_code::missing_keyframe));
  BOOST_TEST(plan_seek(index, recorded, 50).has_value());
  BOOST_TEST(describe(plan_seek(index, recorded, 91).error()) == "outside the recording: tick 91");
  BOOST_TEST((plan_seek({}, recorded, 60).error().code == error_code::missing_keyframe));
}

BOOST_AUTO_TEST_SUITE_END()
