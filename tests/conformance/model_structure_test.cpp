// The model on hand-made files: the file's structure, what the known decoder puts up with, and where it
// throws.
#include <zlib.h>
#include <zstd.h>

#include <boost/test/unit_test.hpp>

#include "butter_model.hpp"
#include "hand_made.hpp"

namespace tickreel {
namespace {

namespace model = butter_model;
using model::failure;

const auto keyframe = [](std::int64_t time, hand_made::map_code map = hand_made::arena) {
  return hand_made::encode({.time = time}, map);
};
const auto delta = [](unsigned elapsed, unsigned included = 0, hand_made::map_code map = hand_made::arena) {
  return hand_made::encode({.keyframe = false, .time = elapsed, .included = included}, map);
};

std::vector<std::int64_t> times(const std::vector<model::frame>& frames) {
  std::vector<std::int64_t> result;
  for (const model::frame& frame : frames) result.push_back(frame.recorded_time_ms);
  return result;
}

void check_times(const byte_vector& file, const std::vector<std::int64_t>& wanted) {
  const auto got = times(model::decode_all(file));
  BOOST_TEST(got == wanted, boost::test_tools::per_element());
}

// One chunk, uncompressed.
byte_vector file_of(const std::vector<byte_vector>& frames, const hand_made::head& head = {}) {
  return hand_made::file(head, {hand_made::join(frames)});
}

void check_throws(const byte_vector& file, failure why) {
  const auto is_expected = [&](const model::decoder_exception& e) {
    BOOST_TEST_MESSAGE(e.what());
    return e.kind() == why;
  };
  BOOST_CHECK_EXCEPTION(model::decode_all(file), model::decoder_exception, is_expected);
}

byte_vector gzip(byte_span input) {
  byte_vector out(compressBound(static_cast<uLong>(input.size())) + 64);
  byte_vector copy(input.begin(), input.end());
  z_stream stream{};
  BOOST_REQUIRE_EQUAL(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(copy.data());
  stream.avail_in = static_cast<uInt>(copy.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  BOOST_REQUIRE_EQUAL(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

byte_vector zstd(byte_span input, bool with_size) {
  byte_vector out(ZSTD_compressBound(input.size()));
  ZSTD_CCtx* context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, with_size ? 1 : 0);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), input.data(), input.size()));
  ZSTD_freeCCtx(context);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(file_structure)

BOOST_AUTO_TEST_CASE(nothing_in_an_empty_file_or_an_unknown_version) {
  BOOST_TEST(model::decode_all({}).empty());
  for (const int version : {0, 4, 255}) {
    BOOST_TEST(
        model::decode_all(file_of({keyframe(5)}, {.version = static_cast<std::uint8_t>(version)})).empty());
  }
}

BOOST_AUTO_TEST_CASE(the_head_reaches_every_frame) {
  const auto frames = model::decode_all(file_of({keyframe(5), delta(3)}, {.private_match = true}));
  BOOST_REQUIRE_EQUAL(frames.size(), 2u);
  for (const model::frame& frame : frames) {
    BOOST_TEST(frame.client_name == "Ann");
    BOOST_TEST(frame.sessionid == "A0A1A2A3-A4A5-A6A7-A8A9-AAABACADAEAF");
    BOOST_TEST(frame.sessionip == "127.0.0.1");
    BOOST_TEST(frame.total_round_count == 3);
    BOOST_TEST(frame.blue_round_score == 1);
    BOOST_TEST(frame.orange_round_score == 2);
    BOOST_TEST(frame.private_match);
    BOOST_TEST(frame.map_name == "mpl_arena_a");
    BOOST_TEST(frame.match_type == "Echo_Arena_Private");
  }
}

BOOST_AUTO_TEST_CASE(an_unknown_map_is_its_number) {
  const auto frames = model::decode_all(file_of({keyframe(5, hand_made::lobby)}, {.map = 9}));
  BOOST_REQUIRE_EQUAL(frames.size(), 1u);
  BOOST_TEST(frames[0].map_name == "9");
  BOOST_TEST(frames[0].match_type == "Unknown");
}

BOOST_AUTO_TEST_CASE(the_interval_means_nothing) {
  for (const int interval : {0, 1, 2, 65535}) {
    check_times(file_of({keyframe(100), delta(1), delta(2), keyframe(50)},
                        {.interval = static_cast<std::uint16_t>(interval)}),
                {100, 101, 103, 50});
  }
}

BOOST_AUTO_TEST_CASE(a_chunk_may_begin_with_a_difference) {
  check_times(hand_made::file({}, {keyframe(100), hand_made::join({delta(1), keyframe(7)}), delta(2)}),
              {100, 101, 7, 9});
}

BOOST_AUTO_TEST_CASE(the_very_first_frame_may_not) {
  check_throws(file_of({delta(1)}), failure::null_reference);
}

BOOST_AUTO_TEST_CASE(empty_chunks_are_passed_over_but_for_the_last_two_places) {
  const byte_vector chunk = keyframe(100);
  const auto size = static_cast<std::uint32_t>(chunk.size());
  const std::vector<byte_vector> two = {chunk, chunk};
  check_times(hand_made::file({}, {0, size, 0, 0, size, 0, 0}, two), {100, 100});
  check_times(hand_made::file({}, {size, 0, size, size}, {chunk, chunk, chunk}), {100, 100, 100});
  check_times(hand_made::file({}, {size, 0, size}, two), {100});
  check_times(hand_made::file({}, {size, size, 0}, two), {100, 100});
  check_times(hand_made::file({}, std::vector<std::uint32_t>(100, 0), {}), {});
}

BOOST_AUTO_TEST_CASE(bytes_and_chunks_beyond_the_table_are_ignored) {
  const byte_vector chunk = keyframe(100);
  const auto size = static_cast<std::uint32_t>(chunk.size());
  check_times(hand_made::file({}, {size}, {chunk, chunk}), {100});
  check_times(hand_made::file({}, {size}, {chunk, byte_vector(77, std::byte{0xFF})}), {100});
  check_times(hand_made::file({}, {}, {chunk}), {});
}

BOOST_AUTO_TEST_CASE(a_file_cut_anywhere_in_head_or_chunk_throws) {
  const byte_vector file = file_of({keyframe(100), delta(1)});
  for (std::size_t size = 1; size < file.size(); ++size) {
    check_throws({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}, failure::end_of_data);
  }
}

BOOST_AUTO_TEST_CASE(a_chunk_cut_inside_a_frame_throws) {
  byte_vector frames = hand_made::join({keyframe(100), delta(1)});
  frames.pop_back();
  check_throws(hand_made::file({}, {frames}), failure::end_of_data);
  check_throws(hand_made::file({.compression = 1}, {gzip(frames)}), failure::end_of_data);
}

BOOST_AUTO_TEST_CASE(a_frame_needs_its_magic) {
  byte_vector frames = hand_made::join({keyframe(100), delta(1)});
  frames[keyframe(100).size()] = std::byte{0xFD};
  check_throws(hand_made::file({}, {frames}), failure::frame_magic);
}

BOOST_AUTO_TEST_CASE(gzip_of_one_and_of_several_members) {
  const byte_vector one = gzip(keyframe(100));
  check_times(hand_made::file({.compression = 1}, {one, one}), {100, 100});
  check_times(hand_made::file({.compression = 1}, {hand_made::join({one, gzip(delta(4))})}), {100, 104});
  // A frame across two members.
  const byte_vector frame = keyframe(100);
  const byte_span whole = frame;
  check_times(
      hand_made::file({.compression = 1}, {hand_made::join({gzip(whole.first(9)), gzip(whole.subspan(9))})}),
      {100});
  check_throws(hand_made::file({.compression = 1}, {keyframe(100)}), failure::corrupt_chunk);
}

BOOST_AUTO_TEST_CASE(zstd_in_version_3_is_switched_off) {
  for (int value = 2; value <= 6; ++value) {
    const hand_made::head head{.compression = static_cast<std::uint8_t>(value)};
    const byte_vector file = hand_made::file(head, {zstd(keyframe(100), true)});
    check_throws(file, failure::zstd_switched_off);
    BOOST_TEST(model::decode_all(file, {.zstd_switched_off = false}).size() == 1u);
  }
}

BOOST_AUTO_TEST_CASE(zstd_needs_a_content_size) {
  const byte_vector file = hand_made::file({.compression = 2}, {zstd(keyframe(100), false)});
  BOOST_CHECK_THROW(model::decode_all(file, {.zstd_switched_off = false}), model::decoder_exception);
}

BOOST_AUTO_TEST_CASE(compression_7_is_unknown) {
  check_throws(file_of({keyframe(5)}, {.compression = 7}), failure::unknown_compression);
}

BOOST_AUTO_TEST_CASE(names_end_before_1024_bytes) {
  const auto with_filler = [](std::size_t length) {
    return file_of({keyframe(5)}, {.players = {{"Ann", 11}, {std::string(length, 'x'), 0}}});
  };
  check_times(with_filler(0), {5});
  check_times(with_filler(900), {5});
  check_times(with_filler(1023), {5});
  check_throws(with_filler(1024), failure::long_name);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(frames)

BOOST_AUTO_TEST_CASE(a_keyframe_needs_four_parts) {
  for (const int missing : {0, 1, 3, 4}) {
    const unsigned included = hand_made::least_of_keyframe & ~(1u << missing);
    check_throws(file_of({hand_made::encode({.included = included})}), failure::null_reference);
  }
}

BOOST_AUTO_TEST_CASE(the_other_parts_are_null_or_0_without_a_frame_before) {
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

BOOST_AUTO_TEST_CASE(points_are_kept_in_arena_and_fall_to_0_in_combat) {
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

BOOST_AUTO_TEST_CASE(a_player_who_was_not_there_must_be_whole) {
  const byte_vector none = keyframe(5);
  check_throws(file_of({none, delta_with({{.state = 0, .pose_mask = 0}})}), failure::null_reference);
  check_throws(file_of({none, delta_with({{.state = 0b1011'1111}})}), failure::null_reference);
  for (const unsigned mask : {0b1111'1110u, 0b1111'1101u, 0b1111'0111u, 0b1101'1111u, 0b0111'1111u}) {
    check_throws(file_of({none, delta_with({{.pose_mask = static_cast<std::uint8_t>(mask)}})}),
                 failure::null_reference);
  }
  // Places other than the head's, stats and velocity may be missing.
  const auto frames =
      model::decode_all(file_of({none, delta_with({{.state = 0b0100'0000, .pose_mask = 0b1010'1011}})}));
  const model::player& joined = frames.at(1).teams[0].players.at(0);
  BOOST_TEST(!joined.stats);
  BOOST_TEST(joined.body.position->x == 0.0f);
}

BOOST_AUTO_TEST_CASE(a_player_back_after_one_frame_was_not_there) {
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
  // Renamed in mid-file: index 0 leads to nobody in the frame before.
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

BOOST_AUTO_TEST_CASE(of_nobody_are_an_empty_list) {
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

}  // namespace tickreel
