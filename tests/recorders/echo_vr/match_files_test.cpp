// Names of files, and where a file ends and the next begins, if splitting was requested.
#include <boost/test/unit_test.hpp>
#include <string>

#include "support/match_driver.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(match_files_test)

namespace {

using namespace test;

BOOST_AUTO_TEST_CASE(files_are_named_by_the_pattern) {
  const temporary_folder folder;
  match_options options = in(folder, {record_format::butter, record_format::reel});
  options.name_pattern = "{date}_{map}_{blue}-{orange}_{host}_{n}";
  for (int round = 0; round < 2; ++round) {
    driver game(options);
    game.ticks({}, 0, 20);
    game.recorder().close();
  }
  BOOST_REQUIRE(folder.files(".butter").size() == 2);
  const std::string stem = "2025-06-15_mpl_arena_a_BLUE_TEAM-ORANGE_TEAM_10_0_0_1_";
  BOOST_TEST(folder.files(".butter")[0].filename().string() == stem + "1.butter");
  BOOST_TEST(folder.files(".butter")[1].filename().string() == stem + "2.butter");
  BOOST_TEST(folder.files(".reel")[1].filename().string() == stem + "2.reel");
}

BOOST_AUTO_TEST_CASE(each_round_has_a_file_if_requested) {
  for (const bool wanted : {true, false}) {
    const temporary_folder folder;
    match_options options = in(folder);
    options.file_per_round = wanted;
    options.name_pattern = "{map}_{n}";
    driver game(options);
    scripted_match match;
    const auto play = [&](const char* status, std::uint32_t from, std::uint32_t count) {
      match.status = status;
      game.ticks(match, from, count);
    };
    play("pre_match", 0, 10);
    play("round_start", 10, 5);
    play("playing", 15, 30);
    play("score", 45, 5);
    play("playing", 50, 10);
    play("round_over", 60, 10);
    play("round_start", 70, 5);
    play("playing", 75, 20);
    play("post_match", 95, 5);
    game.recorder().close();
    const auto files = folder.files(".butter");
    BOOST_REQUIRE_EQUAL(files.size(), wanted ? 2u : 1u);
    check_ticks(files[0], numbers(0, wanted ? 70 : 100));
    if (wanted) check_ticks(files[1], numbers(70, 30));
    BOOST_TEST(game.recorder().status().lost_polls == 0u);
  }
}

// The match continues, although its file ends.
BOOST_AUTO_TEST_CASE(polls_lost_between_rounds_are_counted) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.file_per_round = true;
  driver game(options);
  scripted_match match;
  game.ticks(match, 0, 20);
  (void)game.miss(target_state::unreachable);
  match.status = "round_start";
  (void)game.tick(match, 24, 3);
  game.ticks(match, 25, 10);
  game.recorder().close();
  BOOST_TEST(folder.files(".butter").size() == 2u);
  BOOST_TEST(game.recorder().status().lost_polls == 4u);
  BOOST_TEST(game.events(event_kind::gap).size() == 1u);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
