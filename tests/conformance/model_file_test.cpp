// The model on hand-made files: the file's structure, irregularities that the reference decoder accepts, and its exceptions.
#include <zlib.h>
#include <zstd.h>

#include <boost/test/unit_test.hpp>

#include "model_checks.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(butter_model_tests)
BOOST_AUTO_TEST_SUITE(model_file_test)

namespace {

namespace model = butter_model;
using model::failure;

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

BOOST_AUTO_TEST_CASE(an_empty_file_and_an_unknown_version_have_no_frames) {
  BOOST_TEST(model::decode_all({}).empty());
  for (const int version : {0, 4, 255}) {
    BOOST_TEST(
        model::decode_all(file_of({keyframe(5)}, {.version = static_cast<std::uint8_t>(version)})).empty());
  }
}

BOOST_AUTO_TEST_CASE(the_head_applies_to_every_frame) {
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

BOOST_AUTO_TEST_CASE(an_unknown_map_is_printed_as_a_number) {
  const auto frames = model::decode_all(file_of({keyframe(5, hand_made::lobby)}, {.map = 9}));
  BOOST_REQUIRE_EQUAL(frames.size(), 1u);
  BOOST_TEST(frames[0].map_name == "9");
  BOOST_TEST(frames[0].match_type == "Unknown");
}

BOOST_AUTO_TEST_CASE(the_interval_is_ignored) {
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

BOOST_AUTO_TEST_CASE(the_first_frame_must_be_a_keyframe) {
  check_throws(file_of({delta(1)}), failure::null_reference);
}

BOOST_AUTO_TEST_CASE(empty_chunks_are_skipped_except_in_the_last_two_places) {
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

BOOST_AUTO_TEST_CASE(a_file_truncated_in_head_or_chunk_throws) {
  const byte_vector file = file_of({keyframe(100), delta(1)});
  for (std::size_t size = 1; size < file.size(); ++size) {
    check_throws({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}, failure::end_of_data);
  }
}

BOOST_AUTO_TEST_CASE(a_chunk_truncated_inside_a_frame_throws) {
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

BOOST_AUTO_TEST_CASE(zstd_in_version_3_is_disabled) {
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
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
