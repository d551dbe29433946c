#include "tickreel/files/recording.hpp"

#include "fixtures.hpp"

BOOST_AUTO_TEST_SUITE(files_tests)
BOOST_AUTO_TEST_SUITE(recording_test)

namespace {

using namespace tickreel;
using namespace tickreel::test;
using files::moment;

struct match_in_every_format {
  scratch_folder folder;
  std::vector<std::filesystem::path> paths;

  match_in_every_format() {
    for (const char* name : {"m.butter", "m.echoreplay", "m.reel"}) {
      paths.push_back(folder.path() / name);
      write_match(paths.back());
    }
    // Many chunks.
    paths.push_back(folder.path() / "often.butter");
    files::convert_options often;
    often.keyframe_interval_ticks = 40;
    write_match(paths.back(), often);
    // A reel with the game's original text.
    paths.push_back(folder.path() / "words.reel");
    BOOST_REQUIRE(files::convert(folder.path() / "m.echoreplay", paths.back()));
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_place_is_a_tick_a_time_or_a_clock) {
  BOOST_TEST(files::parse_moment("120")->tick == 120u);
  BOOST_TEST((files::parse_moment("12.5s")->unit == moment::by::time));
  BOOST_TEST(files::parse_moment("12.5s")->seconds == 12.5);
  BOOST_TEST((files::parse_moment("08:30")->unit == moment::by::clock));
  BOOST_TEST(files::parse_moment("08:30")->seconds == 510.0);
  BOOST_TEST(files::parse_moment("1:02:03")->seconds == 3723.0);
  BOOST_TEST(files::parse_moment("90:00")->seconds == 5400.0);
  BOOST_TEST(files::parse_clock("00:30.5").value() == 30.5);
  for (const char* wrong : {"90", "1:60:00", "1:00:60", "1:2:3:4", "1.5:00", "", ":"}) {
    BOOST_TEST(!files::parse_clock(wrong), wrong);
  }
  BOOST_TEST(files::parse_moment("clock:510.5")->seconds == 510.5);
  for (const char* wrong :
       {"", "x", "-1", "1.5", "s", "08:60", "8:", ":30", "clock:", "1e3s", "nan s", "inf:00"}) {
    BOOST_TEST(!files::parse_moment(wrong), wrong);
  }
}

BOOST_FIXTURE_TEST_CASE(a_summary_contains_ticks_players_and_health, match_in_every_format) {
  for (const auto& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      const std::size_t states = all_states(path).size();
      auto what = open_recording(path)->summarise();
      BOOST_REQUIRE(what);
      BOOST_TEST(what->ticks == states);
      BOOST_TEST(what->bytes == std::filesystem::file_size(path));
      // At 30 Hz; recorded times are whole milliseconds.
      const auto expected_ms = static_cast<std::int64_t>((states - 1) * 1000 / 30);
      BOOST_TEST(what->duration_ms >= expected_ms - 1);
      BOOST_TEST(what->duration_ms <= expected_ms + 1);
      BOOST_TEST(what->keyframes >= 1u);
      BOOST_TEST(files::name(what->health) == "whole");
      BOOST_TEST(what->players.size() >= 4u);
      BOOST_TEST(what->players.front().team == "blue");
    }
  }
}

BOOST_FIXTURE_TEST_CASE(a_valid_recording_verifies, match_in_every_format) {
  for (const auto& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      auto outcome = open_recording(path)->verify();
      BOOST_REQUIRE(outcome);
      BOOST_TEST(outcome->ok());
      for (const auto& each : outcome->findings) {
        BOOST_TEST(files::name(each.level) == "note", each.message);
      }
    }
  }
}

BOOST_FIXTURE_TEST_CASE(seeking_equals_reading_up_to_there, match_in_every_format) {
  for (const auto& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      const std::vector<std::string> states = all_states(path);
      auto opened = open_recording(path);
      for (const std::uint64_t tick :
           {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{299}, states.size() - 1, std::uint64_t{17}}) {
        BOOST_REQUIRE(opened->seek(moment::at_tick(tick)));
        BOOST_REQUIRE(opened->next().value());
        BOOST_TEST(opened->position().tick == tick);
        std::string state;
        opened->append_state(state);
        BOOST_TEST(state == states[tick]);
      }
      BOOST_TEST((opened->seek(moment::at_tick(states.size())).error().code == error_code::out_of_range));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(seeking_by_time_and_clock_finds_the_first_tick_there, match_in_every_format) {
  for (const auto& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      auto opened = open_recording(path);
      BOOST_REQUIRE(opened->seek(moment::at_time(2.5)));
      BOOST_REQUIRE(opened->next().value());
      BOOST_TEST(opened->position().time_ms >= 2500);
      BOOST_TEST(opened->position().time_ms < 2540);
      const std::uint64_t there = opened->position().tick;
      BOOST_REQUIRE(opened->next().value());
      BOOST_TEST(opened->position().tick == there + 1);

      BOOST_REQUIRE(opened->rewind());
      BOOST_REQUIRE(opened->next().value());
      const double start = opened->game_clock().value();
      BOOST_REQUIRE(opened->seek(moment::at_clock(start - 1)));
      BOOST_REQUIRE(opened->next().value());
      BOOST_TEST(opened->game_clock().value() <= start - 1 + 1e-3);
      BOOST_TEST(opened->game_clock().value() > start - 1.2);
      BOOST_TEST(!opened->seek(moment::at_clock(start + 100)));
    }
  }
}

BOOST_FIXTURE_TEST_CASE(work_reports_progress_and_can_be_cancelled, match_in_every_format) {
  for (const auto& path : paths) {
    BOOST_TEST_CONTEXT(path) {
      std::uint64_t last = 0;
      files::monitor watch;
      watch.progress = [&](std::uint64_t done, std::uint64_t total) {
        BOOST_TEST(done <= total);
        BOOST_TEST(done >= last);
        last = done;
      };
      BOOST_REQUIRE(open_recording(path)->summarise(watch));
      BOOST_TEST(last == std::filesystem::file_size(path));
      watch = {};
      watch.cancelled = [] { return true; };
      BOOST_TEST((open_recording(path)->summarise(watch).error().code == error_code::interrupted));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
