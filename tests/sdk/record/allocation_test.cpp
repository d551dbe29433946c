// Counts what the hot path and the encode path take from the heap. A program of its own, because it replaces
// operator new.
#define BOOST_TEST_MODULE sdk_record_allocation
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <new>

#include "int_encoder.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/recorder.hpp"

namespace {
std::atomic<std::uint64_t> allocations{0};

void* counted_allocation(std::size_t size, std::size_t alignment) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) std::abort();
  return memory;
}
}  // namespace

void* operator new(std::size_t size) {
  return counted_allocation(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_allocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

using namespace tickreel;
using namespace tickreel::test;

template <loss_policy Policy>
void check_push_and_encode() {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.cadence.keyframe_interval_frames = 0;
  auto opened = recorder<int_encoder, Policy>::open(folder / "match.reel", {}, options);
  BOOST_REQUIRE(opened);
  auto& recorder = **opened;
  const int_state state = state_of_tick(123456);

  const std::uint64_t before = allocations.load();
  for (int tick = 0; tick < 250; ++tick) {
    recorder.push(state);
    recorder.capture([&state](int_state& slot) noexcept { slot = state; });
    (void)recorder.counters();
    recorder.pump();
  }
  for (int tick = 0; tick < 1000; ++tick) recorder.push(state);  // most of them find a full ring
  BOOST_TEST(allocations.load() - before == 0u);
}

BOOST_AUTO_TEST_CASE(the_counter_counts) {
  const std::uint64_t before = allocations.load();
  delete new int;
  BOOST_TEST(allocations.load() > before);
}

BOOST_AUTO_TEST_CASE(drop_newest_allocates_nothing_per_tick) {
  check_push_and_encode<loss_policy::drop_newest>();
}
BOOST_AUTO_TEST_CASE(drop_oldest_allocates_nothing_per_tick) {
  check_push_and_encode<loss_policy::drop_oldest>();
}

BOOST_AUTO_TEST_CASE(sealing_settles_down_to_the_growing_index) {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = 10;
  options.sync_each_chunk = false;
  auto opened = recorder<int_encoder>::open(folder / "match.reel", {}, options);
  BOOST_REQUIRE(opened);
  const auto record = [&](int ticks) {
    const std::uint64_t before = allocations.load();
    for (int tick = 0; tick < ticks; ++tick) {
      (*opened)->push(state_of_tick(static_cast<std::uint64_t>(tick)));
      (*opened)->pump();
    }
    return allocations.load() - before;
  };
  record(10'000);
  // A thousand chunks more: the table of records may double, nothing else.
  BOOST_TEST(record(10'000) <= 2u);
}

}  // namespace
