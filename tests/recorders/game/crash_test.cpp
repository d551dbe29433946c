// A recording process is killed at random moments, also while it starts or finishes its file.
#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "killed_process.hpp"
#include "random.hpp"
#include "scratch_folder.hpp"
#include "shared_data.hpp"
#include "small_world.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/game/replay.hpp"

BOOST_AUTO_TEST_SUITE(game_crash_tests)
BOOST_AUTO_TEST_SUITE(crash_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

// 200 with TICKREEL_CRASH_ROUNDS=200.
int rounds_wanted() {
  const char* given = std::getenv("TICKREEL_CRASH_ROUNDS");
  const int rounds = given != nullptr ? std::atoi(given) : 0;
  return rounds > 0 ? rounds : 60;
}
constexpr const char* incomplete_detail = "the recording is marked as incomplete";

// The progress that the child reports before it dies, in shared memory.
struct progress {
  std::atomic<bool> begun{false};
  std::atomic<std::uint64_t> tick{0};
  std::atomic<std::uint64_t> sealed{0};  // ticks
};

// Records a number of ticks unless it is killed before.
int record(const std::vector<std::string>& words, void* shared) {
  const std::string& path = words[0];
  const bool own_thread = words[1] == "own_thread";
  const std::uint64_t ticks = std::stoull(words[2]);
  progress& child_progress = *static_cast<progress*>(shared);
  game::match_options options;
  options.keyframe_interval_ticks = 7;
  options.seal_interval_ms = 0;
  options.ring_ticks =
      16384;  // above the maximum that ever waits, because the child does not keep to a tick rate
  options.mode = own_thread ? threading::own_thread : threading::pumped;
  auto recorder = little_recorder::begin(path, little_match(), options);
  if (!recorder) return 1;
  child_progress.begun.store(true);
  small_world world;
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    if (!recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); })) return 2;
    child_progress.tick.store(tick);
    (void)recorder->event(analysis::pause_event{tick, 0, true});
    if (!own_thread) {
      (void)recorder->pump();
      // The last tick is still open.
      child_progress.sealed.store(tick);
    }
    world.step();
  }
  return recorder->end() ? 0 : 3;
}
using child_begins_here = child_begins<record>;
BOOST_TEST_GLOBAL_FIXTURE(child_begins_here);

BOOST_AUTO_TEST_CASE(killed_at_a_random_moment) {
  auto random = seeded_random("game_crash");
  const int rounds = rounds_wanted();
  const scratch_folder folder;
  shared_memory<progress> shared;
  int live = 0;
  int live_at_any_moment = 0;
  // Further rounds, and later moments in them, until one of each kind was killed between its first write and its end.
  const auto proves_nothing = [&] { return live == 0 || live_at_any_moment == 0; };
  for (int round = 0; round < rounds || (proves_nothing() && round < 20 * rounds); ++round) {
    const std::string path = folder / ("match-" + std::to_string(round) + ".icrep");
    progress* const child_progress = shared.renewed();
    const std::uint64_t ticks = 1 + random() % 8000;
    const bool own_thread = random() % 2 == 0;
    killed_process child(record, {path, own_thread ? "own_thread" : "pumped", std::to_string(ticks)}, shared);
    bool exited = false;
    if (round % 4 == 0) {
      // At any moment, also before it has started.
      const auto latest_us = std::uint64_t{40'000} << std::min(round / rounds, 8);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % latest_us));
    } else {
      const std::uint64_t target = random() % ticks;
      while (!exited && !(child_progress->begun.load() && child_progress->tick.load() >= target)) {
        std::this_thread::yield();
        exited = child.has_ended();
      }
    }
    child.kill();
    BOOST_REQUIRE((child.code() == -1 || child.code() == 0));
    if (!child_progress->begun.load()) continue;  // there may be no file yet

    const bool was_live = !std::filesystem::exists(path);
    live += was_live;
    const auto first = game::recover(path);
    BOOST_REQUIRE_MESSAGE(first, why(first));
    BOOST_TEST(first->changed == was_live);
    BOOST_TEST(first->total_ticks >= child_progress->sealed.load());
    BOOST_TEST(!std::filesystem::exists(path + ".reel"));
    const byte_vector once = read_file(path);
    const auto again = game::recover(path);
    BOOST_REQUIRE(again);
    BOOST_TEST(!again->changed);
    BOOST_TEST((read_file(path) == once));
    if (first->keyframes == 0) continue;  // killed before the first was written
    live_at_any_moment += was_live && round % 4 == 0;

    auto replay = game::replay::open(path);
    BOOST_REQUIRE_MESSAGE(replay, why(replay));
    const bool incomplete = replay->file().header().incomplete;
    // An ended match is recovered as complete, even if it could not be published any more.
    if (!was_live) BOOST_TEST(!incomplete);
    if (!incomplete) BOOST_TEST(replay->total_ticks() == ticks);
    for (const auto& problem : replay->file().verify()) {
      // Its only report is that it is incomplete.
      BOOST_TEST((incomplete && problem.what.detail == std::string_view(incomplete_detail)),
                 describe(problem.what));
    }
    // Everything is as if it had been recorded up to here, without losses between.
    small_world world;
    icrep::tick_frame frame;
    auto frames = replay->orders(0, replay->total_ticks());
    for (std::uint64_t tick = 0; tick < replay->total_ticks(); ++tick) {
      BOOST_REQUIRE(frames.next(frame));
      BOOST_REQUIRE(frame.tick == tick);
      BOOST_REQUIRE(frame.state_hash == world.hash());
      world.step();
    }
  }
  std::cout << live << " of " << rounds << " were being recorded when they were killed\n";
  BOOST_TEST(live > 0);
  BOOST_TEST(live_at_any_moment > 0);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
