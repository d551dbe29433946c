// Counts heap allocations of the hot path and of the encode path. A separate program, because it replaces operator new.
#include <boost/test/unit_test.hpp>

#include "allocation_counter.hpp"
#include "int_encoder.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/recorder.hpp"
#include "tickreel/tickreel.hpp"

BOOST_AUTO_TEST_SUITE(sdk_record_allocation_tests)
BOOST_AUTO_TEST_SUITE(allocation_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

template <loss_policy Policy>
void check_push_and_encode() {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.cadence.keyframe_interval_ticks = 0;
  auto opened = recorder<int_encoder, Policy>::open(folder / "match.reel", {}, options);
  BOOST_REQUIRE(opened);
  auto& recorder = *opened;
  const int_state state = state_of_tick(123456);

  const std::uint64_t before = allocation_count();
  for (int tick = 0; tick < 250; ++tick) {
    recorder.push(state);
    recorder.capture([&state](int_state& slot) noexcept { slot = state; });
    (void)recorder.counters();
    recorder.pump();
  }
  for (int tick = 0; tick < 1000; ++tick) recorder.push(state);  // most pushes find a full ring
  BOOST_TEST(allocation_count() - before == 0u);
}

BOOST_AUTO_TEST_CASE(the_counter_works) {
  const std::uint64_t before = allocation_count();
  delete new int;
  if (counts_allocations) BOOST_TEST(allocation_count() > before);
}

BOOST_AUTO_TEST_CASE(drop_newest_allocates_nothing_per_tick) {
  check_push_and_encode<loss_policy::drop_newest>();
}
BOOST_AUTO_TEST_CASE(drop_oldest_allocates_nothing_per_tick) {
  check_push_and_encode<loss_policy::drop_oldest>();
}

BOOST_AUTO_TEST_CASE(sealing_allocates_only_for_the_growing_index) {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_interval_ms = 1'000'000;
  options.seal_frames = 10;
  options.sync_each_chunk = false;
  auto opened = recorder<int_encoder>::open(folder / "match.reel", {}, options);
  BOOST_REQUIRE(opened);
  const auto record = [&](int ticks) {
    const std::uint64_t before = allocation_count();
    for (int tick = 0; tick < ticks; ++tick) {
      opened->push(state_of_tick(static_cast<std::uint64_t>(tick)));
      opened->pump();
    }
    return allocation_count() - before;
  };
  record(10'000);
  // A thousand more chunks: the table of records may double; nothing else may allocate.
  BOOST_TEST(record(10'000) <= 2u);
}

struct flock {
  std::array<std::int32_t, 20'000> birds{};
};
TICKREEL_DESCRIBE(flock, birds);

// Both threads' work, in blocks of changes and, after many changes, by column.
BOOST_AUTO_TEST_CASE(pushing_changes_allocates_nothing_per_tick) {
  const scratch_folder folder;
  recorder_options options;
  options.mode = threading::pumped;
  options.ring_ticks = 4;
  options.seal_interval_ms = 1'000'000;
  options.cadence.keyframe_interval_ticks = 50;
  auto opened = record<flock>(folder / "flock.reel", options);
  BOOST_REQUIRE(opened);
  const auto now = std::make_unique<flock>();
  change_list changed(20'000);
  // Without the seals: the index grows.
  std::uint64_t allocated = 0;
  for (std::uint32_t tick = 0; tick < 300; ++tick) {
    const std::uint64_t before = allocation_count();
    for (std::uint32_t i = 0; i < (tick % 100 == 99 ? 5'000u : 40u); ++i) {
      const std::size_t bird = (tick * 331 + i) % 20'000;
      ++now->birds[bird];
      changed.mark(bird, member_number<flock, &flock::birds>);
    }
    (void)opened->push_changes(*now, changed);
    changed.clear();
    const std::uint64_t chunks = opened->counters().chunks;
    if (tick % 8 != 0) opened->pump();  // the ring is full at times
    if (opened->counters().chunks == chunks) allocated += allocation_count() - before;
  }
  BOOST_TEST(allocated == 0u);
  BOOST_TEST(opened->counters().chunks == 1u);  // by change; the next block is by column
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
