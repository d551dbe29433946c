#include "tickreel/record/recorder.hpp"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>
#include <thread>

#include "recorder_fixture.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_tests)
BOOST_AUTO_TEST_SUITE(recorder_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(pushed_ticks_are_read_back) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options;
  options.ticks_per_second = 60;
  auto recorder = block_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 5000; ++tick) BOOST_REQUIRE(recorder->push(state_of_tick(tick)));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(report->counters.pushed == 5000u);
  BOOST_TEST(report->counters.written == 5000u);
  BOOST_TEST(report->counters.keyframes == 17u);  // one in 300
  BOOST_TEST(report->counters.stored_bytes == std::filesystem::file_size(path));
  BOOST_TEST(recorder->encoder().encoded() == 5000u);
  BOOST_TEST((recorder->close().error().code == error_code::wrong_state));
  BOOST_TEST(!recorder->push(state_of_tick(9999)));

  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->head().encoder_name == "ints");
  BOOST_TEST(reel->head().encoder_version == 7u);
  BOOST_TEST(reel->contents().from_index);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST(reel->contents().frames == 5000u);
  BOOST_TEST(reel->contents().keyframe_chunks == 17u);
  check_ticks(*reel, 0, 5000);
  BOOST_TEST(decode_all(*reel)[4999].stamp.time_us == 4999LL * 1'000'000 / 60);
}

BOOST_AUTO_TEST_CASE(capture_fills_in_place_and_the_clock_supplies_times_without_a_rate) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = block_recorder::open(path, int_encoder{});
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 100; ++tick) {
    BOOST_REQUIRE(recorder->capture([tick](int_state& slot) { slot = state_of_tick(tick); }));
  }
  BOOST_REQUIRE(recorder->close());
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  check_ticks(*reel, 0, 100);
  std::int64_t before = 0;
  for (const auto& tick : decode_all(*reel)) {
    BOOST_TEST(tick.stamp.time_us >= before);
    before = tick.stamp.time_us;
  }
}

BOOST_AUTO_TEST_CASE(tick_numbers_may_skip_but_must_increase) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = newest_recorder::open(path, int_encoder{}, pumped_options());
  BOOST_REQUIRE(recorder);
  BOOST_TEST(recorder->push({10, 5'000'000'000'000}, state_of_tick(10)));
  BOOST_TEST(!recorder->push({10, 0}, state_of_tick(10)));
  BOOST_TEST(recorder->push({1'000'000'000'000, 17}, state_of_tick(20)));
  BOOST_TEST(recorder->push({UINT64_MAX - 1, 0}, state_of_tick(30)));
  // The maximum tick number has no successor.
  BOOST_TEST(!recorder->push({UINT64_MAX, 0}, state_of_tick(40)));
  BOOST_TEST(!recorder->push({0, 0}, state_of_tick(50)));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.refused == 3u);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  const auto ticks = decode_all(*reel);
  BOOST_REQUIRE(ticks.size() == 3u);
  BOOST_TEST(ticks[0].stamp.time_us == 5'000'000'000'000);
  BOOST_TEST(ticks[1].stamp.tick == 1'000'000'000'000u);
  BOOST_TEST(ticks[1].stamp.time_us == 17);
  BOOST_TEST(ticks[2].stamp.tick == UINT64_MAX - 1);
}

BOOST_AUTO_TEST_CASE(a_push_after_a_stamp_is_not_before_it) {
  const scratch_folder folder;
  for (const double rate : {0.0, 60.0}) {
    const std::string path = folder / ("match" + std::to_string(rate) + ".reel");
    recorder_options options = pumped_options();
    options.ticks_per_second = rate;
    auto recorder = newest_recorder::open(path, int_encoder{}, options);
    BOOST_REQUIRE(recorder);
    BOOST_TEST(recorder->push(state_of_tick(0)));
    BOOST_TEST(recorder->push({10, 5'000'000'000'000}, state_of_tick(10)));
    BOOST_TEST(recorder->push(state_of_tick(11)));
    BOOST_TEST(recorder->capture([](int_state& slot) { slot = state_of_tick(12); }));
    BOOST_REQUIRE(recorder->close());
    auto reel = reel::reader::open(path);
    BOOST_REQUIRE(reel);
    const auto ticks = decode_all(*reel);
    BOOST_REQUIRE(ticks.size() == 4u);
    for (std::size_t at = 1; at < ticks.size(); ++at) {
      BOOST_TEST(ticks[at].stamp.time_us == 5'000'000'000'000);
    }
    BOOST_TEST(ticks[3].stamp.tick == 12u);
  }
}

BOOST_AUTO_TEST_CASE(drop_newest_counts_and_reports) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.ring_ticks = 4;
  auto recorder = newest_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 10; ++tick) {
    BOOST_TEST(recorder->push(state_of_tick(tick)) == (tick < 4));
  }
  BOOST_TEST(recorder->counters().dropped == 6u);
  BOOST_TEST(recorder->pump() == 4u);
  BOOST_TEST(recorder->push(state_of_tick(10)));
  for (std::uint64_t tick = 11; tick < 20; ++tick) recorder->push(state_of_tick(tick));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(!report->nothing_lost());
  BOOST_TEST(report->counters.pushed == 8u);
  BOOST_TEST(report->counters.dropped == 12u);
  BOOST_TEST(report->counters.written == 8u);

  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 12u);
  const auto gaps = records_of(*reel, reel::record_kind::gap);
  BOOST_REQUIRE(gaps.size() == 1u);
  BOOST_TEST(gaps[0].first_tick == 4u);
  BOOST_TEST(gaps[0].last_tick == 19u);
  BOOST_TEST((gap_of(*reel, 0).reason == reel::gap_reason::ring_full));
  BOOST_TEST(gap_of(*reel, 0).ticks == 12u);
  for (const auto& tick : decode_all(*reel)) BOOST_TEST((tick.state == state_of_tick(tick.stamp.tick)));
}

BOOST_AUTO_TEST_CASE(drop_oldest_keeps_the_newest) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options = pumped_options();
  options.ring_ticks = 4;
  auto recorder = oldest_recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 10; ++tick) BOOST_TEST(recorder->push(state_of_tick(tick)));
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->counters.pushed == 10u);
  BOOST_TEST(report->counters.dropped == 6u);
  BOOST_TEST(report->counters.written == 4u);
  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == 6u);
  const auto gaps = records_of(*reel, reel::record_kind::gap);
  BOOST_REQUIRE(gaps.size() == 1u);
  BOOST_TEST(gaps[0].first_tick == 0u);
  BOOST_TEST(gaps[0].last_tick == 5u);
  check_ticks(*reel, 6, 4);
}

template <class Recorder>
void stress(bool may_lose) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  recorder_options options;
  options.ring_ticks = 16;
  options.ticks_per_second = 1'000;
  options.seal_interval_ms = 5;
  options.sync_each_chunk = false;
  auto recorder = Recorder::open(path, int_encoder{}, options);
  BOOST_REQUIRE(recorder);
  constexpr std::uint64_t ticks = 50'000;
  std::atomic<bool> done{false};
  std::thread watcher([&] {
    while (!done.load()) {
      const recorder_counters now = recorder->counters();
      recorder->force_keyframe();
      recorder->event({now.written, 0}, 3, as_bytes("seen"));
      (void)recorder->failure();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  for (std::uint64_t tick = 0; tick < ticks; ++tick) recorder->push(state_of_tick(tick));
  done.store(true);
  watcher.join();
  const auto report = recorder->close();
  BOOST_REQUIRE(report);
  const recorder_counters& all = report->counters;
  BOOST_TEST(all.lost == 0u);
  BOOST_TEST(all.written + all.dropped == ticks);
  if (!may_lose) BOOST_TEST(all.dropped == 0u);
  auto reel = reel::reader::open(path, {}, true);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->contents().lost_ticks == all.dropped);
  const auto read = decode_all(*reel);
  BOOST_TEST(read.size() == all.written);
  std::uint64_t wrong = 0;
  std::uint64_t next = 0;
  for (const auto& tick : read) {
    if (tick.stamp.tick < next || tick.state != state_of_tick(tick.stamp.tick)) ++wrong;
    next = tick.stamp.tick + 1;
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(stress_block) {
  stress<block_recorder>(false);
}
BOOST_AUTO_TEST_CASE(stress_drop_newest) {
  stress<newest_recorder>(true);
}
BOOST_AUTO_TEST_CASE(stress_drop_oldest) {
  stress<oldest_recorder>(true);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
