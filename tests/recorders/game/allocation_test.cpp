// Counts heap allocations of ticks and orders. A separate program, because it replaces operator new.
#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "scratch_folder.hpp"
#include "small_world.hpp"

BOOST_AUTO_TEST_SUITE(game_allocation_tests)
BOOST_AUTO_TEST_SUITE(allocation_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(ticks_orders_and_known_keyframes_allocate_nothing) {
  const scratch_folder folder;
  game::match_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.ring_ticks = 64;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  small_world world;
  for (int i = 0; i < 200; ++i) world.step();
  std::uint64_t counted = 0;
  for (std::uint64_t tick = 0; tick < 1000; ++tick) {
    const std::uint64_t before = allocation_count();
    (void)recorder->tick(tick, 1, [&](auto& keyframe) { world.describe(keyframe); });
    for (int i = 0; i < 10; ++i) (void)recorder->order(0, 1, place{1, 2});
    // The first ones grow the buffers to their final size.
    if (tick >= 200) counted += allocation_count() - before;
    (void)recorder->pump();
  }
  BOOST_TEST(counted == 0u);
  BOOST_TEST(recorder->end().has_value());
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
