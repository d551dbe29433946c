#include <boost/test/unit_test.hpp>
#include <string>

#include "tickreel/echo_vr/match_recorder.hpp"
#include "tickreel/echo_vr/poller.hpp"

namespace tickreel::echo_vr {

BOOST_AUTO_TEST_SUITE(echo_vr_units_tests)
BOOST_AUTO_TEST_SUITE(names_test)

namespace {

std::string usual_stem(std::int64_t time_ms, std::string_view map, std::string_view session) {
  return file_stem(default_name_pattern, {.time_ms = time_ms, .map = map, .session = session});
}

BOOST_AUTO_TEST_CASE(files_are_named_by_time_map_and_session) {
  BOOST_TEST(usual_stem(1'657'998'298'159, "mpl_arena_a", "1A2B3C4D-0000-4000-8000-000000000000") ==
             "2022-07-16_19-04-58_mpl_arena_a_1A2B3C4D");
  BOOST_TEST(usual_stem(0, "", "") == "1970-01-01_00-00-00_unknown_unknown");
}

BOOST_AUTO_TEST_CASE(nothing_from_the_network_reaches_a_path_unchecked) {
  BOOST_TEST(usual_stem(0, "../../etc/passwd", "..\\..\\x:*?") ==
             "1970-01-01_00-00-00_______etc_passwd_______x_");
  const std::string stem = usual_stem(0, std::string(500, 'm'), std::string(500, 's'));
  BOOST_TEST(stem.size() < 80);
}

BOOST_AUTO_TEST_CASE(formats_are_named_by_their_extensions) {
  for (const record_format format :
       {record_format::butter, record_format::echoreplay, record_format::reel, record_format::tape}) {
    BOOST_TEST((record_format_from_name(name(format)) == format));
  }
  BOOST_TEST(!record_format_from_name("nevrcap").has_value());
}

BOOST_AUTO_TEST_CASE(every_state_has_a_sentence) {
  for (const target_state state :
       {target_state::connecting, target_state::unreachable, target_state::menu, target_state::lobby,
        target_state::api_disabled, target_state::bad_answer, target_state::in_match}) {
    BOOST_TEST(!name(state).empty());
    BOOST_TEST(!sentence(state).empty());
  }
}

BOOST_AUTO_TEST_CASE(a_bad_answer_has_a_cause) {
  poll_outcome outcome;
  outcome.state = target_state::bad_answer;
  outcome.http_status = 404;
  BOOST_TEST(cause_of_bad_answer(outcome) == "HTTP status 404");
  outcome.http_status = 200;
  BOOST_TEST(cause_of_bad_answer(outcome) == "HTTP status 200, but not the JSON of a match");
  outcome.http_status = 301;
  BOOST_TEST(cause_of_bad_answer(outcome).starts_with("HTTP status 301: redirects are not followed"));
  const error over{error_code::over_limit, error::no_offset, "a body of 9 bytes"};
  outcome.failure = &over;
  BOOST_TEST(cause_of_bad_answer(outcome) == describe(over));
}

BOOST_AUTO_TEST_CASE(players_and_spectators) {
  const auto with_status = [](const char* status) {
    echo::session match;
    match.fields = echo::session::has_game_status;
    match.game_status.assign(status);
    return match;
  };
  for (const char* playing : {"round_start", "playing", "score", "pre_sudden_death", "sudden_death"}) {
    BOOST_TEST(is_active(with_status(playing)));
    BOOST_TEST(!is_idle(with_status(playing)));
  }
  for (const char* waiting : {"", "pre_match", "round_over", "post_match", "post_sudden_death"}) {
    BOOST_TEST(!is_active(with_status(waiting)));
  }
  BOOST_TEST(is_idle(with_status("")));
  BOOST_TEST(is_idle(with_status("post_match")));
  BOOST_TEST(!is_idle(with_status("pre_match")));

  echo::session paused = with_status("playing");
  paused.fields |= echo::session::has_pause;
  paused.pause.state.assign("paused");
  BOOST_TEST(!is_active(paused));
  paused.pause.state.assign("unpaused");
  BOOST_TEST(is_active(paused));

  const echo::session combat;  // names nothing
  BOOST_TEST(is_active(combat));
  BOOST_TEST(!is_idle(combat));
}

}  // namespace

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel::echo_vr
