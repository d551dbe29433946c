// Counts what ticks and orders take from the heap. A program of its own, because it replaces operator new.
#define BOOST_TEST_MODULE game_allocation
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <new>

#include "little_world.hpp"
#include "scratch_folder.hpp"

namespace {
std::atomic<std::uint64_t> allocations{0};
}  // namespace

void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

using namespace tickreel;
using namespace tickreel::test;

BOOST_AUTO_TEST_CASE(ticks_orders_and_known_keyframes_allocate_nothing) {
  const scratch_folder folder;
  game::recording_options options;
  options.mode = threading::pumped;
  options.keyframe_interval_ticks = 5;
  options.queue_items = 64;
  auto recorder = little_recorder::begin(folder / "a.icrep", little_match(), options);
  BOOST_REQUIRE(recorder);
  little_world world;
  for (int i = 0; i < 200; ++i) world.step();
  std::uint64_t counted = 0;
  for (std::uint64_t tick = 0; tick < 1000; ++tick) {
    const std::uint64_t before = allocations.load();
    (void)recorder->tick(tick, 1, [&](auto& keyframe) { world.describe(keyframe); });
    for (int i = 0; i < 10; ++i) (void)recorder->order(0, 1, place{1, 2});
    // The first ones find out how much there is.
    if (tick >= 200) counted += allocations.load() - before;
    (void)recorder->pump();
  }
  BOOST_TEST(counted == 0u);
  BOOST_TEST(recorder->end().has_value());
}

}  // namespace
