// The last seconds of a match that continues.
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <filesystem>

#include "scratch_folder.hpp"
#include "small_world.hpp"
#include "tickreel/game/replay.hpp"

BOOST_AUTO_TEST_SUITE(game_save_last_tests)
BOOST_AUTO_TEST_SUITE(save_last_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using namespace std::chrono_literals;

}  // namespace

BOOST_AUTO_TEST_CASE(the_last_seconds_become_an_icrep) {
  for (const auto file : {game::container::icrep, game::container::reel}) {
    const scratch_folder folder;
    game::match_options options;
    options.file = file;
    options.mode = threading::pumped;
    options.keyframe_interval_ticks = 5;
    options.full_keyframe_interval = 3;
    options.seal_interval_ms = 0;
    auto recorder = little_recorder::begin(folder / "match", little_match(), options);
    BOOST_REQUIRE_MESSAGE(recorder, why(recorder));
    // Nothing is available yet, and the attempt leaves no file.
    BOOST_TEST(!recorder->save_last(1s, folder / "early.icrep"));
    BOOST_TEST(!std::filesystem::exists(folder / "early.icrep"));
    small_world world;
    for (std::uint64_t tick = 0; tick < 300; ++tick) {
      BOOST_REQUIRE(recorder->tick(tick, world.hash(), [&](auto& to) { world.describe(to); }));
      (void)recorder->order(0, 1, place{static_cast<std::int32_t>(tick), 2}, 3);
      (void)recorder->pump();
      world.step();
    }
    const auto saved = recorder->save_last(4s, folder / "last.icrep");
    BOOST_REQUIRE_MESSAGE(saved, why(saved));
    // 15 ticks per second: 60 of them, from the preceding full keyframe on.
    BOOST_TEST(saved->last_tick >= 290u);
    BOOST_TEST(saved->first_tick <= saved->last_tick - 60);
    BOOST_TEST(saved->first_tick + 15 > saved->last_tick - 60);
    BOOST_TEST(saved->missing_ticks == 0u);
    BOOST_TEST(saved->bytes == std::filesystem::file_size(folder / "last.icrep"));
    const auto part = game::replay::open(folder / "last.icrep");
    BOOST_REQUIRE_MESSAGE(part, why(part));
    // An existing name is not overwritten, and the match continues unchanged.
    BOOST_TEST((recorder->save_last(4s, folder / "last.icrep").error().code == error_code::already_exists));
    BOOST_REQUIRE(recorder->save_last(1h, folder / "all.icrep"));
    const auto ended = recorder->end();
    BOOST_REQUIRE_MESSAGE(ended, why(ended));
    BOOST_TEST(recorder->counters().lost == 0u);
    BOOST_TEST(recorder->counters().dropped == 0u);
    BOOST_TEST(game::replay::open(folder / "match").has_value());
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
