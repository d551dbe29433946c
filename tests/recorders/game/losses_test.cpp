// All input is returned or reported as lost: full rings, full disks, destroyed recorders, partial keyframes.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cerrno>
#include <filesystem>
#include <map>
#include <stdexcept>

#include "failing_calls.hpp"
#include "random.hpp"
#include "same_match.hpp"
#include "scratch_folder.hpp"
#include "tickreel/game/recover.hpp"

BOOST_AUTO_TEST_SUITE(game_threads_tests)
BOOST_AUTO_TEST_SUITE(losses_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

game::match_options pumped(std::uint32_t interval) {
  auto options = pumped_options(interval);
  options.seal_interval_ms = 0;
  return options;
}

std::uint64_t frames_of(const game::replay& replay) {
  std::uint64_t frames = 0;
  icrep::tick_frame frame;
  for (auto orders = replay.orders(0, UINT64_MAX); orders.next(frame);) ++frames;
  return frames;
}

std::vector<std::uint64_t> event_ticks(const game::replay& replay) {
  std::vector<std::uint64_t> ticks;
  analysis::event happened;
  for (auto events = replay.events(); events.next(happened);) ticks.push_back(analysis::tick_of(happened));
  return ticks;
}

// A disk that can be full for a while.
class small_disk : public system_calls {
 public:
  std::int64_t write_at(std::int64_t handle, byte_span from, std::uint64_t offset) override {
    return full ? -ENOSPC : system_calls::write_at(handle, from, offset);
  }
  bool full = false;
};

}  // namespace

// Every tick is in the file or counted, and so are keyframes, counted separately.
BOOST_AUTO_TEST_CASE(every_tick_is_accounted_for) {
  auto random = seeded_random("losses");
  for (int round = 0; round < 10; ++round) {
    const scratch_folder folder;
    small_disk disk;
    auto options = pumped(1 + static_cast<std::uint32_t>(random() % 6));
    options.calls = &disk;
    options.ring_ticks = 4u << random() % 4;
    options.file = round % 2 == 0 ? game::container::icrep : game::container::reel;
    auto recorder = little_recorder::begin(folder / "a", little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    std::map<std::uint64_t, small_world> worlds;
    std::uint64_t given = 0;
    std::uint64_t due = 0;
    std::uint64_t accepted_events = 0;
    for (std::uint64_t tick = 0; tick < 800; ++tick) {
      if (random() % 50 == 0) tick += random() % 3;  // tick numbers that the game skips
      if (random() % 40 == 0) disk.full = random() % 3 == 0;
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) {
        world.describe(to);
        ++due;
      }));
      worlds.emplace(tick, world);
      ++given;
      if (recorder->event(analysis::pause_event{tick, 0, true})) ++accepted_events;
      if (random() % 6 == 0) (void)recorder->pump();
      world.step();
    }
    disk.full = false;
    const auto report = recorder->end();
    BOOST_REQUIRE_MESSAGE(report, why(report));
    const game::match_counters& counted = report->counters;
    BOOST_TEST(counted.pushed + counted.dropped == given);
    BOOST_TEST(counted.written + counted.lost == counted.pushed);
    const auto replay = opened(folder / "a");
    BOOST_TEST(frames_of(replay) == counted.written);
    BOOST_TEST(replay.keyframes().size() == counted.keyframes);
    BOOST_TEST(counted.keyframes + counted.keyframes_lost == due);
    BOOST_TEST(event_ticks(replay).size() + counted.events_lost == given);
    BOOST_TEST(accepted_events >= event_ticks(replay).size());
    BOOST_TEST(replay.total_ticks() <= given + counted.noted);
    BOOST_TEST(replay.file().header().incomplete == !report->nothing_lost());
    for (std::size_t i = 0; i < replay.keyframes().size(); ++i) {
      const auto state = replay.file().snapshot(i);
      BOOST_REQUIRE_MESSAGE(state, why(state));
      const small_world& then = worlds.at(state->core.tick);
      BOOST_TEST(state->core.map_state.at(0).resource_amount == then.ore);
    }
    icrep::tick_frame frame;
    for (auto orders = replay.orders(0, UINT64_MAX); orders.next(frame);) {
      BOOST_TEST(frame.state_hash == worlds.at(frame.tick).hash());
    }
  }
}

// The recorder requests a state from the game as soon as one was lost, so that recording continues with a keyframe.
BOOST_AUTO_TEST_CASE(a_full_disk_is_reported_and_recording_continues_with_a_keyframe) {
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const scratch_folder folder;
    small_disk disk;
    auto options = pumped(100);
    options.file = file;
    options.calls = &disk;
    std::vector<error_code> observed;  // io_failed: writing works again
    options.observer = {[](void* self, const error* what) noexcept {
                          static_cast<std::vector<error_code>*>(self)->push_back(
                              what == nullptr ? error_code::io_failed : what->code);
                        },
                        &observed};
    auto recorder = little_recorder::begin(folder / "a", little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    std::uint64_t size = 0;
    const std::string reel = folder / (file == game::container::icrep ? "a.reel" : "a");
    for (std::uint64_t tick = 0; tick < 90; ++tick) {
      disk.full = tick >= 30 && tick < 60;
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      (void)recorder->pump();
      if (tick == 30) size = std::filesystem::file_size(reel);
      if (tick == 45) {
        BOOST_REQUIRE(recorder->failure());
        BOOST_TEST((recorder->failure()->code == error_code::no_space));
        BOOST_TEST(recorder->counters().lost > 10u);
        BOOST_TEST(std::filesystem::file_size(reel) == size);
      }
      if (tick == 80) BOOST_TEST(!recorder->failure());
      world.step();
    }
    const auto report = recorder->end();
    BOOST_REQUIRE_MESSAGE(report, why(report));
    const std::vector<error_code> expected = {error_code::no_space, error_code::io_failed};
    BOOST_TEST((observed == expected));
    BOOST_TEST(!report->nothing_lost());
    BOOST_REQUIRE(report->earlier_failure);
    BOOST_TEST((report->earlier_failure->code == error_code::no_space));
    const auto replay = opened(folder / "a");
    BOOST_TEST(frames_of(replay) + report->counters.lost == 90u);
    BOOST_TEST(report->counters.lost >= 30u);
    BOOST_TEST(report->counters.lost <= 32u);
    const auto after =
        std::ranges::find_if(replay.keyframes(), [](const auto& one) { return one.tick > 30; });
    BOOST_REQUIRE((after != replay.keyframes().end()));
    BOOST_TEST(after->tick >= 59u);
    BOOST_TEST(after->tick <= 62u);
    BOOST_TEST(after->full);
    icrep::tick_frame first;
    BOOST_REQUIRE(replay.orders(31, 90).next(first));
    BOOST_TEST(first.tick == after->tick);
    BOOST_TEST(replay.restore(89)->tick_count == 89 - replay.keyframes().back().tick);
  }
}

BOOST_AUTO_TEST_CASE(a_disk_that_is_full_at_the_end) {
  const scratch_folder folder;
  small_disk disk;
  auto options = pumped(10);
  options.calls = &disk;
  auto recorder = little_recorder::begin(folder / "a", little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  for (std::uint64_t tick = 0; tick < 40; ++tick, world.step()) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    (void)recorder->pump();
  }
  disk.full = true;
  const auto ended = recorder->end();
  BOOST_REQUIRE(!ended);
  BOOST_TEST((ended.error().code == error_code::no_space));
  BOOST_TEST(!std::filesystem::exists(folder / "a"));
  disk.full = false;
  const auto recovered = game::recover(folder / "a");
  BOOST_REQUIRE_MESSAGE(recovered, why(recovered));
  BOOST_TEST(recovered->total_ticks == 39u);  // the last was in no chunk yet
  BOOST_TEST(frames_of(opened(folder / "a")) == 39u);
}

// Internal events of a recorder are not events of the match, whether they are written or lost.
BOOST_AUTO_TEST_CASE(signatures_are_not_counted_as_events) {
  for (const bool full : {false, true}) {
    const scratch_folder folder;
    small_disk disk;
    auto options = pumped(10);
    options.seal_interval_ms = 60'000;  // only keyframes end chunks
    options.calls = &disk;
    options.signing_key_seed.emplace().fill(std::byte{7});
    auto recorder = little_recorder::begin(folder / "a", little_match(), options);
    BOOST_REQUIRE(recorder);
    small_world world;
    const auto play = [&](std::uint64_t first, std::uint64_t end) {
      for (std::uint64_t tick = first; tick < end; ++tick, world.step()) {
        BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
        if (tick % 40 == 10) BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
        (void)recorder->pump();
      }
    };
    play(0, 100);
    disk.full = full;
    const auto ended = recorder->end();
    BOOST_REQUIRE(ended.has_value() == !full);
    BOOST_TEST(recorder->counters().events == (full ? 2u : 3u));
    BOOST_TEST(recorder->counters().events_lost == (full ? 1u : 0u));
  }
}

BOOST_AUTO_TEST_CASE(tools_may_wait_without_losses) {
  const scratch_folder folder;
  game::match_options options;
  options.when_full = loss_policy::block;
  options.keyframe_interval_ticks = 1;
  options.record_voice = true;
  options.ring_ticks = 2;
  options.ring_bytes = 100;  // less than one tick
  options.events_per_tick = 1;
  options.voice_per_tick = 1;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  BOOST_TEST(recorder->voice_track(0, true));
  small_world world;
  const std::byte packet[4] = {};
  constexpr std::uint64_t ticks = 3000;
  for (std::uint64_t tick = 0; tick < ticks; ++tick, world.step()) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    for (int i = 0; i < 3; ++i) {
      BOOST_REQUIRE(recorder->event(analysis::pause_event{tick, 0, true}));
      BOOST_REQUIRE(recorder->voice(0, packet));
    }
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->nothing_lost());
  const auto replay = opened(folder / "a.icrep");
  BOOST_TEST(!replay.file().header().incomplete);
  BOOST_TEST(frames_of(replay) == ticks);
  BOOST_TEST(replay.keyframes().size() == ticks);
  BOOST_TEST(event_ticks(replay).size() == 3 * ticks);
  auto voice = replay.file().voice();
  byte_span record;
  std::uint64_t offset = 0;
  std::uint64_t records = 0;
  while (voice.next(record, offset)) ++records;
  BOOST_TEST(records == 3 * ticks + 1);

  options.mode = threading::pumped;
  BOOST_TEST((little_recorder::begin(folder / "b.icrep", little_match(), options).error().code ==
              error_code::invalid_argument));
  options.mode = threading::own_thread;
  options.when_full = loss_policy::drop_oldest;
  BOOST_TEST((little_recorder::begin(folder / "b.icrep", little_match(), options).error().code ==
              error_code::invalid_argument));
}

// A partial world is invalid: the keyframe is dropped, the tick and its orders are kept.
BOOST_AUTO_TEST_CASE(a_description_that_throws) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped(10));
  BOOST_REQUIRE(recorder);
  recorder->changes_only(true);
  small_world world;
  for (std::uint64_t tick = 0; tick < 40; ++tick, world.step()) {
    const auto describe_it = [&](auto& to) {
      if (tick == 20) {
        to.entity({1, 1}, "half a world").set(place{1, 2});
        throw std::runtime_error("the game gave up");
      }
      BOOST_TEST(to.wants_whole_world() == (tick == 0 || tick == 30));
      world.describe_changes(to);
    };
    if (tick == 20) {
      BOOST_CHECK_THROW((void)recorder->tick(tick, world.hash(), describe_it), std::runtime_error);
    } else {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), describe_it));
    }
    BOOST_REQUIRE(recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 0}));
    (void)recorder->pump();
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.keyframes == 3u);
  BOOST_TEST(report->counters.keyframes_lost == 1u);
  BOOST_TEST(report->counters.written == 40u);
  const auto replay = opened(folder / "a.icrep");
  BOOST_TEST(replay.keyframes().size() == 3u);
  BOOST_TEST(replay.restore(29)->tick_count == 19u);
  BOOST_TEST(frames_of(replay) == 40u);
  const auto last = replay.file().snapshot(2);
  BOOST_REQUIRE(last);
  for (const auto& text : last->core.intern_table) BOOST_TEST(!text.empty());
  BOOST_TEST(last->core.map_state.size() == 1u);
}

// It waits for its tick, and nothing waits for it.
BOOST_AUTO_TEST_CASE(an_event_of_a_future_tick) {
  const scratch_folder folder;
  auto options = pumped(10);
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  BOOST_TEST(recorder->event(analysis::pause_event{500, 0, true}));
  BOOST_TEST(recorder->event(analysis::pause_event{25, 0, true}));
  for (std::uint64_t tick = 0; tick < 30; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 1, [](auto&) {}));
    BOOST_TEST(recorder->event(analysis::pause_event{tick, 0, true}));
    (void)recorder->pump();
    if (tick == 10) BOOST_TEST(event_ticks(opened(folder / "a.icrep.reel")).size() >= 9u);
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->nothing_lost());
  std::vector<std::uint64_t> expected;
  for (std::uint64_t tick = 0; tick < 30; ++tick) {
    expected.push_back(tick);
    if (tick == 25) expected.push_back(tick);
  }
  expected.push_back(500);
  BOOST_TEST(event_ticks(opened(folder / "a.icrep")) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_late_event_is_counted) {
  const scratch_folder folder;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), pumped(10));
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 20; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, 1, [](auto&) {}));
    if (tick == 5 || tick == 9) (void)recorder->event(analysis::pause_event{tick, 0, true});
    if (tick == 7) (void)recorder->event(analysis::pause_event{6, 0, true});   // nothing later was written
    if (tick == 12) (void)recorder->event(analysis::pause_event{8, 0, true});  // after that of tick 9
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  BOOST_TEST(report->counters.events_lost == 1u);
  const std::vector<std::uint64_t> expected = {5, 6, 9};
  BOOST_TEST(event_ticks(opened(folder / "a.icrep")) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
