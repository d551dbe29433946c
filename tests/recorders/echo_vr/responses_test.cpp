// What a match_recorder makes of responses: repeated, late, damaged, and with names of any bytes.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support/match_driver.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_recording_tests)
BOOST_AUTO_TEST_SUITE(responses_test)

namespace {

using namespace std::chrono_literals;
using namespace test;

// A game that is polled more often than it changes: half of the ticks contain nothing new.
BOOST_AUTO_TEST_CASE(repeated_responses_are_counted_and_reported_once) {
  const temporary_folder folder;
  driver game(in(folder));
  const scripted_match match;
  game.ticks(match, 0, 400);
  BOOST_TEST(game.recorder().status().repeated_ticks == 0);
  for (std::uint32_t i = 0; i < 400; ++i) {
    (void)game.tick(other_session(), i / 2);
  }
  game.recorder().close();
  BOOST_TEST(game.recorder().status().repeated_ticks == 200);
  BOOST_TEST(game.recorder().status().lost_polls == 0);
  const auto reported = game.events(event_kind::repeated);
  BOOST_REQUIRE(reported.size() == 1);
  BOOST_TEST(reported[0].ticks == 150);
  BOOST_TEST(reported[0].line.find("150 of 300 responses equal the previous one") == 0, reported[0].line);
  BOOST_TEST(reported[0].line.find("--rate 30") != std::string::npos, reported[0].line);
}

// A game whose responses take longer than the interval between polls. The loss is reported while it lasts.
BOOST_AUTO_TEST_CASE(polls_that_late_responses_skip_are_reported_once) {
  const temporary_folder folder;
  driver game(in(folder));
  for (std::uint32_t i = 0; i < 700; ++i) (void)game.tick({}, i, i % 10 == 0 ? 1 : 0);
  for (std::uint32_t i = 0; i < 140; ++i) (void)game.tick(other_session(), i, 3);
  BOOST_TEST(game.events(event_kind::gap).empty());
  for (std::uint32_t i = 140; i < 500; ++i) (void)game.tick(other_session(), i, 3);
  const auto reported = game.events(event_kind::gap);
  BOOST_REQUIRE_EQUAL(reported.size(), 1u);
  BOOST_TEST(reported[0].ticks == 450u);
  BOOST_TEST(
      reported[0].line ==
      "450 of 601 polls of the last 10 s were lost, because responses arrive after the next poll is due; "
      "--rate 15 polls as often as they arrive");
  game.recorder().close();
  BOOST_TEST(game.recorder().status().lost_polls == 69 + 499 * 3);
  BOOST_TEST(game.events(event_kind::gap).size() == 1u);
}

// Whatever names players choose, the recording can be read.
BOOST_AUTO_TEST_CASE(names_with_control_characters_are_stored) {
  for (const char* const name : {"tab\there", "\x1b[31mred", "\x01\x02", "line\nbreak", "\x7f\xc2\x9b"}) {
    const temporary_folder folder;
    driver game(in(folder, {record_format::butter, record_format::echoreplay, record_format::reel,
                            record_format::tape}));
    scripted_match match;
    match.first_player = name;
    game.ticks(match, 0, 50);
    game.recorder().close();
    BOOST_TEST(game.recorder().status().files_finished == 4);
    for (const char* extension : {".butter", ".echoreplay", ".reel", ".tape"}) {
      BOOST_REQUIRE(folder.files(extension).size() == 1);
      check_ticks(folder.files(extension)[0], numbers(0, 50));
    }
  }
}

BOOST_AUTO_TEST_CASE(responses_are_stored_byte_for_byte) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::echoreplay, record_format::reel}));
  scripted_match match;
  match.bones = true;
  game.ticks(match, 0, 5);
  game.recorder().close();
  for (const char* extension : {".echoreplay", ".reel"}) {
    auto source = files::open_echo(folder.files(extension).at(0));
    BOOST_REQUIRE(source.has_value());
    auto state = std::make_unique<echo::state>();
    for (std::uint32_t i = 0; i < 5; ++i) {
      BOOST_REQUIRE((*source)->next(*state).value());
      BOOST_TEST((*source)->session_json() == test::session_text(match, i));
      BOOST_TEST((*source)->bones_json() == test::bones_text(match, i));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_invalid_response_is_a_missed_poll) {
  const temporary_folder folder;
  driver game(in(folder));
  const scripted_match match;
  const std::string whole = test::session_text(match, 0);
  game.ticks(match, 0, 10);
  (void)game.answer(whole.substr(0, whole.size() - 5));
  (void)game.answer("{\"sessionid\":");
  game.ticks(match, 12, 10);
  game.recorder().close();
  BOOST_REQUIRE(folder.files(".butter").size() == 1);
  BOOST_TEST(ticks_in(folder.files(".butter")[0]).size() == 20);
  BOOST_TEST(game.recorder().status().lost_polls == 2);
}

// A player's name never costs a tick: its bytes are kept if the format can store them.
BOOST_AUTO_TEST_CASE(names_with_invalid_unicode_are_recorded) {
  for (const char* const name : {"abc\\ud83d", "\\udc00", "abc\xff", "\xed\xa0\xbd"}) {
    const temporary_folder folder;
    driver game(in(folder, {record_format::butter, record_format::echoreplay, record_format::reel,
                            record_format::tape}));
    const std::string placeholder = "STRANGER";
    scripted_match match;
    match.first_player = placeholder;
    std::vector<std::string> sent;
    for (std::uint32_t i = 0; i < 60; ++i) {
      std::string text = test::session_text(match, i);
      if (i >= 20) text.replace(text.find(placeholder), placeholder.size(), name);
      sent.push_back(text);
      (void)game.answer(text);
    }
    game.recorder().close();
    const match_status done = game.recorder().status();
    BOOST_TEST(done.files_finished == 4);
    BOOST_TEST(done.total_frames == 60);
    BOOST_TEST(done.lost_polls == 0);
    // In the .butter and in the .tape, which store no text of responses.
    BOOST_TEST(done.left_out == 80);
    for (const char* extension : {".butter", ".echoreplay", ".reel", ".tape"}) {
      BOOST_TEST_CONTEXT(extension << " with " << name) {
        BOOST_REQUIRE(folder.files(extension).size() == 1);
        check_ticks(folder.files(extension)[0], numbers(0, 60));
        auto source = files::open_echo(folder.files(extension)[0]);
        BOOST_REQUIRE(source.has_value());
        auto state = std::make_unique<echo::state>();
        for (std::uint32_t i = 0; i < 60; ++i) {
          BOOST_REQUIRE((*source)->next(*state).value());
          if ((*source)->keeps_source_text()) BOOST_REQUIRE((*source)->session_json() == sent[i]);
          // A .butter spells names with the letters that it has.
          if (extension == std::string_view(".butter")) continue;
          const bool replaced = state->players[0].name.view().find("\xef\xbf\xbd") != std::string::npos;
          BOOST_REQUIRE(replaced == (i >= 20));
        }
      }
    }
  }
}

// The game continues, and its responses yield no more ticks.
BOOST_AUTO_TEST_CASE(responses_without_a_tick_up_to_the_end_are_lost_polls) {
  const temporary_folder folder;
  driver game(in(folder, {record_format::reel}));
  const scripted_match match;
  const std::string whole = test::session_text(match, 0);
  game.ticks(match, 0, 10);
  for (int i = 0; i < 600; ++i) (void)game.answer(whole.substr(0, whole.size() - 5));
  BOOST_TEST(game.recorder().status().lost_polls == 600);
  BOOST_TEST(game.recorder().status().recording);
  // Without any valid response the grace period is the end.
  (void)game.miss(target_state::bad_answer, 2);
  game.wait(6s);
  (void)game.miss(target_state::bad_answer);
  BOOST_TEST(!game.recorder().status().recording);
  (void)game.miss(target_state::bad_answer);
  game.recorder().close();
  BOOST_TEST(game.recorder().status().lost_polls == 604);
  BOOST_REQUIRE(game.events(event_kind::gap).size() == 1);
  BOOST_TEST(game.events(event_kind::gap)[0].ticks == 604);
  BOOST_TEST(game.events(event_kind::gap)[0].line.find("contained no tick") != std::string::npos);
  const auto reel = reel::reader::open(folder.files(".reel").at(0));
  BOOST_REQUIRE(reel.has_value());
  BOOST_TEST(reel->contents().lost_ticks == 604);
}

BOOST_AUTO_TEST_CASE(unreadable_bones_cost_only_themselves) {
  const temporary_folder folder;
  driver game(in(folder));
  for (std::uint32_t i = 0; i < 3; ++i) (void)game.answer(test::session_text({}, i), "{\"user_bones\":[{");
  game.recorder().close();
  check_ticks(folder.files(".butter").at(0), numbers(0, 3));
  BOOST_TEST(game.recorder().status().incomplete_parses == 3);
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
