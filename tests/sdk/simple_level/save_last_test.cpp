// The last seconds of a recording that continues.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <thread>

#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_simple_level_tests)
BOOST_AUTO_TEST_SUITE(save_last_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using namespace std::chrono_literals;

struct spot {
  float x = 0;
  std::int32_t number = 0;
};
TICKREEL_DESCRIBE(spot, x, number);
struct hit {
  std::int32_t number = 0;
};
TICKREEL_DESCRIBE(hit, number);

recorder_options pumped() {
  recorder_options options;
  options.ticks_per_second = 60;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;  // never by itself
  options.seal_frames = 30;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_seconds_become_a_reel) {
  const scratch_folder folder;
  auto out = record<spot>(folder / "match.reel", pumped());
  BOOST_REQUIRE(out);
  BOOST_TEST((out->save_last(1s, folder / "none.reel").error().code == error_code::out_of_range));
  BOOST_TEST(!std::filesystem::exists(folder / "none.reel"));
  for (int tick = 0; tick < 600; ++tick) {
    BOOST_REQUIRE(out->push({static_cast<float>(tick) / 8, tick}));
    if (tick % 100 == 50) BOOST_REQUIRE(out->event(hit{tick}));
    (void)out->pump();
  }
  const auto saved = out->save_last(3s, folder / "last.reel");
  BOOST_REQUIRE(saved.has_value());
  // Tick 599 is sealed with its chunk of 30.
  BOOST_TEST(saved->last.tick == 599u);
  BOOST_TEST(saved->first.tick == 419u);
  BOOST_TEST(saved->ticks == 181u);
  BOOST_TEST(saved->lost_ticks == 0u);
  BOOST_TEST(saved->bytes == std::filesystem::file_size(folder / "last.reel"));
  auto in = replay<spot>(folder / "last.reel");
  BOOST_REQUIRE(in);
  BOOST_TEST(in->size() == 181u);
  for (std::uint64_t tick = 419; tick < 600; ++tick) {
    const auto one = in->at(tick);
    BOOST_REQUIRE(one);
    BOOST_TEST(one->number == static_cast<std::int32_t>(tick));
    BOOST_TEST(one->x == static_cast<float>(tick) / 8);
  }
  const auto hits = in->events<hit>();
  BOOST_REQUIRE(hits);
  BOOST_REQUIRE(hits->size() == 2u);
  BOOST_TEST(hits->front().event.number == 450);
  BOOST_TEST(hits->front().tick == 450u);
  // Existing files are not overwritten; a time before the start saves everything.
  BOOST_TEST((out->save_last(3s, folder / "last.reel").error().code == error_code::already_exists));
  BOOST_TEST((out->save_last(-1s, folder / "minus.reel").error().code == error_code::invalid_argument));
  BOOST_TEST(out->save_last(1h, folder / "all.reel")->ticks == 600u);
  BOOST_TEST(out->save_last(0s, folder / "one.reel")->ticks == 1u);
  BOOST_TEST(out->close()->nothing_lost());
  BOOST_TEST(replay<spot>(folder / "match.reel")->size() == 600u);
}

BOOST_AUTO_TEST_CASE(a_clip_reports_its_losses) {
  const scratch_folder folder;
  auto out = record<spot>(folder / "match.reel", pumped());
  BOOST_REQUIRE(out);
  for (int tick = 0; tick < 600; ++tick) {
    if (tick == 500) out->note_gap(7, reel::gap_reason::source_failed);
    BOOST_REQUIRE(out->push({0, tick}));
    (void)out->pump();
  }
  BOOST_TEST(out->save_last(5s, folder / "with.reel")->lost_ticks == 7u);
  BOOST_TEST(replay<spot>(folder / "with.reel")->size() == 301u);
  BOOST_TEST(out->save_last(1s, folder / "without.reel")->lost_ticks == 0u);
}

// Gaps of a known and of an unknown number of ticks, which take no number.
BOOST_AUTO_TEST_CASE(no_state_is_returned_for_a_time_in_a_gap_between_two_ticks) {
  using std::chrono::microseconds;
  const scratch_folder folder;
  for (const bool is_known : {true, false}) {
    const std::string path = folder / (is_known ? "known.reel" : "unknown.reel");
    auto out = record<spot>(path, pumped());
    BOOST_REQUIRE(out);
    frame_stamp last;
    for (int tick = 0; tick < 30; ++tick) {
      last = {static_cast<std::uint64_t>(tick), tick * 10'000};
      BOOST_REQUIRE(out->push(last, {0, tick}));
      if (tick == 12 && is_known) out->note_gap(7, reel::gap_reason::source_failed);
      if (tick == 12 && !is_known) out->note_unknown_gap(last, last, reel::gap_reason::source_failed);
      (void)out->pump();
    }
    BOOST_REQUIRE(out->close());
    auto in = replay<spot>(path);
    BOOST_REQUIRE(in);
    for (int tick = 0; tick < 29; ++tick) {
      const auto there = in->at(microseconds(tick * 10'000));
      const auto between = in->at(microseconds(tick * 10'000 + 5'000));
      BOOST_TEST((there && there->number == tick), tick);
      BOOST_TEST(between.has_value() == (tick != 12), tick);
      if (between) BOOST_TEST(between->number == tick);
    }
  }
}

BOOST_AUTO_TEST_CASE(another_thread_saves_while_this_one_pushes) {
  const scratch_folder folder;
  recorder_options options;
  options.ticks_per_second = 60;
  options.seal_frames = 30;
  auto out = record<spot, loss_policy::block>(folder / "match.reel", options);
  BOOST_REQUIRE(out);
  std::atomic<bool> ended{false};
  std::atomic<int> saved{0};
  std::thread other([&] {
    for (int number = 0; !ended || saved == 0; ++number) {
      const std::string path = folder / std::to_string(number);
      const auto done = out->save_last(2s, path);
      if (done) ++saved;
    }
  });
  for (int tick = 0; tick < 20'000; ++tick) BOOST_REQUIRE(out->push({0, tick}));
  ended = true;
  other.join();
  BOOST_TEST(saved > 0);
  BOOST_TEST(out->close()->nothing_lost());
  for (const auto& each : std::filesystem::directory_iterator(folder.path())) {
    auto in = replay<spot>(each.path());
    BOOST_REQUIRE(in);
    std::int32_t next = -1;
    for (const auto& tick : *in) {
      if (next >= 0) BOOST_REQUIRE(tick.state.number == next);
      next = tick.state.number + 1;
    }
    BOOST_TEST(!in->failure());
    BOOST_TEST(next > 0);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
