// Messages of captures: bytes, rules of the formats, hostile content.
#include "tickreel/tape/capture.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <memory>

#include "tickreel/tape/encoder.hpp"
#include "tickreel/tape/round_trip.hpp"

BOOST_AUTO_TEST_SUITE(encoders_tape_tests)
BOOST_AUTO_TEST_SUITE(capture_test)

namespace {

using namespace tickreel;
using tape::capture_decoder;
using tape::message_writer;

byte_span content_of(const byte_vector& record) {
  std::size_t at = 0;
  while ((std::to_integer<unsigned>(record[at]) & 0x80) != 0) ++at;
  return byte_span(record).subspan(at + 1);
}

std::unique_ptr<echo::state> match_of_two() {
  auto state = std::make_unique<echo::state>();
  state->recorded_time_ms = 1'658'001'898'159;
  echo::session& match = state->match;
  match.fields = echo::session::has_teams | echo::session::has_disc | echo::session::has_game_clock |
                 echo::session::has_pause | echo::session::has_possession;
  (void)match.sessionid.assign("5A");
  (void)match.map_name.assign("mpl_arena_a");
  (void)match.game_status.assign("playing");
  (void)match.pause.state.assign("unpaused");
  match.game_clock = 599.5f;
  match.team_count = 3;
  match.player_count = 2;
  for (std::size_t team = 0; team < 2; ++team) {
    match.teams[team].player_count = 1;
    echo::player& one = state->players[team];
    one.playerid = static_cast<std::int32_t>(team);
    one.userid = 1000 + team;
    one.number = static_cast<std::int32_t>(7 + team);
    one.fields = echo::player::has_head | echo::player::has_name | echo::player::has_stats;
    (void)one.name.assign(team == 0 ? "Aurora" : "Cinder");
    one.head.fields = echo::pose::has_all;
    one.head.position = {1, 2, 3};
    one.head.forward = {1, 0, 0};
    one.head.left = {0, 0, -1};
    one.head.up = {0, 1, 0};
    one.holding_left.what = echo::holding::none;
    one.holding_right.what = echo::holding::geo;
  }
  return state;
}

// A decoder that has read the header of that match.
capture_decoder begun(tape::tape_encoder& encoder, const echo::state& first) {
  byte_vector header;
  encoder.append_header(first, header);
  capture_decoder decoder;
  BOOST_REQUIRE(decoder.begin(content_of(header)));
  return decoder;
}

byte_vector frame_of(tape::tape_encoder& encoder, const echo::state& tick) {
  byte_vector frame;
  encoder.append_frame(tick, false, frame);
  return frame;
}

// An envelope with one frame whose content `write` writes.
template <class Write>
byte_vector frame_with(Write&& write) {
  byte_vector out;
  message_writer to(out);
  const std::size_t frame = to.begin(2);
  const std::size_t arena = to.begin(10);
  write(to);
  to.end(arena);
  to.end(frame);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(numbers_have_the_bytes_of_the_wire_format) {
  byte_vector out;
  message_writer to(out);
  to.whole(1, 300);
  to.whole(2, 0);
  to.signed_whole(3, -1);
  to.real32(4, 1.0f);
  to.text(5, "ab");
  const std::size_t inner = to.begin(6);
  to.bytes_present(1, byte_vector(200));
  to.end(inner);
  const unsigned char want[] = {0x08, 0xAC, 0x02, 0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                0xFF, 0xFF, 0xFF, 0x01, 0x25, 0,    0,    0x80, 0x3F, 0x2A,
                                2,    'a',  'b',  0x32, 0xCB, 0x01, 0x0A, 0xC8, 0x01};
  BOOST_REQUIRE(out.size() == sizeof(want) + 200);
  BOOST_TEST(std::equal(std::begin(want), std::end(want), out.begin(),
                        [](unsigned char a, std::byte b) { return std::byte{a} == b; }));
}

BOOST_AUTO_TEST_CASE(invalid_fields_are_rejected) {
  const auto is_valid = [](std::initializer_list<unsigned char> bytes) {
    byte_vector message;
    for (const unsigned char each : bytes) message.push_back(std::byte{each});
    tape::wire_field field;
    tape::field_reader fields(message);
    while (fields.next(field)) {}
    return fields.ok();
  };
  BOOST_TEST(is_valid({0x08, 0x01}));
  BOOST_TEST(!is_valid({0x00, 0x01}));        // field 0
  BOOST_TEST(!is_valid({0x0B, 0x01}));        // a group
  BOOST_TEST(!is_valid({0x0F, 0x01}));        // type 7
  BOOST_TEST(!is_valid({0x0A, 0x05, 0x01}));  // longer than the message
  BOOST_TEST(!is_valid({0x0D, 0x01}));
  BOOST_TEST(!is_valid({0x08, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02}));
}

BOOST_AUTO_TEST_CASE(the_first_record_decides_about_the_kind) {
  const auto state = match_of_two();
  byte_vector header;
  tape::tape_encoder().append_header(*state, header);
  BOOST_TEST((tape::kind_of(content_of(header)) == tape::capture_kind::tape));
  header.clear();
  tape::nevrcap_encoder().append_header(*state, header);
  BOOST_TEST((tape::kind_of(content_of(header)) == tape::capture_kind::nevrcap));
  byte_vector enveloped;
  message_writer(enveloped).bytes_present(1, content_of(header));
  BOOST_TEST((tape::kind_of(enveloped) == tape::capture_kind::enveloped_nevrcap));
  BOOST_TEST((tape::kind_of(as_bytes("{\"a\":1}")) == tape::capture_kind::none));
  BOOST_TEST((tape::kind_of({}) == tape::capture_kind::none));
}

BOOST_AUTO_TEST_CASE(a_state_comes_back) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST(back->recorded_time_ms == state->recorded_time_ms);
  BOOST_TEST(back->match.player_count == 2);
  const echo::player& one = back->players[1];
  BOOST_TEST(one.name.view() == "Cinder");
  BOOST_TEST(one.number == 8);
  BOOST_TEST((one.holding_right.what == echo::holding::geo));
  // A turn to +x: the axes of the quaternion (0, 0.7071, 0, 0.7071).
  BOOST_TEST(std::fabs(one.head.forward.x - 1) < 1e-6f);
  BOOST_TEST(std::fabs(one.head.left.z + 1) < 1e-6f);
  BOOST_TEST((one.head.position == echo::vec3{1, 2, 3}));
}

BOOST_AUTO_TEST_CASE(what_does_not_come_back_is_counted) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  tape::round_trip same;
  same.compare(*back, *back, 0);
  BOOST_TEST(same.is_exact());
  (void)state->players[0].arm.assign("Left");
  state->match.blue_points = 2.5f;
  state->match.fields ^= echo::session::has_game_clock;
  tape::round_trip losses;
  losses.compare(*state, *back, 12);
  const auto has_sentence = [&](std::string_view part) {
    const auto sentences = losses.sentences();
    return std::any_of(sentences.begin(), sentences.end(),
                       [&](const std::string& each) { return each.find(part) != std::string::npos; });
  };
  BOOST_TEST(has_sentence("players.arm"));
  BOOST_TEST(has_sentence("session.blue_points"));
  BOOST_TEST(
      has_sentence("which keys of session are present cannot be stored, in 1 case; the first is in tick 12"));
  BOOST_TEST(has_sentence("tick 12"));
}

BOOST_AUTO_TEST_CASE(a_player_who_returns_keeps_what_events_said) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  auto alone = match_of_two();
  alone->match.player_count = 1;
  alone->match.teams[1].player_count = 0;
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *alone)), *back));
  BOOST_TEST(back->match.player_count == 1);
  BOOST_TEST((decoder.events() == std::vector{tape::event_type::player_left}));
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST((decoder.events() == std::vector{tape::event_type::player_joined}));
  BOOST_TEST(back->players[1].name.view() == "Cinder");
  BOOST_TEST((back->players[1].holding_right.what == echo::holding::geo));
}

BOOST_AUTO_TEST_CASE(hostile_frames_are_rejected_and_later_ones_read) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  const auto many = frame_with([](message_writer& to) {
    for (int i = 0; i < 1000; ++i) to.bytes_present(5, {});
  });
  const auto refused = decoder.read(many, *back);
  BOOST_TEST((!refused && refused.error().code == error_code::over_limit && decoder.may_continue()));
  const auto twice = frame_with([](message_writer& to) {
    for (int i = 0; i < 2; ++i) to.bytes_present(5, {});
  });
  BOOST_TEST((!decoder.read(twice, *back) && decoder.may_continue()));
  const auto odd_bones = frame_with([](message_writer& to) {
    const std::size_t bones = to.begin(6);
    to.bytes_present(2, byte_vector(7));
    to.end(bones);
  });
  BOOST_TEST((!decoder.read(odd_bones, *back) && decoder.may_continue()));
  BOOST_TEST(decoder.read(content_of(frame_of(encoder, *state)), *back).has_value());
  const auto not_text = frame_with([](message_writer& to) {
    const std::size_t event = to.begin(12);
    const std::size_t joined = to.begin(20);
    to.bytes_present(3, as_bytes("\xFF\xFE"));
    to.end(joined);
    to.end(event);
  });
  // Later ticks would lack its events.
  BOOST_TEST((!decoder.read(not_text, *back) && !decoder.may_continue()));
  // A second header is wrong for the whole file.
  byte_vector header;
  tape::tape_encoder().append_header(*state, header);
  BOOST_TEST((!decoder.read(content_of(header), *back) && !decoder.may_continue()));
}

BOOST_AUTO_TEST_CASE(invalid_numbers_are_absent) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinite = std::numeric_limits<float>::infinity();
  state->players[0].head.position.x = nan;
  state->match.game_clock = infinite;
  state->players[1].packetlossratio = nan;
  state->match.pause.paused_timer = infinite;
  state->bones = echo::bones_kind::present;
  state->bone_player_count = 1;
  state->bone_players[0] = {};
  state->bone_players[0].rotations[3].w = nan;
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST((back->players[0].head.fields & echo::pose::has_position) == 0);
  BOOST_TEST((back->match.fields & echo::session::has_game_clock) == 0u);
  BOOST_TEST(back->players[1].packetlossratio == 0.0f);
  BOOST_TEST(back->match.pause.paused_timer == 0.0f);
  BOOST_TEST(back->bone_players[0].rotations[3].w == 0.0f);
  BOOST_TEST(decoder.oddities().invalid_values == 5u);

  byte_vector header;
  byte_vector frame;
  tape::nevrcap_encoder old_encoder;
  old_encoder.append_header(*state, header);
  old_encoder.append_frame(*state, frame);
  capture_decoder old_decoder;
  BOOST_REQUIRE(old_decoder.begin(content_of(header)));
  BOOST_REQUIRE(old_decoder.read(content_of(frame), *back));
  BOOST_TEST((back->players[0].head.fields & echo::pose::has_position) == 0);
  BOOST_TEST((back->match.fields & echo::session::has_game_clock) == 0u);
  BOOST_TEST(back->match.game_clock == 0.0f);
  BOOST_TEST(back->bone_players[0].rotations[3].w == 0.0f);
  BOOST_TEST(old_decoder.oddities().invalid_values == 5u);
}

BOOST_AUTO_TEST_CASE(an_event_of_slot_0_without_values_clears_them) {
  const auto state = match_of_two();
  state->players[0].fields |= echo::player::has_weapon;
  (void)state->players[0].weapon.assign("nova");
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST(back->players[0].weapon.view() == "nova");
  // All fields of these events are zero or empty, and therefore absent.
  state->players[0].weapon = {};
  state->players[0].holding_left = state->players[0].holding_right = {};
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST(
      (decoder.events() == std::vector{tape::event_type::loadout_changed, tape::event_type::grab_changed}));
  BOOST_TEST(back->players[0].weapon.view() == "");
  BOOST_TEST((back->players[0].holding_left.what == echo::holding::absent));
  BOOST_TEST((back->players[0].holding_right.what == echo::holding::absent));
}

BOOST_AUTO_TEST_CASE(skeletons_that_are_not_wanted_are_checked) {
  const auto state = match_of_two();
  const auto back = std::make_unique<echo::state>();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto odd_bones = frame_with([](message_writer& to) {
    const std::size_t bones = to.begin(6);
    to.bytes_present(2, byte_vector(7));
    to.end(bones);
  });
  byte_vector header;
  tape::nevrcap_encoder().append_header(*state, header);
  capture_decoder old_decoder;
  BOOST_REQUIRE(old_decoder.begin(content_of(header)));
  byte_vector odd_list;
  message_writer to(odd_list);
  to.bytes_present(4, {});
  const std::size_t bones = to.begin(5);
  const std::size_t one = to.begin(1);
  to.bytes_present(1, byte_vector(7));
  to.end(one);
  to.end(bones);
  for (const bool are_left_out : {false, true}) {
    decoder.leave_bones_out(are_left_out);
    BOOST_TEST((!decoder.read(odd_bones, *back) && decoder.may_continue()));
    old_decoder.leave_bones_out(are_left_out);
    BOOST_TEST((!old_decoder.read(odd_list, *back) && old_decoder.may_continue()));
  }
}

BOOST_AUTO_TEST_CASE(texts_are_written_as_utf_8) {
  const auto state = match_of_two();
  (void)state->players[0].name.assign("a\xFFz");
  (void)state->match.teams[0].name.assign("\xC3");
  (void)state->match.sessionip.assign("\xFE");
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  BOOST_TEST(back->players[0].name.view() == "a\xEF\xBF\xBDz");
  BOOST_TEST(back->match.teams[0].name.view() == "\xEF\xBF\xBD");
  tape::round_trip losses;
  losses.compare(*state, *back, 0);
  BOOST_TEST(!losses.is_exact());
}

BOOST_AUTO_TEST_CASE(an_encoder_is_full_before_readers_reject_its_slots) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const auto back = std::make_unique<echo::state>();
  std::int32_t slot = 0;
  while (!encoder.is_full()) {
    for (std::size_t i = 0; i < 2; ++i) state->players[i].playerid = slot++;
    BOOST_REQUIRE(decoder.read(content_of(frame_of(encoder, *state)), *back));
  }
  BOOST_TEST(slot > static_cast<std::int32_t>(tape::max_slots - 2 * echo::max_players));
}

BOOST_AUTO_TEST_CASE(players_of_one_slot_get_different_ones) {
  const auto state = match_of_two();
  state->players[1].playerid = state->players[0].playerid = 7;
  BOOST_TEST(tape::has_slot_twice(*state));
  const auto back = std::make_unique<echo::state>();
  {
    tape::tape_encoder encoder;
    capture_decoder decoder = begun(encoder, *state);
    BOOST_TEST(!decoder.read(content_of(frame_of(encoder, *state)), *back));
  }
  tape::number_slots(*state);
  BOOST_TEST(!tape::has_slot_twice(*state));
  BOOST_TEST(state->players[0].playerid == 0);
  BOOST_TEST(state->players[1].playerid == 7);
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  BOOST_TEST(decoder.read(content_of(frame_of(encoder, *state)), *back).has_value());
  BOOST_TEST(back->players[0].playerid == 0);
}

BOOST_AUTO_TEST_CASE(a_frame_cut_at_any_byte_never_crashes) {
  const auto state = match_of_two();
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *state);
  const byte_vector frame = frame_of(encoder, *state);
  const byte_span whole = content_of(frame);
  const auto back = std::make_unique<echo::state>();
  for (std::size_t size = 0; size < whole.size(); ++size) BOOST_TEST(!decoder.read(whole.first(size), *back));
  BOOST_TEST(decoder.read(whole, *back).has_value());
}

BOOST_AUTO_TEST_CASE(the_largest_axis_is_reported_as_a_number) {
  const auto from = match_of_two();
  const auto back = match_of_two();
  from->match.disc.at.forward.x = (std::numeric_limits<float>::max)();
  tape::round_trip losses;
  losses.compare(*from, *back, 7);
  const auto sentences = losses.sentences();
  BOOST_REQUIRE(sentences.size() == 1u);
  BOOST_TEST(sentences.front().find("differ by up to 3402823466385288598117041834845169") !=
             std::string::npos);
  BOOST_TEST(sentences.front().ends_with(".000000; the first is in tick 7"), sentences.front());
}

BOOST_AUTO_TEST_CASE(the_end_follows_as_many_ticks_as_a_capture_has_at_most) {
  auto first = std::make_unique<echo::state>();
  first->recorded_time_ms = 1'658'001'898'159;
  tape::tape_encoder encoder;
  capture_decoder decoder = begun(encoder, *first);
  const byte_vector frame = frame_of(encoder, *first);
  for (std::uint64_t tick = 0; tick < tape::max_ticks; ++tick) {
    if (!decoder.read(content_of(frame), *first)) BOOST_FAIL("tick " << tick);
  }
  BOOST_TEST(!decoder.read(content_of(frame), *first));
  byte_vector footer;
  encoder.append_footer(0, {}, footer);
  const auto end = decoder.read(content_of(footer), *first);
  BOOST_REQUIRE(end.has_value());
  BOOST_TEST((*end == capture_decoder::part::end));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
