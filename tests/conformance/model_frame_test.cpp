// The model on hand-made frames: kept values, accumulated values, and exceptions.
#include <boost/test/unit_test.hpp>

#include "model_checks.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_model_tests)
BOOST_AUTO_TEST_SUITE(model_frame_test)

namespace {

namespace model = butter_model;
using model::failure;

}  // namespace

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(a_keyframe_needs_four_parts) {
  for (const int missing : {0, 1, 3, 4}) {
    const unsigned included = hand_made::least_of_keyframe & ~(1u << missing);
    check_throws(file_of({hand_made::encode({.included = included})}), failure::null_reference);
  }
}

BOOST_AUTO_TEST_CASE(the_other_parts_are_null_or_0_without_a_previous_frame) {
  const auto frames = model::decode_all(file_of({hand_made::encode({.included = hand_made::every_part}),
                                                 keyframe(9), delta(1, hand_made::every_part), delta(1)}));
  BOOST_REQUIRE_EQUAL(frames.size(), 4u);
  for (const std::size_t with : {0u, 2u, 3u}) {
    BOOST_TEST(frames[with].disc.has_value());
    BOOST_TEST(frames[with].last_score.has_value());
    BOOST_TEST(frames[with].contested);
    BOOST_TEST(frames[with].rules_changed_by.value() == "Rita");
    BOOST_TEST(frames[with].rules_changed_at == 77);
    BOOST_TEST(frames[with].last_score->goal_type == "unknown");
    BOOST_TEST(frames[with].last_score->point_amount == 2);
    BOOST_TEST(frames[with].last_score->person_scored == "[INVALID]");
  }
  BOOST_TEST(!frames[1].disc);
  BOOST_TEST(!frames[1].last_score);
  BOOST_TEST(!frames[1].contested);
  BOOST_TEST(!frames[1].rules_changed_by);
}

BOOST_AUTO_TEST_CASE(restart_requests_last_one_frame) {
  const auto frames = model::decode_all(file_of({hand_made::encode({.pause_flags = 0b11}), delta(1)}));
  BOOST_TEST(frames[0].blue_team_restart_request);
  BOOST_TEST(frames[0].orange_team_restart_request);
  BOOST_TEST(!frames[1].blue_team_restart_request);
  BOOST_TEST(!frames[1].orange_team_restart_request);
  BOOST_TEST(frames[1].pause->paused_state == "unpaused");
}

BOOST_AUTO_TEST_CASE(points_are_kept_in_arena_and_reset_in_combat) {
  const auto points_after = [](hand_made::map_code map, std::uint16_t points) {
    const auto frames = model::decode_all(
        file_of({hand_made::encode({.blue_points = points}, map), delta(1, 0, map)}, {.map = map}));
    return frames.at(1).blue_points;
  };
  BOOST_TEST(points_after(hand_made::arena, 7) == 7.0f);
  BOOST_TEST(points_after(hand_made::combat, hand_made::half_one) == 0.0f);
}

BOOST_AUTO_TEST_CASE(differences_add_up_and_are_held) {
  const auto frames = model::decode_all(file_of(
      {hand_made::encode({.clock = 2, .included = hand_made::every_part, .disc_x = hand_made::half_one}),
       hand_made::encode(
           {.keyframe = false, .time = 1, .clock = 0.5f, .included = 1 << 5, .disc_x = hand_made::half_one}),
       delta(1)}));
  BOOST_REQUIRE_EQUAL(frames.size(), 3u);
  BOOST_TEST(frames[1].game_clock == 2.5f);
  BOOST_TEST(frames[2].game_clock == 2.5f);
  BOOST_TEST(frames[2].game_clock_display == "00:02.50");
  BOOST_TEST(frames[0].disc->position.x == 1.0f);
  BOOST_TEST(frames[1].disc->position.x == 2.0f);
  BOOST_TEST(frames[2].disc->position.x == 2.0f);
}

BOOST_AUTO_TEST_CASE(team_stats_are_absolute_and_held) {
  const auto frames = model::decode_all(
      file_of({hand_made::encode({.stats_of_teams = 0b00100, .team_stat = 9}),
               hand_made::encode(
                   {.keyframe = false, .time = 1, .included = 0, .stats_of_teams = 0b00100, .team_stat = 4}),
               delta(1), keyframe(9)}));
  BOOST_REQUIRE_EQUAL(frames.size(), 4u);
  BOOST_TEST(frames[0].teams[0].stats.saves == 9);
  BOOST_TEST(frames[1].teams[0].stats.saves == 4);
  BOOST_TEST(frames[2].teams[0].stats.saves == 4);
  BOOST_TEST(frames[3].teams[0].stats.saves == 0);
  BOOST_TEST(frames[0].teams[1].stats.saves == 0);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(players)

using hand_made::player;

byte_vector delta_with(const std::vector<player>& blue, const std::vector<player>& orange = {}) {
  return hand_made::encode({.keyframe = false, .time = 1, .included = 0, .blue = blue, .orange = orange});
}

BOOST_AUTO_TEST_CASE(a_held_player_needs_only_three_bytes) {
  const player first{.stat_difference = 10, .stuns_difference = 300, .ping_difference = 40, .left_hand = 253};
  const auto frames = model::decode_all(
      file_of({hand_made::encode({.blue = {first}}), delta_with({{.state = 0, .pose_mask = 0}})}));
  BOOST_REQUIRE_EQUAL(frames.size(), 2u);
  const model::player& held = frames[1].teams[0].players.at(0);
  BOOST_TEST(held.name == "Ann");
  BOOST_TEST(held.userid == 11);
  BOOST_TEST(held.number == 7);
  BOOST_TEST(held.level == 50);
  BOOST_TEST(held.ping == 40);
  BOOST_TEST(held.holding_left.value() == "disc");
  BOOST_TEST(held.holding_right.value() == "none");
  BOOST_TEST(held.stats->saves == 10);
  BOOST_TEST(held.stats->stuns == 300);
  BOOST_TEST(held.head.position.has_value());
  BOOST_TEST(!held.head.pos);
  BOOST_TEST(held.lhand.pos.has_value());
  BOOST_TEST(!held.lhand.position);
}

BOOST_AUTO_TEST_CASE(stats_never_wrap_and_ping_is_signed) {
  const auto frames = model::decode_all(
      file_of({hand_made::encode({.blue = {{.stat_difference = 10, .ping_difference = 40}}}),
               delta_with({{.stat_difference = 248, .ping_difference = 0xFFFF, .left_hand = 252}})}));
  BOOST_REQUIRE_EQUAL(frames.size(), 2u);
  const model::player& second = frames[1].teams[0].players.at(0);
  BOOST_TEST(second.stats->saves == 258);
  BOOST_TEST(second.ping == 39);
  BOOST_TEST(!second.holding_left);
}

BOOST_AUTO_TEST_CASE(a_player_who_was_absent_must_be_complete) {
  const byte_vector none = keyframe(5);
  check_throws(file_of({none, delta_with({{.state = 0, .pose_mask = 0}})}), failure::null_reference);
  check_throws(file_of({none, delta_with({{.state = 0b1011'1111}})}), failure::null_reference);
  for (const unsigned mask : {0b1111'1110u, 0b1111'1101u, 0b1111'0111u, 0b1101'1111u, 0b0111'1111u}) {
    check_throws(file_of({none, delta_with({{.pose_mask = static_cast<std::uint8_t>(mask)}})}),
                 failure::null_reference);
  }
  // Positions other than the head's, stats and velocity may be missing.
  const auto frames =
      model::decode_all(file_of({none, delta_with({{.state = 0b0100'0000, .pose_mask = 0b1010'1011}})}));
  const model::player& joined = frames.at(1).teams[0].players.at(0);
  BOOST_TEST(!joined.stats);
  BOOST_TEST(joined.body.position->x == 0.0f);
}

BOOST_AUTO_TEST_CASE(a_player_who_returns_after_one_frame_was_absent) {
  const byte_vector here = hand_made::encode({.blue = {{}}});
  check_throws(file_of({here, delta_with({}), delta_with({{.state = 0, .pose_mask = 0}})}),
               failure::null_reference);
}

BOOST_AUTO_TEST_CASE(a_player_is_found_by_userid_in_any_team) {
  const byte_vector here = hand_made::encode({.blue = {{.ping_difference = 40}}});
  const auto frames = model::decode_all(file_of({here, delta_with({}, {{.state = 0, .pose_mask = 0}})}));
  BOOST_TEST(frames.at(1).teams[1].players.at(0).ping == 40);
  // The same userid under a second name, as after a rename.
  const hand_made::head renamed{.players = {{"Ann", 11}, {"Zoe", 11}}};
  const auto after =
      model::decode_all(file_of({here, delta_with({{.index = 2, .state = 0, .pose_mask = 0}})}, renamed));
  BOOST_TEST(after.at(1).teams[0].players.at(0).name == "Zoe");
  BOOST_TEST(after.at(1).teams[0].players.at(0).ping == 40);
}

BOOST_AUTO_TEST_CASE(of_equal_userids_the_first_counts) {
  const hand_made::head bots{.players = {{"Bot 1", 0}, {"Bot 2", 0}}};
  const byte_vector here = hand_made::encode(
      {.blue = {{.index = 1, .ping_difference = 40}}, .orange = {{.index = 2, .ping_difference = 60}}});
  const auto frames = model::decode_all(file_of(
      {here, delta_with({{.index = 1, .ping_difference = 1}}, {{.index = 2, .ping_difference = 1}})}, bots));
  BOOST_TEST(frames.at(1).teams[0].players.at(0).ping == 41);
  BOOST_TEST(frames.at(1).teams[1].players.at(0).ping == 41);
}

BOOST_AUTO_TEST_CASE(index_0_is_invalid_and_an_index_beyond_the_table_throws) {
  const auto frames = model::decode_all(file_of({hand_made::encode({.blue = {{.index = 0}}})}));
  const model::player& invalid = frames.at(0).teams[0].players.at(0);
  BOOST_TEST(invalid.name == "[INVALID]");
  BOOST_TEST(invalid.userid == 0);
  BOOST_TEST(invalid.number == -1);
  BOOST_TEST(invalid.level == -1);
  // Renamed in the middle of the file: index 0 refers to no player of the previous frame.
  check_throws(
      file_of({hand_made::encode({.blue = {{}}}), delta_with({{.index = 0, .state = 0, .pose_mask = 0}})}),
      failure::null_reference);
  check_throws(file_of({hand_made::encode({.blue = {{.index = 3}}})}), failure::out_of_range);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(bones)

constexpr std::uint8_t one_step = 2;  // zigzag of 1
constexpr float step_m = 1.0f / 4096;

byte_vector bones_frame(bool key, int count) {
  return hand_made::encode({.keyframe = key,
                            .time = 1,
                            .included = key ? hand_made::least_of_keyframe : 0u,
                            .bone_players = count,
                            .bone_x = one_step});
}

// The first bone's x of the first player in each frame; -1 without bones.
std::vector<float> first_x(const std::vector<byte_vector>& frames) {
  std::vector<float> result;
  for (const model::frame& frame : model::decode_all(file_of(frames))) {
    result.push_back(frame.bones ? frame.bones->user_bones->at(0).bone_t.at(0) : -1);
  }
  return result;
}

BOOST_AUTO_TEST_CASE(add_up_until_a_keyframe_or_a_gap) {
  const std::vector<float> got =
      first_x({bones_frame(true, 1), bones_frame(false, 1), bones_frame(true, 1), bones_frame(false, -1),
               bones_frame(false, 1), bones_frame(false, 1)});
  const std::vector<float> wanted = {step_m, 2 * step_m, step_m, -1, step_m, 2 * step_m};
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(may_become_fewer_but_not_more) {
  const std::vector<float> got = first_x({bones_frame(true, 2), bones_frame(false, 1)});
  const std::vector<float> wanted = {step_m, 2 * step_m};
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
  check_throws(file_of({bones_frame(true, 1), bones_frame(false, 2)}), failure::out_of_range);
  BOOST_TEST(first_x({bones_frame(true, 1), bones_frame(true, 2)}).size() == 2u);
}

BOOST_AUTO_TEST_CASE(of_no_players_are_an_empty_list) {
  const auto frames = model::decode_all(file_of({bones_frame(true, 0)}));
  BOOST_TEST(frames.at(0).bones->user_bones->empty());
}

BOOST_AUTO_TEST_CASE(default_to_identity) {
  const auto frames = model::decode_all(file_of({bones_frame(true, 127)}));
  const model::user_bones& last = frames.at(0).bones->user_bones->at(126);
  BOOST_TEST(last.bone_t.size() == 69u);
  BOOST_TEST(last.bone_o.size() == 92u);
  BOOST_TEST(last.bone_o.at(90) == 0.0f);
  BOOST_TEST(last.bone_o.at(91) == 1.0f);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
