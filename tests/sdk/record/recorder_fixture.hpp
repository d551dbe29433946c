// Shared by the tests of the recorder.
#pragma once

#include <boost/test/unit_test.hpp>
#include <vector>

#include "int_encoder.hpp"
#include "scratch_folder.hpp"
#include "tickreel/record/recorder.hpp"

namespace tickreel::test {

using block_recorder = recorder<int_encoder, loss_policy::block>;
using newest_recorder = recorder<int_encoder, loss_policy::drop_newest>;
using oldest_recorder = recorder<int_encoder, loss_policy::drop_oldest>;

inline recorder_options pumped_options() {
  recorder_options options;
  options.mode = threading::pumped;
  options.ticks_per_second = 60;
  options.seal_interval_ms = 1'000'000;  // never by itself
  return options;
}

inline std::vector<reel::record_info> records_of(const reel::reader& reel, reel::record_kind kind) {
  std::vector<reel::record_info> found;
  for (const auto& info : reel.contents().records) {
    if (info.kind == kind) found.push_back(info);
  }
  return found;
}

inline reel::gap gap_of(reel::reader& reel, std::size_t which) {
  std::size_t seen = 0;
  for (std::size_t number = 0; number < reel.contents().records.size(); ++number) {
    if (reel.contents().records[number].kind != reel::record_kind::gap || seen++ != which) continue;
    reel::record record;
    BOOST_REQUIRE(reel.read(number, record));
    return *reel::read_gap(record.payload);
  }
  return {};
}

inline void check_ticks(reel::reader& reel, std::uint64_t first, std::uint64_t count) {
  const auto ticks = decode_all(reel);
  BOOST_REQUIRE(ticks.size() == count);
  for (std::uint64_t i = 0; i < count; ++i) {
    BOOST_REQUIRE(ticks[i].stamp.tick == first + i);
    BOOST_REQUIRE((ticks[i].state == state_of_tick(first + i)));
  }
}

}  // namespace tickreel::test
