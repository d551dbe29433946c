// When a match_recorder begins and ends files, and how it counts gaps.
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "support/match_driver.hpp"
#include "tickreel/io/file.hpp"
#include "tickreel/io/filesystem_path.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(match_recorder_test)

namespace {

using namespace std::chrono_literals;
using namespace test;

BOOST_AUTO_TEST_CASE(one_match_in_every_format_at_once) {
  const temporary_folder folder;
  driver game(in(
      folder, {record_format::butter, record_format::echoreplay, record_format::reel, record_format::tape}));
  scripted_match match;
  match.bones = true;
  game.ticks(match, 0, 200);
  BOOST_TEST(game.recorder().status().recording);
  BOOST_TEST(folder.files(".butter").empty());  // only reels yet
  BOOST_TEST(test::eventually([&] { return folder.files(".reel").size() == 4; }));
  game.recorder().close();

  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_REQUIRE(folder.files(".echoreplay").size() == 1);
  BOOST_REQUIRE(folder.files(".reel").size() == 1);
  BOOST_REQUIRE(folder.files(".tape").size() == 1);
  check_ticks(folder.files(".butter")[0], numbers(0, 200));
  check_ticks(folder.files(".echoreplay")[0], numbers(0, 200));
  check_ticks(folder.files(".reel")[0], numbers(0, 200));
  check_ticks(folder.files(".tape")[0], numbers(0, 200));
  BOOST_TEST(folder.files(".butter")[0].filename().string() ==
             "2025-06-15_15-06-40_mpl_arena_a_00000000.butter");

  const match_status done = game.recorder().status();
  BOOST_TEST(done.files_finished == 4);
  BOOST_TEST(done.files_failed == 0);
  BOOST_TEST(done.total_frames == 200);
  BOOST_TEST(done.lost_polls == 0);
  BOOST_TEST(done.dropped_ticks == 0);
  BOOST_TEST(!done.recording);
  for (const record_event& event : game.events(event_kind::file_finished)) {
    BOOST_TEST(event.ticks == 200);
    BOOST_TEST(event.lost_ticks == 0);
    BOOST_TEST(event.bytes == std::filesystem::file_size(filesystem_path(event.path)));
    BOOST_TEST(event.target == "10.0.0.1:6721");
  }
}

BOOST_AUTO_TEST_CASE(another_session_or_map_starts_another_file) {
  const temporary_folder folder;
  driver game(in(folder));
  scripted_match match;
  game.ticks(match, 0, 30);
  game.ticks(other_session(), 100, 20);
  scripted_match other_map = other_session();
  other_map.map = "mpl_combat_dyson";
  game.ticks(other_map, 200, 10);
  game.recorder().close();
  std::map<std::string, std::vector<std::uint32_t>> found;
  for (const auto& path : folder.files(".butter")) found[path.stem().string().substr(20)] = ticks_in(path);
  BOOST_REQUIRE(found.size() == 3);
  BOOST_TEST(found["mpl_arena_a_00000000"] == numbers(0, 30), boost::test_tools::per_element());
  BOOST_TEST(found["mpl_arena_a_99999999"] == numbers(100, 20), boost::test_tools::per_element());
  BOOST_TEST(found["mpl_combat_dyson_99999999"] == numbers(200, 10), boost::test_tools::per_element());
  BOOST_TEST(game.recorder().status().lost_polls == 0);
}

BOOST_AUTO_TEST_CASE(a_short_gap_is_bridged_and_counted) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::reel}));
  const scripted_match match;
  game.ticks(match, 0, 30);
  for (int i = 0; i < 6; ++i) (void)game.miss(target_state::unreachable);
  game.wait(4s);
  (void)game.miss(target_state::unreachable, 3);
  (void)game.tick(match, 50, 2);
  game.ticks(match, 51, 9);
  game.recorder().close();

  std::vector<std::uint32_t> expected = numbers(0, 30);
  for (const std::uint32_t each : numbers(50, 10)) expected.push_back(each);
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  check_ticks(folder.files(".butter")[0], expected);
  // Six failed, one failed with three lost before it, two lost before the successful one.
  BOOST_TEST(game.recorder().status().lost_polls == 6 + 1 + 3 + 2);
  BOOST_REQUIRE(game.events(event_kind::gap).size() == 1);
  BOOST_TEST(game.events(event_kind::gap)[0].ticks == 12);
  const auto reel = reel::reader::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->contents().lost_ticks == 12);
  BOOST_TEST(reel->contents().frames == 40);
  BOOST_TEST((reel->contents().end == reel::reel_end::closed));
  for (const record_event& event : game.events(event_kind::file_finished)) BOOST_TEST(event.lost_ticks == 12);
}

BOOST_AUTO_TEST_CASE(an_unstable_connection_is_reported_in_total) {
  const temporary_folder folder;
  driver game(in(folder));
  std::uint32_t next = 0;
  for (int gap = 0; gap < 40; ++gap) {
    game.ticks({}, next, 20);
    next += 20;
    (void)game.miss(target_state::unreachable);
  }
  game.ticks({}, next, 20);
  game.recorder().close();
  // The first immediately, the others after ten seconds and at the end.
  const auto logged = game.events(event_kind::gap);
  BOOST_REQUIRE_EQUAL(logged.size(), 3u);
  BOOST_TEST(logged[0].ticks == 1u);
  BOOST_TEST(logged[1].line.find("gaps") != std::string::npos, logged[1].line);
  BOOST_TEST(logged[0].ticks + logged[1].ticks + logged[2].ticks == 40u);
  BOOST_TEST(game.recorder().status().lost_polls == 40u);
}

BOOST_AUTO_TEST_CASE(an_echoreplay_grows_while_it_is_recorded) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay}));
  std::uint32_t next = 0;
  BOOST_TEST(eventually([&] {
    (void)game.tick({}, next++);
    return !folder.files(".part").empty();
  }));
  game.ticks({}, next, 10);
  game.recorder().close();
  BOOST_TEST(folder.files(".part").empty());
  BOOST_REQUIRE_EQUAL(folder.files(".echoreplay").size(), 1u);
  check_ticks(folder.files(".echoreplay")[0], numbers(0, next + 10));
}

BOOST_AUTO_TEST_CASE(publishing_can_be_cancelled) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::butter, record_format::echoreplay}));
  const std::uint32_t next = game.ticks_until(event_kind::file_started, {}, 0);
  game.ticks({}, next, 100);
  game.recorder().cancel_publishing();
  game.recorder().close();
  BOOST_TEST(game.recorder().status().files_failed == 2u);
  BOOST_TEST(game.recorder().status().finishing_files == 0u);
  BOOST_TEST(folder.files(".part").empty());
  const auto reels = folder.files(".reel");
  BOOST_REQUIRE_EQUAL(reels.size(), 2u);
  for (const auto& each : reels) BOOST_TEST(ticks_in(each).size() == next + 100, each);
}

BOOST_AUTO_TEST_CASE(a_long_gap_ends_the_file_and_is_not_a_loss) {
  const temporary_folder folder;
  driver game(in(folder));
  const scripted_match match;
  game.ticks(match, 0, 10);
  (void)game.miss(target_state::menu);
  BOOST_TEST(game.recorder().status().recording);
  game.wait(6s);
  BOOST_TEST(game.miss(target_state::menu) == 0);
  BOOST_TEST(!game.recorder().status().recording);
  game.ticks(match, 500, 10);
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 2);
  check_ticks(files[0], numbers(0, 10));
  check_ticks(files[1], numbers(500, 10));
  BOOST_TEST(game.recorder().status().lost_polls == 0);
}

BOOST_AUTO_TEST_CASE(another_session_after_a_gap_is_another_match) {
  const temporary_folder folder;
  driver game(in(folder));
  game.ticks({}, 0, 10);
  (void)game.miss(target_state::menu, 20);
  game.ticks(other_session(), 0, 10);
  game.recorder().close();
  BOOST_TEST(folder.files(".butter").size() == 2);
  BOOST_TEST(game.recorder().status().lost_polls == 0);
  BOOST_TEST(game.events(event_kind::gap).empty());
}

BOOST_AUTO_TEST_CASE(late_polls_are_counted_in_the_file) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  const scripted_match match;
  game.ticks(match, 0, 10);
  (void)game.tick(match, 15, 5);
  game.recorder().close();
  const auto reel = reel::reader::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->contents().frames == 11);
  BOOST_TEST(reel->contents().lost_ticks == 5);
  BOOST_TEST(game.recorder().status().lost_polls == 5);
}

BOOST_AUTO_TEST_CASE(only_play_is_recorded_if_requested) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.active_only = true;
  driver game(options);
  scripted_match match;
  const auto play = [&](const char* status, std::uint32_t from) {
    match.status = status;
    game.ticks(match, from, 10);
  };
  play("pre_match", 0);
  BOOST_TEST(!game.recorder().status().recording);
  play("round_start", 10);
  play("playing", 20);
  play("round_over", 30);
  play("playing", 40);
  play("post_match", 50);
  game.recorder().close();
  std::vector<std::uint32_t> expected = numbers(10, 20);
  for (const std::uint32_t each : numbers(40, 10)) expected.push_back(each);
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  check_ticks(folder.files(".butter")[0], expected);
  BOOST_TEST(game.recorder().status().lost_polls == 0);
  BOOST_TEST(game.recorder().status().total_frames == 30);
}

BOOST_AUTO_TEST_CASE(the_rate_follows_the_game_state) {
  const temporary_folder folder;
  match_options options = in(folder);
  options.idle_rate_hz = 2;
  driver game(options);
  scripted_match match;
  BOOST_TEST(game.miss(target_state::menu) == 2);
  BOOST_TEST(game.tick(match, 0) == rate_hz);
  BOOST_TEST(game.miss(target_state::unreachable) == rate_hz);  // it may return at any moment
  match.status = "post_match";
  BOOST_TEST(game.tick(match, 1) == 2);
  match.status = "playing";
  BOOST_TEST(game.tick(match, 2) == rate_hz);

  driver plain(in(folder));
  match.status = "post_match";
  BOOST_TEST(plain.tick(match, 0) == rate_hz);
  plain.wait(10s);
  BOOST_TEST(plain.miss(target_state::lobby) == 0);
}

BOOST_AUTO_TEST_CASE(nothing_is_ever_overwritten) {
  const temporary_folder folder;
  for (const char* taken : {"2025-06-15_15-06-40_mpl_arena_a_00000000.butter",
                            "2025-06-15_15-06-40_mpl_arena_a_00000000-2.butter.reel"}) {
    std::ofstream(folder.path() / taken) << "precious";
  }
  for (int i = 0; i < 2; ++i) {
    driver game(in(folder));
    game.ticks({}, 0, 10);
    game.recorder().close();
  }
  BOOST_TEST(std::filesystem::file_size(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000.butter") ==
             8);
  BOOST_TEST(std::filesystem::file_size(folder.path() /
                                        "2025-06-15_15-06-40_mpl_arena_a_00000000-2.butter.reel") == 8);
  BOOST_TEST(ticks_in(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000-3.butter").size() == 10);
  BOOST_TEST(ticks_in(folder.path() / "2025-06-15_15-06-40_mpl_arena_a_00000000-4.butter").size() == 10);
}

BOOST_AUTO_TEST_CASE(a_player_beyond_the_limit_starts_another_file) {
  const temporary_folder folder;
  driver game(in(folder));
  echo::state state;
  // Two new names on every tick: the table of 255 is full at the 128th.
  for (std::uint32_t i = 0; i < 140; ++i) {
    test::fill_tick({}, i, state);
    state.players[0].name.assign("blue " + std::to_string(i));
    state.players[1].name.assign("orange " + std::to_string(i));
    std::string text;
    echo::append_session_json(state, echo::json_shape::api, echo::number_style::game, text);
    (void)game.answer(text);
  }
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 2);
  std::vector<std::uint32_t> all = ticks_in(files[0]);
  BOOST_TEST(all.size() == 127);
  for (const std::uint32_t each : ticks_in(files[1])) all.push_back(each);
  BOOST_TEST(all == numbers(0, 140), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(states_are_reported_once) {
  const temporary_folder folder;
  driver game(in(folder));
  for (int i = 0; i < 5; ++i) (void)game.miss(target_state::unreachable);
  for (int i = 0; i < 5; ++i) (void)game.miss(target_state::menu);
  game.ticks({}, 0, 5);
  (void)game.miss(target_state::unreachable);  // one lost response is not reported
  game.ticks({}, 6, 5);
  for (int i = 0; i < 3; ++i) (void)game.miss(target_state::lobby);
  std::string logged;
  for (const record_event& event : game.events(event_kind::state_changed)) {
    for (const target_state state :
         {target_state::unreachable, target_state::menu, target_state::in_match, target_state::lobby}) {
      if (event.line.starts_with(sentence(state))) logged += std::string(name(state)) + ' ';
    }
  }
  BOOST_TEST(logged == "unreachable menu in_match lobby ");
}

BOOST_AUTO_TEST_CASE(a_match_that_ends_before_its_file_is_open_is_saved) {
  const temporary_folder folder;
  driver game(in(folder));
  for (std::uint32_t i = 0; i < 20; ++i) {
    scripted_match match;
    match.sessionid = std::to_string(10 + i) + "000000-0000-4000-8000-000000000000";
    (void)game.tick(match, i);
  }
  game.recorder().close();
  const auto files = folder.files(".butter");
  BOOST_REQUIRE(files.size() == 20);
  std::uint32_t sum = 0;
  for (const auto& path : files) {
    const auto found = ticks_in(path);
    BOOST_TEST(found.size() == 1);
    sum += found.at(0);
  }
  BOOST_TEST(sum == 19 * 20 / 2);
  BOOST_TEST(game.events(event_kind::file_started).size() == 20);
  BOOST_TEST(game.recorder().status().files_finished == 20);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
