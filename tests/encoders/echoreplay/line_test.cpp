#include "tickreel/echoreplay/line.hpp"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "random.hpp"
#include "random_state.hpp"
#include "shared_data.hpp"
#include "state_equal.hpp"
#include "tickreel/echoreplay/line_keeper.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echoreplay_tests)
BOOST_AUTO_TEST_SUITE(line_test)

using namespace tickreel;
using namespace tickreel::echoreplay;

BOOST_AUTO_TEST_CASE(two_columns_and_three) {
  const auto two = split_line("2022/07/16 20:04:58.159\t{\"a\":1}\r");
  BOOST_REQUIRE(two.has_value());
  BOOST_TEST(two->recorded_time_ms == 1'658'001'898'159);
  BOOST_TEST(two->session == "{\"a\":1}");
  BOOST_TEST(!two->has_bones_column);
  BOOST_TEST(two->bones == "");

  const auto three = split_line("2022-07-16 20.04.58.159\t{}\t {\"err_code\":0}");
  BOOST_REQUIRE(three.has_value());
  BOOST_TEST(three->recorded_time_ms == 1'658'001'898'159);
  BOOST_TEST(three->has_bones_column);
  BOOST_TEST(three->bones == "{\"err_code\":0}");

  for (const char* empty : {"2022/07/16 20:04:58.159\t{}\t", "2022/07/16 20:04:58.159\t{}\t  \r"}) {
    const auto columns = split_line(empty);
    BOOST_REQUIRE(columns.has_value());
    BOOST_TEST(columns->has_bones_column);
    BOOST_TEST(columns->bones == "");
  }
}

BOOST_AUTO_TEST_CASE(a_byte_order_mark_does_not_hide_the_time) {
  BOOST_TEST(split_line("\xef\xbb\xbf"
                        "2022/07/16 20:04:58.159\t{}")
                 .has_value());
}

BOOST_AUTO_TEST_CASE(an_invalid_line_is_reported_with_its_offset) {
  const auto offset_of = [](std::string_view text) {
    const auto columns = split_line(text);
    BOOST_REQUIRE_MESSAGE(!columns.has_value(), text);
    BOOST_TEST((columns.error().code == error_code::malformed));
    return columns.error().offset;
  };
  BOOST_TEST(offset_of("") == 0u);
  BOOST_TEST(offset_of("\r") == 0u);
  BOOST_TEST(offset_of("2022/07/16 20:04:58.159") == 23u);
  BOOST_TEST(offset_of("2022/07/16 20:04\t{}") == 0u);
  BOOST_TEST(offset_of("2022/07/16 20:04:58.159\t") == 24u);
  BOOST_TEST(offset_of("2022/07/16 20:04:58.159\t\t{}") == 24u);
  BOOST_TEST(offset_of("2022/07/16 20:04:58.159\t[]\t{}") == 24u);
}

BOOST_AUTO_TEST_CASE(unreadable_bones_count_as_absent_and_are_reported) {
  echo::json_parser parser;
  const auto out = std::make_unique<echo::state>();
  for (const char* bones : {"{\"user_bones\":[", "nonsense", "[]"}) {
    const auto report =
        parse_line(std::string("2022/07/16 20:04:58.159\t{\"sessionid\":\"A\"}\t") + bones, parser, *out);
    BOOST_REQUIRE(report.has_value());
    BOOST_TEST(report->wrong_types == 1u);
    BOOST_TEST(report->first.view() == "bones");
    BOOST_TEST((out->bones == echo::bones_kind::absent));
    BOOST_TEST(out->match.sessionid.view() == "A");
  }
}

BOOST_AUTO_TEST_CASE(an_unreadable_session_is_reported_with_its_offset) {
  echo::json_parser parser;
  const auto out = std::make_unique<echo::state>();
  const std::string line = "2022/07/16 20:04:58.159\t{\"game_clock\":1,\"sessionid\":nil}\t{}";
  const auto report = parse_line(line, parser, *out);
  BOOST_REQUIRE(!report.has_value());
  BOOST_TEST((report.error().code == error_code::bad_json));
  BOOST_TEST(report.error().offset > 24u);
  BOOST_TEST(report.error().offset < line.size());
}

BOOST_AUTO_TEST_CASE(columns_with_invalid_unicode_are_read) {
  echo::json_parser parser;
  const auto out = std::make_unique<echo::state>();
  for (const char* name : {"x\\ud83d", "x\\xff", "x\xff"}) {
    const std::string line = std::string("2022/07/16 20:04:58.159\t{\"sessionid\":\"") + name +
                             "\"}\t{\"user_bones\":[],\"note\":\"" + name + "\"}";
    const auto report = parse_line(line, parser, *out);
    const bool is_json = std::string_view(name) != "x\\xff";
    BOOST_REQUIRE(report.has_value() == is_json);
    if (!is_json) continue;
    BOOST_TEST(report->replaced_texts == 2u);
    BOOST_TEST(out->match.sessionid.view() == "x\xef\xbf\xbd");
    BOOST_TEST((out->bones != echo::bones_kind::absent));
  }
}

BOOST_AUTO_TEST_CASE(appended_lines_are_exact) {
  std::string out;
  append_line(1'658'001'898'159, "{}", "", out);
  append_line(1'658'001'898'192, "{}", "{\"err_code\":0}", out);
  append_line(line{1'658'001'898'225, "{}", "", true}, out);
  BOOST_TEST(out ==
             "2022/07/16 20:04:58.159\t{}\r\n"
             "2022/07/16 20:04:58.192\t{}\t{\"err_code\":0}\r\n"
             "2022/07/16 20:04:58.225\t{}\t\r\n");
}

BOOST_AUTO_TEST_CASE(any_state_round_trips_through_its_line) {
  auto random = test::seeded_random("lines");
  test::state_generator generate(random);
  const auto original = std::make_unique<echo::state>();
  const auto again = std::make_unique<echo::state>();
  echo::json_parser parser;
  for (int i = 0; i < 100; ++i) {
    generate.fill(*original, true);
    original->recorded_time_ms = static_cast<std::int64_t>(random() % 4'000'000'000'000u);
    std::string text;
    append_line(*original, text);
    BOOST_REQUIRE(text.ends_with("\r\n"));
    text.pop_back();
    const auto report = parse_line(text, parser, *again);
    BOOST_REQUIRE(report && report->complete());
    BOOST_REQUIRE(again->recorded_time_ms == original->recorded_time_ms);
    BOOST_REQUIRE_EQUAL(test::session_difference(*original, *again), "");
    BOOST_REQUIRE_EQUAL(test::bones_difference(*original, *again), "");
  }
}

// A line in one style, or in both: each of its columns in another one.
std::string styled_line(const echo::state& from, echo::number_style session, echo::number_style bones) {
  std::string session_text, bones_text, out;
  echo::append_session_json(from, echo::json_shape::api, session, session_text);
  echo::append_bones_json(from, echo::json_shape::api, bones, bones_text);
  append_line(from.recorded_time_ms, session_text, bones_text, out);
  return out;
}

// At first most numbers are whole, and fit both styles.
BOOST_AUTO_TEST_CASE(lines_of_one_skeleton_need_few_shapes) {
  using enum echo::number_style;
  for (const auto& [session, bones] : {std::pair{game, game}, {shortest, shortest}, {game, shortest}}) {
    const auto state = std::make_unique<echo::state>();
    state->match.fields = echo::session::has_teams | echo::session::has_game_clock;
    state->match.team_count = 1;
    state->match.teams[0].fields = echo::team::has_players;
    state->match.teams[0].player_count = 8;
    state->match.game_clock = 0.7f;
    state->bones = echo::bones_kind::present;
    state->bone_player_count = 1;
    std::vector<float*> numbers;
    for (std::size_t i = 0; i < 8; ++i) {
      echo::player& each = state->players[i];
      each.fields = echo::player::has_velocity;
      numbers.insert(numbers.end(), {&each.velocity.x, &each.velocity.y, &each.velocity.z});
    }
    line_keeper keeper;
    line_restorer restorer;
    std::size_t patched = 0;
    for (std::size_t tick = 0; tick < numbers.size(); ++tick) {
      const std::string line = styled_line(*state, session, bones);
      const auto how = keeper.keep({}, line, *state);
      patched += how.kind != echo::line_kind::shaped;
      const line_events beside = restorer.take(keeper.events());
      std::string back;
      BOOST_REQUIRE(restorer.append_line(how, *state, beside.patch, back));
      BOOST_REQUIRE(back == line);
      *numbers[tick] = 0.7f;
    }
    BOOST_TEST(patched == 0u);
  }
}

BOOST_AUTO_TEST_CASE(a_recording_in_plain_text_is_read_to_the_end) {
  const auto folder = test::shared_data("butter");
  if (folder.empty()) return;
  const byte_vector bytes = test::read_file(folder / "arena-plainfile.echoreplay");
  BOOST_REQUIRE(!bytes.empty());
  line_splitter splitter;
  BOOST_REQUIRE(splitter.feed(as_text(bytes)).has_value());
  splitter.finish();
  echo::json_parser parser;
  const auto state = std::make_unique<echo::state>();
  int lines = 0;
  while (const auto next = splitter.next()) {
    BOOST_REQUIRE(next->has_value());
    BOOST_REQUIRE((*next)->size() > shortest_session);
    const auto report = parse_line(**next, parser, *state);
    BOOST_REQUIRE(report.has_value());
    BOOST_TEST(report->complete());
    ++lines;
  }
  BOOST_TEST(lines > 4);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
