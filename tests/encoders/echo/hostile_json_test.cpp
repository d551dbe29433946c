// Responses that are damaged or malicious.
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "random.hpp"
#include "random_state.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(hostile_json_test)

using namespace tickreel;
using namespace tickreel::echo;

namespace {

constexpr std::string_view small_session =
    R"({"disc":{"position":[0.5,-1.25,3.0],"velocity":[0.0,0.0,1e-3],"bounce_count":2},"sessionid":"A\u0041",)"
    R"("private_match":true,"teams":[{"players":[{"name":"x","userid":123,"head":{"position":[1.0,2.0,3.0]},)"
    R"("stats":{"points":1}}],"team":"BLUE"},{"team":"ORANGE","possession":false}],"possession":[-1,-1],)"
    R"("unknown":{"a":[[],{}],"b":null},"game_clock":64.609161})";

}  // namespace

BOOST_AUTO_TEST_CASE(truncated_anywhere_it_is_an_error) {
  json_parser parser;
  const auto out = std::make_unique<state>();
  BOOST_TEST(parser.parse_session(small_session, *out).has_value());
  for (std::size_t size = 0; size < small_session.size(); ++size) {
    // A copy of the exact size, so that a sanitizer detects a read past its end.
    const std::string cut(small_session.substr(0, size));
    const auto report = parser.parse_session(cut, *out);
    BOOST_REQUIRE_MESSAGE(!report.has_value(), cut);
    BOOST_TEST((report.error().code == error_code::bad_json));
    BOOST_TEST((report.error().offset == error::no_offset || report.error().offset <= size));
  }
}

BOOST_AUTO_TEST_CASE(a_value_that_is_not_an_object_is_an_error) {
  json_parser parser;
  const auto out = std::make_unique<state>();
  BOOST_TEST((parser.parse_session({}, *out).error().code == error_code::bad_json));
  for (const char* text : {"",
                           " ",
                           "null",
                           "[]",
                           "7",
                           "\"{}\"",
                           "{",
                           "}",
                           "{}}",
                           "{} {}",
                           "{}x",
                           "{,}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{\"sessionid\":\xff}",
                           "{\"sessionid\":\"\n\"}",
                           "{\"game_clock\":1.2.3}",
                           "{\"game_clock\":-}",
                           "{\"game_clock\":nul}",
                           "{\"private_match\":tru}",
                           "{\"sessionid\":\"\\x\"}",
                           "{\"err_code\":0x10}",
                           "{\"err_code\":1:1}",
                           "{\"sessionid\":\"a\":1}",
                           "{\"sessionid\":\"a\" :1}",
                           "{\"sessionid\":\"a\" 1}",
                           "{\"game_clock\":1.5:1}",
                           "{\"private_match\":true:1}",
                           "{\"possession\":[1,2]:1}",
                           "{\"possession\":[1,2}",
                           "{\"possession\":[1,,2]}",
                           "{\"disc\":{\"velocity\":[1.0,2.0,3.0,]}}"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_TEST(!parser.parse_session(text, *out).has_value());
      BOOST_TEST(parser.parse_session("{}", *out).has_value());
    }
  }
}

// Users choose their names: in a name that is not valid Unicode, only the invalid bytes are replaced, and the response is kept.
BOOST_AUTO_TEST_CASE(texts_with_invalid_unicode_are_replaced_and_counted) {
  struct omission_log final : omission_listener {
    void left_out(const omission& what) noexcept override { tally.left_out(what); }
    omission_tally tally;
  };
  json_parser parser;
  const auto out = std::make_unique<state>();
  const auto answer = [](const std::string& name, const std::string& more = {}) {
    return R"({"sessionid":"A","teams":[{"players":[{"name":")" + name + R"(","userid":7}]}],)" + more +
           R"("client_name":"me"})";
  };
  struct row {
    const char* sent;
    const char* kept;
  };
  for (const row& each :
       {row{"abc\\ud83d", "abc\xef\xbf\xbd"}, row{"\\ude00x", "\xef\xbf\xbdx"}, row{"a\xff", "a\xef\xbf\xbd"},
        row{"\xed\xa0\xbd", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        row{"\\ud83d\xff", "\xef\xbf\xbd\xef\xbf\xbd"}}) {
    BOOST_TEST_CONTEXT(each.sent) {
      omission_log listener;
      const auto report = parser.parse_session(answer(each.sent), *out, &listener);
      BOOST_REQUIRE(report.has_value());
      BOOST_TEST(report->replaced_texts == 1u);
      BOOST_TEST(report->first.view() == "teams.players.name");
      BOOST_TEST(!report->complete());
      BOOST_TEST(out->players[0].name.view() == each.kept);
      BOOST_TEST(out->players[0].userid == 7u);
      BOOST_TEST(out->match.client_name.view() == "me");
      BOOST_REQUIRE(listener.tally.entries().size() == 1u);
      BOOST_TEST((listener.tally.entries()[0].kind == omission_kind::replaced_text));
      BOOST_TEST(listener.tally.entries()[0].path == "teams.players.name");
    }
  }
  // In a value that the state cannot store, and beside a character that really is U+FFFD.
  omission_log listener;
  const auto report = parser.parse_session(answer("\xef\xbf\xbd", R"("unknown":"\udc00",)"), *out, &listener);
  BOOST_REQUIRE(report.has_value());
  BOOST_TEST(report->replaced_texts == 1u);
  BOOST_TEST(report->unknown_fields == 1u);
  BOOST_TEST(listener.tally.count(omission_kind::replaced_text) == 1u);
  // Complete surrogate pairs are not reported.
  BOOST_TEST(parser.parse_session(answer("\\ud83d\\ude00"), *out)->replaced_texts == 0u);
  BOOST_TEST(out->players[0].name.view() == "\xf0\x9f\x98\x80");
  // Outside of strings it is invalid JSON as before.
  BOOST_TEST(!parser.parse_session("{\"a\":\"\xff\"}\xff", *out).has_value());
  BOOST_TEST(!parser.parse_session("{\xff:1}", *out).has_value());
}

BOOST_AUTO_TEST_CASE(deep_nesting_is_skipped_or_rejected) {
  json_parser parser;
  const auto out = std::make_unique<state>();
  for (const std::size_t depth : {10u, 1000u, 100'000u}) {
    const std::string nested =
        "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + ",\"sessionid\":\"A\"}";
    const auto report = parser.parse_session(nested, *out);
    if (report) BOOST_TEST(out->match.sessionid.view() == "A");
    const std::string unclosed = "{\"teams\":" + std::string(depth, '[');
    BOOST_TEST(!parser.parse_session(unclosed, *out).has_value());
    const std::string objects = [&] {
      std::string text;
      for (std::size_t i = 0; i < depth; ++i) text += "{\"disc\":";
      return text + "1" + std::string(depth, '}');
    }();
    (void)parser.parse_session(objects, *out);
  }
}

BOOST_AUTO_TEST_CASE(every_known_key_survives_every_type) {
  json_parser parser;
  const auto out = std::make_unique<state>();
  const char* const values[] = {"null",
                                "true",
                                "7",
                                "-1.5",
                                "1e999",
                                "\"x\"",
                                "\"NaN\"",
                                "[]",
                                "[1]",
                                "[1,2,3]",
                                "[[1],[2],[3]]",
                                "[null,null,null]",
                                "{}",
                                "{\"position\":7}",
                                "[{\"players\":{}}]",
                                "[{\"players\":[7,[],null,\"x\"]},7]",
                                "[{\"bone_t\":{},\"bone_o\":[true]}]"};
  const char* const keys[] = {"sessionid", "game_clock", "private_match",    "possession",  "disc",
                              "player",    "pause",      "last_score",       "last_throw",  "teams",
                              "payload",   "timers",     "rules_changed_at", "blue_points", "payload_speed",
                              "err_code",  "user_bones"};
  for (const char* key : keys) {
    for (const char* value : values) {
      const std::string json = std::string("{\"") + key + "\":" + value + ",\"client_name\":\"end\"}";
      BOOST_TEST_CONTEXT(json) {
        const auto report = parser.parse_session(json, *out);
        BOOST_TEST(report.has_value());
        BOOST_TEST(out->match.client_name.view() == "end");
        std::string again;
        append_session_json(*out, json_shape::model, number_style::shortest, again);
        BOOST_TEST(parser.parse_bones(json, *out).has_value());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(flipped_bits_never_crash_and_what_parses_is_written) {
  auto random = test::seeded_random("flipped bits");
  test::state_generator generate(random);
  const auto original = std::make_unique<state>();
  const auto out = std::make_unique<state>();
  json_parser parser;
  for (int round = 0; round < 30; ++round) {
    generate.fill(*original, true);
    std::string session, bones;
    append_session_json(*original, json_shape::api, number_style::game, session);
    append_bones_json(*original, json_shape::api, number_style::game, bones);
    for (std::string* text : {&session, &bones}) {
      for (int flip = 0; flip < 60; ++flip) {
        std::string damaged = *text;
        for (std::size_t n = 1 + random() % 4; n > 0; --n) {
          damaged[random() % damaged.size()] ^= static_cast<char>(1u << random() % 8);
        }
        const bool parses = text == &session ? parser.parse_session(damaged, *out).has_value()
                                             : parser.parse_bones(damaged, *out).has_value();
        if (!parses) continue;
        std::string again;
        append_session_json(*out, json_shape::api, number_style::shortest, again);
        append_bones_json(*out, json_shape::model, number_style::shortest, again);
        BOOST_REQUIRE(!again.empty());
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(inconsistent_counts_are_rejected) {
  const auto lying = std::make_unique<state>();
  lying->match.fields = session::has_teams;
  lying->match.team_count = 255;
  lying->match.player_count = 255;
  lying->bones = bones_kind::present;
  lying->bone_player_count = 255;
  for (auto& team : lying->match.teams) {
    team.fields = team::has_players;
    team.player_count = 255;
  }
  std::string text;
  append_session_json(*lying, json_shape::api, number_style::game, text);
  append_session_json(*lying, json_shape::model, number_style::game, text);
  append_bones_json(*lying, json_shape::api, number_style::game, text);
  BOOST_TEST(!text.empty());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
