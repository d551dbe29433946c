// A match whose reel also goes to a sink: the reel is removed only when the sink has all of it.
#include <boost/test/unit_test.hpp>
#include <filesystem>

#include "../../sdk/reel/delivery_receiver.hpp"
#include "file_bytes.hpp"
#include "scratch_folder.hpp"
#include "small_world.hpp"
#include "tickreel/game/recover.hpp"
#include "tickreel/reel/reader.hpp"

BOOST_AUTO_TEST_SUITE(game_sinks_tests)
BOOST_AUTO_TEST_SUITE(sinks_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;

game::match_options options_for(delivery_receiver& far, std::string& asked_for) {
  game::match_options options;
  options.keyframe_interval_ticks = 5;
  options.sinks = [&far, &asked_for](const file_path& reel) {
    asked_for = reel.utf8();
    reel::queue_options how;
    how.first_backoff_ms = 1;
    how.longest_backoff_ms = 4;
    how.close_wait_ms = far.away ? 5 : 60'000;
    auto made = reel::queued_sink::create(reel, std::make_unique<far_delivery>(far), how);
    BOOST_REQUIRE(made);
    std::vector<std::unique_ptr<reel::sink>> all;
    all.push_back(std::move(*made));
    return all;
  };
  return options;
}

game::end_report record(const std::string& path, const game::match_options& options) {
  auto recorder = little_recorder::begin(path, little_match(), options);
  BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
  small_world world;
  for (std::uint64_t tick = 0; tick < 200; ++tick) {
    BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
    world.step();
  }
  const auto report = recorder->end();
  BOOST_REQUIRE_MESSAGE(report, why(report));
  return *report;
}

BOOST_AUTO_TEST_CASE(a_delivered_reel_is_removed) {
  const scratch_folder folder;
  const std::string path = folder / "match.icrep";
  delivery_receiver far;
  std::string asked_for;
  const auto report = record(path, options_for(far, asked_for));
  BOOST_TEST(asked_for == path + ".reel");
  BOOST_TEST(!report.reel_stays);
  BOOST_TEST(report.nothing_lost());
  BOOST_TEST(!std::filesystem::exists(path + ".reel"));
  const byte_vector bytes = far.bytes();
  const auto there = reel::reader::from_memory(bytes);
  BOOST_REQUIRE(there);
  BOOST_TEST((there->contents().end == reel::reel_end::closed));
  BOOST_TEST(there->contents().missing_records == 0u);
}

BOOST_AUTO_TEST_CASE(an_undelivered_reel_is_kept) {
  const scratch_folder folder;
  const std::string path = folder / "match.icrep";
  delivery_receiver far;
  far.away = true;
  std::string asked_for;
  const auto report = record(path, options_for(far, asked_for));
  BOOST_TEST(report.reel_stays);
  BOOST_REQUIRE(report.earlier_failure);
  BOOST_TEST((report.earlier_failure->code == error_code::timed_out));
  BOOST_TEST(std::filesystem::exists(path));
  BOOST_REQUIRE(std::filesystem::exists(path + ".reel"));
  far.away = false;
  far_delivery to(far);
  const auto done = reel::deliver_reel(path + ".reel", to);
  BOOST_REQUIRE(done);
  BOOST_TEST(done->ended);
  BOOST_TEST((far.bytes() == read_file(path + ".reel")));
  // Then it may be removed.
  BOOST_REQUIRE(game::recover(path));
  BOOST_TEST(std::filesystem::exists(path));
  BOOST_TEST(!std::filesystem::exists(path + ".reel"));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
