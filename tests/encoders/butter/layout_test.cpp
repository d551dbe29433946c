// The head of a file, and the names of codecs.
#include <boost/test/unit_test.hpp>

#include "round_trip.hpp"
#include "small_match.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(layout_test)

using butter::compression;

BOOST_AUTO_TEST_CASE(codecs_map_to_bytes_and_back) {
  for (const compression value : {compression::none, compression::gzip, compression::zstd_3,
                                  compression::zstd_7, compression::zstd_15, compression::zstd_22}) {
    BOOST_TEST((butter::compression_for(butter::codec_of(value)).value() == value));
  }
  BOOST_TEST((butter::codec_of(compression::zstd_7_dict).codec == codec_id::zstd));
  const auto zstd = [](int level) { return butter::compression_for({codec_id::zstd, level}).value(); };
  BOOST_TEST((zstd(0) == compression::zstd_3));
  BOOST_TEST((zstd(5) == compression::zstd_3));
  BOOST_TEST((zstd(6) == compression::zstd_7));
  BOOST_TEST((zstd(12) == compression::zstd_15));
  BOOST_TEST((zstd(19) == compression::zstd_22));
  BOOST_TEST((butter::compression_for({codec_id::lz4}).error().code == error_code::unsupported_codec));
  const std::byte dictionary[8] = {};
  BOOST_TEST(!butter::compression_for({codec_id::zstd, 3, dictionary}).has_value());
}

BOOST_AUTO_TEST_CASE(a_head_byte_by_byte) {
  echo::state state = test::opening();
  state.match.client_name.assign("Me");
  state.match.player_count = 1;
  state.match.teams[0].player_count = 1;
  state.match.teams[1].player_count = 0;
  state.match.total_round_count = 3;
  state.match.blue_round_score = 2;
  state.match.orange_round_score = 1;
  state.players[0].name.assign("Bo");
  state.players[0].userid = 0x0102030405060708;
  state.players[0].number = -1;
  state.players[0].level = 44;
  butter::encoder encoder;
  BOOST_TEST(encoder.header_revision() == 0u);
  byte_vector room(encoder.max_frame_size());
  byte_writer frame(room);
  encoder.encode(state, frame_kind::keyframe, frame);
  BOOST_TEST(encoder.header_revision() > 0u);
  byte_vector header(encoder.max_header_size());
  byte_writer out(header);
  encoder.write_header(out);
  const std::uint32_t sizes[] = {7, 0x01020304};
  const auto head = butter::encode_head(out.written(), 258, compression::zstd_7, sizes);
  BOOST_REQUIRE(head.has_value());
  const std::uint8_t wanted[] = {
      3,    2,    1,    3,    'M',  'e',  0,  // to the client's name
      0x56, 0xBE, 0xFA, 0x39, 0x57, 0x1C, 0x1D, 0x29, 0x4A, 0x8D, 0xDE, 0x0F, 0x3C, 0x35,
      0x61, 0x2E, 216,  104,  43,   94,                                                  // address
      1,    'B',  'o',  0,    8,    7,    6,    5,    4,    3,    2,    1,    255,  44,  // players
      3,    0x12, 5,                                                                     // rounds, map
      2,    0,    0,    0,    7,    0,    0,    0,    4,    3,    2,    1};              // chunks
  BOOST_TEST(std::ranges::equal(*head, std::as_bytes(std::span(wanted))));
}

BOOST_AUTO_TEST_CASE(an_invalid_header_is_rejected) {
  const std::uint32_t sizes[] = {1};
  BOOST_TEST((butter::encode_head({}, 300, compression::none, sizes).error().code == error_code::malformed));
  butter::encoder encoder;
  byte_vector room(encoder.max_header_size());
  byte_writer out(room);
  encoder.write_header(out);
  BOOST_TEST(butter::encode_head(out.written(), 300, compression::none, sizes).has_value());
  out.u8(0);
  BOOST_TEST(!butter::encode_head(out.written(), 300, compression::none, sizes).has_value());
}

BOOST_AUTO_TEST_CASE(a_full_player_table_requires_another_file) {
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  echo::state state = test::opening();
  std::uint64_t next_userid = 5000;
  for (int i = 0; i < 62; ++i) {
    for (std::size_t p = 0; p < 4; ++p) state.players[p].userid = next_userid++;
    BOOST_TEST(!encoder.needs_new_file(state));
    byte_writer out(room);
    encoder.encode(state, frame_kind::keyframe, out);
  }
  for (std::size_t p = 0; p < 4; ++p) state.players[p].userid = next_userid++;
  BOOST_TEST(!encoder.needs_new_file(state));
  byte_writer out(room);
  encoder.encode(state, frame_kind::delta, out);
  for (std::size_t p = 0; p < 4; ++p) state.players[p].userid = next_userid++;
  BOOST_TEST(encoder.needs_new_file(state));
  // They are encoded; players beyond the table are stored as those of index 0.
  byte_writer more(room);
  encoder.encode(state, frame_kind::delta, more);
  BOOST_TEST(more.ok());
}

BOOST_AUTO_TEST_CASE(omissions_are_counted) {
  echo::state state = test::opening();
  const auto clean = test::write_butter(std::vector{state, state}, 300);
  BOOST_TEST(clean.left_out.frames == 2u);
  BOOST_TEST(clean.left_out.unsupported_fields == 0u);
  BOOST_TEST(clean.left_out.clamped_values == 0u);
  state.match.fields |= echo::session::has_possession | echo::session::has_err_code;
  state.match.teams[0].fields |= echo::team::has_name;
  const auto odd = test::write_butter(std::vector{state, state, state}, 300);
  BOOST_TEST(odd.left_out.unsupported_fields == 3u);
}

// Whatever width a value has in the file, one that does not fit is counted.
BOOST_AUTO_TEST_CASE(values_out_of_range_are_counted) {
  struct {
    const char* what;
    void (*spoil)(echo::state&);
  } const table[] = {
      {"packet loss", [](echo::state& s) { s.players[0].packetlossratio = 70000; }},
      {"ping", [](echo::state& s) { s.players[0].ping = 40000; }},
      {"possession", [](echo::state& s) { s.players[0].stats.possession_time = 70000; }},
      {"a counter", [](echo::state& s) { s.players[0].stats.saves = 300; }},
      {"a team's counter", [](echo::state& s) { s.match.teams[0].stats.saves = 300; }},
      {"a team's possession", [](echo::state& s) { s.match.teams[0].stats.possession_time = 70000; }},
      {"a team's stuns", [](echo::state& s) { s.match.teams[0].stats.stuns = 70000; }},
      {"level", [](echo::state& s) { s.players[0].level = 300; }},
      {"number", [](echo::state& s) { s.players[0].number = -1; }},
      {"round score", [](echo::state& s) { s.match.blue_round_score = 16; }},
      {"rounds", [](echo::state& s) { s.match.total_round_count = 256; }},
      {"disc speed", [](echo::state& s) { s.match.last_score.disc_speed = 70000; }},
      {"distance", [](echo::state& s) { s.match.last_score.distance_thrown = 70000; }},
      {"throw", [](echo::state& s) { s.match.last_throw.arm_speed = -70000; }},
      {"pause", [](echo::state& s) { s.match.pause.paused_timer = 70000; }},
  };
  const echo::state state = test::opening();
  BOOST_REQUIRE(((state.match.fields & echo::session::has_pause) != 0));
  for (const auto& each : table) {
    BOOST_TEST_CONTEXT(each.what) {
      echo::state spoilt = state;
      spoilt.players[0].fields |= echo::player::has_stats;
      spoilt.match.fields |= echo::session::has_last_throw | echo::session::has_last_score;
      spoilt.match.teams[0].fields |= echo::team::has_stats;
      BOOST_TEST(test::write_butter(std::vector{spoilt}, 300).left_out.clamped_values == 0u);
      each.spoil(spoilt);
      BOOST_TEST(test::write_butter(std::vector{spoilt}, 300).left_out.clamped_values != 0u);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
