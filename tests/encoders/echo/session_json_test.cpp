#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>

#include "json_equal.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(session_json_test)

using namespace tickreel;
using namespace tickreel::echo;

namespace {

struct parsed {
  json_parser parser;
  std::unique_ptr<state> out = std::make_unique<state>();

  parse_report session(std::string_view json) {
    const auto report = parser.parse_session(json, *out);
    BOOST_REQUIRE_MESSAGE(report.has_value(), json);
    return *report;
  }
  parse_report bones(std::string_view json) {
    const auto report = parser.parse_bones(json, *out);
    BOOST_REQUIRE_MESSAGE(report.has_value(), json);
    return *report;
  }
  [[nodiscard]] std::string api() const {
    std::string text;
    append_session_json(*out, json_shape::api, number_style::shortest, text);
    return text;
  }
};

std::string numbers(std::size_t count) {
  std::string text = "[0.5";
  for (std::size_t i = 1; i < count; ++i) text += ",0.5";
  return text + "]";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(session_json)

BOOST_AUTO_TEST_CASE(an_empty_object_gives_an_empty_state) {
  parsed p;
  BOOST_TEST(p.session("{}").complete());
  BOOST_TEST(p.out->match.fields == 0u);
  BOOST_TEST(p.api() == "{}");
}

BOOST_AUTO_TEST_CASE(a_parse_discards_the_previous_one) {
  parsed p;
  p.session(R"({"sessionid":"A","disc":{"velocity":[1,2,3]},"teams":[{"players":[{"name":"x","ping":3}]}]})");
  BOOST_TEST(p.session(R"({"teams":[{"players":[{"name":"y"}]}]})").complete());
  BOOST_TEST(p.api() == R"({"teams":[{"players":[{"name":"y"}]}]})");
}

BOOST_AUTO_TEST_CASE(null_is_absent_and_not_a_fault) {
  parsed p;
  const auto report = p.session(
      R"({"sessionid":null,"disc":null,"possession":null,"game_clock":null,"teams":null,"last_score":null})");
  BOOST_TEST(report.complete());
  BOOST_TEST(p.out->match.fields == 0u);
}

BOOST_AUTO_TEST_CASE(numbers_for_booleans_and_booleans_for_numbers) {
  parsed p;
  const auto report = p.session(
      R"({"private_match":1,"tournament_match":0.0,"contested":1.0,"blue_team_restart_request":true,)"
      R"("orange_team_restart_request":0,"left_shoulder_pressed":true,"right_shoulder_pressed":false,)"
      R"("blue_points":7,"orange_points":3.5,"blue_round_score":2.0,"err_code":true})");
  BOOST_TEST(report.complete());
  const session& match = p.out->match;
  BOOST_TEST(match.private_match);
  BOOST_TEST(!match.tournament_match);
  BOOST_TEST(match.contested);
  BOOST_TEST(match.blue_team_restart_request);
  BOOST_TEST(!match.orange_team_restart_request);
  BOOST_TEST(match.left_shoulder_pressed == 1.0f);
  BOOST_TEST(match.right_shoulder_pressed == 0.0f);
  BOOST_TEST(match.blue_points == 7.0f);
  BOOST_TEST(match.orange_points == 3.5f);
  BOOST_TEST(match.blue_round_score == 2);
  BOOST_TEST(match.err_code == 1);
  BOOST_TEST((match.fields & session::has_tournament_match) != 0u);
}

BOOST_AUTO_TEST_CASE(the_report_names_the_first_value_that_cannot_be_stored) {
  parsed p;
  const auto report = p.session(R"({"teams":[{"players":[{"name":"x","jetpack":{"fuel":[1,{"deep":2}]}}]}],)"
                                R"("wings":1,"sessionid":7,"disc":[1,2]})");
  BOOST_TEST(report.unknown_fields == 2u);
  BOOST_TEST(report.wrong_types == 2u);
  BOOST_TEST(report.first.view() == "teams.players.jetpack");
  BOOST_TEST(!report.complete());
  BOOST_TEST(p.api() == R"({"teams":[{"players":[{"name":"x"}]}]})");
}

BOOST_AUTO_TEST_CASE(long_texts_are_truncated_at_a_character_and_counted) {
  parsed p;
  const std::string name = std::string(63, 'a') + "é";
  const auto report = p.session(R"({"client_name":")" + name + R"("})");
  BOOST_TEST(report.cut_texts == 1u);
  BOOST_TEST(report.first.view() == "client_name");
  BOOST_TEST(p.out->match.client_name.view() == std::string(63, 'a'));
}

BOOST_AUTO_TEST_CASE(surplus_players_are_counted) {
  parsed p;
  std::string players = R"({"name":"x"})";
  for (int i = 1; i < 40; ++i) players += R"(,{"name":"x"})";
  const auto report =
      p.session(R"({"teams":[{"players":[)" + players + R"(]},{},{},{"players":[{},{}],"team":"A"}]})");
  BOOST_TEST(report.dropped_players == 8u + 2u);
  BOOST_TEST(report.unknown_fields == 1u);  // the fourth team itself
  BOOST_TEST(p.out->match.player_count == max_players);
  BOOST_TEST(p.out->match.team_count == 3);
}

BOOST_AUTO_TEST_CASE(parts_without_bits_report_what_is_missing) {
  parsed p;
  const auto report = p.session(R"({"pause":{"paused_state":"paused"},"last_score":{}})");
  BOOST_TEST(report.missing_parts == 4u + 7u);
  BOOST_TEST(p.out->match.pause.state.view() == "paused");
}

BOOST_AUTO_TEST_CASE(of_repeated_keys_the_last_counts) {
  parsed p;
  const auto report = p.session(
      R"({"teams":[{"players":[{"name":"a"},{"name":"b"}]},{"players":[{"name":"c"}],"players":[{"name":"d"}]}],)"
      R"("sessionid":"A","sessionid":"B"})");
  BOOST_TEST(report.repeated_fields == 2u);
  BOOST_TEST(p.api() == R"({"sessionid":"B","teams":[{"players":[{"name":"a"},{"name":"b"}]},)"
                        R"({"players":[{"name":"d"}]}]})");
  p.session(R"({"teams":[{"players":[{"name":"a"}]},{}],"teams":[{"players":[{"name":"z"}]}]})");
  BOOST_TEST(p.api() == R"({"teams":[{"players":[{"name":"z"}]}]})");
}

BOOST_AUTO_TEST_CASE(members_in_any_order_and_layout) {
  parsed p;
  const auto read = [&](std::string_view json) {
    BOOST_TEST(p.session(json).complete());
    return p.api();
  };
  const std::string usual = read(
      R"({"disc":{"position":[1.5,-2.25,0.125],"forward":[0.5,0.0,-0.5],"velocity":[1.0,2.0,3.0]},)"
      R"("sessionid":"A","game_clock":7.5,"teams":[{"players":[{"name":"a","playerid":3,"userid":4}]}]})");
  BOOST_TEST(
      usual ==
      read(
          R"({"teams":[{"players":[{"userid":4,"name":"a","playerid":3}]}],"game_clock":7.5,"sessionid":"A",)"
          R"("disc":{"velocity":[1,2,3],"forward":[0.5,0,-0.5],"position":[1.5,-2.25,0.125]}})"));
  BOOST_TEST(
      usual ==
      read("{ \"disc\" : {\n\t\"position\": [\r\n 1.5 , -2.25 ,\t0.125 ] ,\"forward\":[0.5,0.0,-5e-1 ],"
           "\"velocity\" :[ 1.0,2.0,3.0]}, \"session\\u0069d\":\"A\" ,\"game_clock\": 7.5\n,\"teams\":[ "
           "{\"players\" : [ {\"name\" :\"\\u0061\" , \"playerid\":3 ,\"userid\":4 }\n]}]}"));
  // Keys that begin like others.
  BOOST_TEST(
      p.session(R"({"disc":{"positions":1,"position":[1,2,3],"forwar":2,"forward":[1,2,3]},"sessionidx":0})")
          .unknown_fields == 3u);
}

BOOST_AUTO_TEST_CASE(escaped_keys_and_texts) {
  parsed p;
  BOOST_TEST(p.session(R"({"session\u0069d":"\u0041\"\\\/\n\ud83d\ude00"})").complete());
  BOOST_TEST(p.out->match.sessionid.view() == "A\"\\/\n\xf0\x9f\x98\x80");
  BOOST_TEST(p.api() == "{\"sessionid\":\"A\\\"\\\\/\\u000a\xf0\x9f\x98\x80\"}");
}

BOOST_AUTO_TEST_CASE(holding_keeps_unknown_fields) {
  parsed p;
  const auto report = p.session(R"({"teams":[{"players":[{"holding_left":"12","holding_right":"007"},)"
                                R"({"holding_left":"geo","holding_right":"none"},{"holding_left":4}]}]})");
  BOOST_TEST(report.complete());
  BOOST_TEST((p.out->players[0].holding_left.what == holding::player));
  BOOST_TEST(p.out->players[0].holding_left.playerid == 12);
  BOOST_TEST((p.out->players[0].holding_right.what == holding::other));
  BOOST_TEST(p.api() == R"({"teams":[{"players":[{"holding_left":"12","holding_right":"007"},)"
                        R"({"holding_left":"geo","holding_right":"none"},{"holding_left":"4"}]}]})");
}

BOOST_AUTO_TEST_CASE(both_payload_shapes) {
  parsed p;
  const std::string nested =
      R"({"payload":{"pos":[1.0,2.0,3.0],"checkpoint":1,"distance":0.5,"speed":1.7,"defenders":2,)"
      R"("multiplier":3,"attackers":4},"timers":{"overtime_timer":0.0,"game_timer":180.0}})";
  BOOST_TEST(p.session(nested).complete());
  BOOST_TEST(test::json_difference(nested, p.api()) == "");
  const std::string flat =
      R"({"payload_multiplier":1.0,"payload_checkpoint":1,"payload_distance":0.5,"payload_defenders":2,)"
      R"("payload_speed":1.7})";
  BOOST_TEST(p.session(flat).complete());
  BOOST_TEST(test::json_difference(flat, p.api()) == "");
}

BOOST_AUTO_TEST_CASE(the_shape_of_2018) {
  parsed p;
  const std::string old =
      R"({"teams":[{"players":[{"name":"x","position":[1.0,2.0,3.0],"forward":[0.0,0.0,1.0],"left":[1.0,0.0,0.0],)"
      R"("up":[0.0,1.0,0.0],"lhand":[4.0,5.0,6.0],"rhand":[7.0,8.0,9.0]}]}]})";
  BOOST_TEST(p.session(old).complete());
  BOOST_TEST(p.out->players[0].head.position.z == 3.0f);
  BOOST_TEST(p.out->players[0].rhand.position.x == 7.0f);
  BOOST_TEST(test::json_difference(old, p.api()) == "");
}

BOOST_AUTO_TEST_CASE(bones) {
  parsed p;
  const std::string full = R"({"user_bones":[{"bone_t":)" + numbers(69) + R"(,"playerid":3,"bone_o":)" +
                           numbers(92) + R"(},{"bone_o":)" + numbers(92) + R"(,"bone_t":)" + numbers(69) +
                           R"(}],"err_code":0})";
  BOOST_TEST(p.bones(full).complete());
  BOOST_TEST((p.out->bones == bones_kind::present));
  BOOST_TEST(p.out->bone_player_count == 2);
  BOOST_TEST(p.out->bone_players[0].playerid == 3);
  BOOST_TEST(p.out->bone_players[1].playerid == -1);
  std::string again;
  append_bones_json(*p.out, json_shape::api, number_style::game, again);
  BOOST_TEST(test::json_difference(full, again) == "");

  BOOST_TEST(p.bones(R"({"err_code":0})").complete());
  BOOST_TEST((p.out->bones == bones_kind::without_list));
  BOOST_TEST(p.bones(R"({"user_bones":[],"err_code":0})").complete());
  BOOST_TEST((p.out->bones == bones_kind::present));
  BOOST_TEST(p.out->bone_player_count == 0);
  BOOST_TEST(p.bones(R"({"user_bones":null,"error_code":0,"err_description":null})").complete());
  BOOST_TEST((p.out->bones == bones_kind::without_list));

  const auto report =
      p.bones(R"({"user_bones":[{"bone_t":)" + numbers(68) + R"(,"bone_o":)" + numbers(92) + "}]}");
  BOOST_TEST(report.wrong_types == 1u);
  BOOST_TEST(report.missing_parts == 1u);
  BOOST_TEST(report.first.view() == "user_bones.bone_t");
}

BOOST_AUTO_TEST_CASE(absent_bones_in_both_shapes) {
  state none;
  std::string model, api;
  append_bones_json(none, json_shape::model, number_style::shortest, model);
  append_bones_json(none, json_shape::api, number_style::shortest, api);
  BOOST_TEST(model == "");
  BOOST_TEST(api == R"({"err_code":0})");
  none.bones = bones_kind::without_list;
  append_bones_json(none, json_shape::model, number_style::shortest, model);
  BOOST_TEST(model == R"({"user_bones":null,"error_code":0,"err_description":null})");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
