// Counts the system calls of a game's ticks, orders and keyframes while the writer thread works: none.
#include <boost/test/unit_test.hpp>

#include <chrono>
#include <optional>
#include <thread>

#include "scratch_folder.hpp"
#include "silent_thread.hpp"
#include "small_world.hpp"

BOOST_AUTO_TEST_SUITE(game_silence_tests)
BOOST_AUTO_TEST_SUITE(silence_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

void check_silence(game::container file) {
  constexpr std::uint64_t warm_keyframes = 1'000;
  constexpr std::uint64_t max_warm_ticks = 1'000'000;
  constexpr std::uint64_t ticks = 10'000;
  constexpr std::uint32_t keyframe_interval = 5;
  constexpr std::uint32_t ring_ticks = 64;
  const scratch_folder folder;
  std::optional<little_recorder> to;
  small_world world;
  std::uint64_t tick = 0;
  const auto record = [&] {
    for (little_unit& unit : world.units) ++unit.at.x;
    const auto ticked = to->tick(tick, tick + 1, [&](auto& keyframe) { world.describe(keyframe); });
    for (int i = 0; i < 10; ++i) (void)to->order(0, 1, place{1, 2});
    ++tick;
    return ticked.has_value();
  };
  const silence_report found = run_in_silence(
      [&] {
        game::match_options options;
        options.file = file;
        options.keyframe_interval_ticks = keyframe_interval;
        options.ring_ticks = ring_ticks;
        auto begun = little_recorder::begin(folder / "a.match", little_match(), options);
        if (!begun) return;
        to.emplace(std::move(*begun));
        for (int i = 0; i < 200; ++i) world.step();
        // Until every slot of the queue has had memory for the largest keyframe, many times over.
        while (to->counters().keyframes < warm_keyframes && tick < max_warm_ticks) {
          (void)record();
          if (tick % 16 == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        // And until only keyframes wait: this is the maximum of large memory in use.
        const game::match_counters before = to->counters();
        for (std::uint64_t dropped = before.dropped; tick < 2 * max_warm_ticks;) {
          tick += keyframe_interval - 1;
          (void)record();
          const game::match_counters now = to->counters();
          if (now.pushed < before.pushed + 2 * ring_ticks) dropped = now.dropped;
          if (now.dropped > dropped) break;
        }
      },
      [&]() -> std::uint64_t {
        std::uint64_t done = 0;
        if (!to) return done;
        for (std::uint64_t i = 0; i < ticks; ++i) done += record() ? 1u : 0u;
        return done;
      });
  if (!found.watched) {
    BOOST_TEST_MESSAGE("not watched: this system or build has no filter of system calls");
    return;
  }
  BOOST_TEST(found.system_call == -1);
  BOOST_TEST(found.finished);
  BOOST_TEST(found.locks == 0u);
  BOOST_TEST(found.allocations == 0u);
  BOOST_TEST(found.counted == ticks);
}

BOOST_AUTO_TEST_CASE(ticks_into_icrep_make_no_system_call) {
  check_silence(game::container::icrep);
}
BOOST_AUTO_TEST_CASE(ticks_into_a_reel_make_no_system_call) {
  check_silence(game::container::reel);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
