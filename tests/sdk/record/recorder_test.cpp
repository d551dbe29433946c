#define BOOST_TEST_MODULE sdk_record
#include "tickreel/record/recorder.hpp"

#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "int_encoder.hpp"
#include "scratch_folder.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::test;

using block_recorder = recorder<int_encoder, loss_policy::block>;

BOOST_AUTO_TEST_CASE(what_is_pushed_is_what_is_read) {
  const scratch_folder folder;
  const std::string path = folder / "match.reel";
  auto recorder = block_recorder::open(path, int_encoder{}, {.tick_rate_mhz = 60'000});
  BOOST_REQUIRE(recorder);
  for (std::uint64_t tick = 0; tick < 5000; ++tick) BOOST_REQUIRE((*recorder)->push(state_of_tick(tick)));
  const auto report = (*recorder)->close();
  BOOST_REQUIRE(report);
  BOOST_TEST(report->nothing_lost());
  BOOST_TEST(report->counters.pushed == 5000u);
  BOOST_TEST(report->counters.written == 5000u);
  BOOST_TEST(report->counters.stored_bytes == std::filesystem::file_size(path));
  BOOST_TEST((*recorder)->encoder().encoded() == 5000u);

  auto reel = reel::reader::open(path);
  BOOST_REQUIRE(reel);
  BOOST_TEST(reel->head().encoder_name == "ints");
  BOOST_TEST(reel->head().encoder_version == 7u);
  BOOST_TEST(reel->contents().from_index);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  BOOST_TEST(reel->contents().frames == 5000u);
  const auto ticks = decode_all(*reel);
  BOOST_REQUIRE(ticks.size() == 5000u);
  for (std::uint64_t tick = 0; tick < ticks.size(); ++tick) {
    BOOST_REQUIRE(ticks[tick].stamp.tick == tick);
    BOOST_REQUIRE(ticks[tick].stamp.time_us == static_cast<std::int64_t>(tick * 1'000'000 / 60));
    BOOST_REQUIRE((ticks[tick].state == state_of_tick(tick)));
  }
}

}  // namespace
