// A recording of many hours within minutes: a recorder, a follower and a reader take turns on one thread.
#pragma once

#include <malloc.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <vector>

#include "random.hpp"
#include "sanitized.hpp"
#include "scratch_folder.hpp"
#include "taken.hpp"
#include "tickreel/keyframe/frame.hpp"
#include "tickreel/record/options.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::test {

inline constexpr std::int64_t ticks_per_second = 60;
inline constexpr std::uint64_t samples_per_run = 24;

struct long_run {
  std::uint64_t ticks = 0;
  std::int64_t crossed_ms = 0;  // the time of the tick in the middle

  // Except for the first tick, whose number and time are 0, the ticks are those around 2^32.
  [[nodiscard]] frame_stamp stamp_of(std::uint64_t index) const {
    if (index == 0) return {};
    const std::int64_t after_middle = static_cast<std::int64_t>(index) - static_cast<std::int64_t>(ticks / 2);
    return {static_cast<std::uint64_t>((std::int64_t{1} << 32) + after_middle),
            crossed_ms * 1000 + after_middle * 1'000'000 / ticks_per_second};
  }
  [[nodiscard]] std::int64_t time_ms_of(std::uint64_t index) const { return stamp_of(index).time_us / 1000; }
};

// A chunk a second, as at the recorder's normal pace.
inline recorder_options options_of_long_run() {
  recorder_options options;
  options.mode = threading::pumped;
  options.seal_frames = ticks_per_second;
  options.seal_interval_ms = 3'600'000;
  options.sync_each_chunk = false;
  options.ticks_per_second = ticks_per_second;
  return options;
}

// The tables of a recorder and of `readers` readers of a reel, which double their capacity: all records, and for each reader the
// numbers of the chunks that begin with a keyframe.
inline std::size_t bytes_of_tables(std::uint64_t records, std::uint64_t keyframe_chunks,
                                   std::size_t readers) {
  return (1 + readers) * sizeof(reel::record_info) * std::bit_ceil(records) +
         readers * sizeof(std::size_t) * std::bit_ceil(keyframe_chunks);
}

// What must not grow. Sanitizers keep what was freed.
class resource_usage {
 public:
  // Beside what may grow.
  void sample(std::size_t tables_bytes = 0) {
    const auto heap = ::mallinfo2();
    const std::size_t heap_bytes = heap.uordblks + heap.hblkhd;
    heap_bytes_.push_back(static_cast<std::int64_t>(heap_bytes) - static_cast<std::int64_t>(tables_bytes));
    descriptors_.push_back(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
    BOOST_TEST_MESSAGE(heap_bytes << " bytes, " << tables_bytes << " of them for tables, "
                                  << descriptors_.back() << " descriptors");
  }

  // The first samples warm up.
  void check_flat(std::int64_t tolerance_bytes) const {
    constexpr std::size_t warm_up = 2;
    BOOST_REQUIRE(heap_bytes_.size() > warm_up);
    for (std::size_t i = warm_up; i < heap_bytes_.size(); ++i) {
      BOOST_TEST(descriptors_[i] == descriptors_[warm_up], "sample " << i);
      if constexpr (!is_sanitized) {
        BOOST_TEST(std::abs(heap_bytes_[i] - heap_bytes_[warm_up]) < tolerance_bytes,
                   "sample " << i << ": " << heap_bytes_[i] << " bytes after " << heap_bytes_[warm_up]);
      }
    }
  }

 private:
  std::vector<std::int64_t> heap_bytes_;
  std::vector<std::int64_t> descriptors_;
};

// World: open(), push(index), pump(), bytes_of_tables(); follow() checks and returns the number of new ticks; seek(index)
// checks a tick that was recorded; close(); read_whole().
template <class World>
void record_for_long(World& world, const long_run& how) {
  auto random = seeded_random("long runs");
  resource_usage used;
  std::uint64_t followed = 0;
  world.open();
  for (std::uint64_t index = 0; index < how.ticks; ++index) {
    world.push(index);
    if (index % ticks_per_second == ticks_per_second - 1) world.pump();
    if (index % (10 * ticks_per_second) == 10 * ticks_per_second - 1) followed += world.follow();
    if ((index + 1) % (how.ticks / samples_per_run) != 0) continue;
    world.begin_seeking();
    const std::uint64_t sealed = index - ticks_per_second;
    for (const std::uint64_t place : {std::uint64_t{0}, std::uint64_t{1}, sealed / 2, sealed})
      world.seek(place);
    for (int i = 0; i < 16; ++i) world.seek(random() % sealed);
    world.end_seeking();
    used.sample(world.bytes_of_tables());
  }
  used.check_flat(100'000);
  world.close();
  BOOST_TEST(followed + world.follow() == how.ticks);
  world.read_whole();
}

}  // namespace tickreel::test
