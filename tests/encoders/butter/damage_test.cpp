// Truncated, flipped and odd files: a correct prefix of the frames and a clear error, nothing else.
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "recordings.hpp"
#include "round_trip.hpp"
#include "small_match.hpp"
#include "state_equal.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(damage_test)

namespace {

byte_vector sample_file(const codec_options& codec = {codec_id::none}) {
  const auto states = test::match_of(12, test::opening(), [](echo::state& s, std::size_t i) {
    s.players[0].head.position.x = static_cast<float>(i);
    test::give_bones(s, 2, 0.01 * static_cast<double>(i));
  });
  return test::write_butter(states, 5, {}, codec).bytes;
}

// The head of a file of this encoder, with another chunk table and other chunks.
byte_vector with_chunks(std::span<const byte_vector> chunks) {
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  byte_writer unused(room);
  encoder.encode(test::opening(), frame_kind::keyframe, unused);
  byte_vector header(encoder.max_header_size());
  byte_writer out(header);
  encoder.write_header(out);
  std::vector<std::uint32_t> sizes;
  for (const byte_vector& chunk : chunks) sizes.push_back(static_cast<std::uint32_t>(chunk.size()));
  byte_vector file = *butter::encode_head(out.written(), 300, butter::compression::none, sizes);
  for (const byte_vector& chunk : chunks) file.insert(file.end(), chunk.begin(), chunk.end());
  return file;
}

std::vector<byte_vector> frames_of(std::size_t count) {
  butter::encoder encoder;
  byte_vector room(encoder.max_frame_size());
  std::vector<byte_vector> frames;
  const auto states = test::match_of(count, test::opening(), [](echo::state&, std::size_t) {});
  for (std::size_t i = 0; i < count; ++i) {
    byte_writer out(room);
    encoder.encode(states[i], i % 4 == 0 ? frame_kind::keyframe : frame_kind::delta, out);
    frames.emplace_back(out.written().begin(), out.written().end());
  }
  return frames;
}

byte_vector joined(std::span<const byte_vector> parts) {
  byte_vector all;
  for (const byte_vector& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

bool same(const echo::state& a, const echo::state& b) {
  test::state_comparison comparison;
  comparison.states(a, b);
  comparison.bones(a, b);
  return comparison.found().empty();
}

std::vector<byte_vector> files_to_damage() {
  std::vector<byte_vector> files = {sample_file()};
  if (is_available(codec_id::gzip)) files.push_back(sample_file({codec_id::gzip}));
  if (is_available(codec_id::zstd)) files.push_back(sample_file({codec_id::zstd}));
  if (const auto folder = test::shared_data("butter"); !folder.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.path().extension() != ".butter" || entry.file_size() > 30'000) continue;
      files.push_back(test::read_file(entry.path()));
    }
  }
  return files;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_file_truncated_anywhere_gives_the_frames_before_the_truncation) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    const byte_vector file = sample_file({codec});
    const test::read_frames whole = test::read_butter(file);
    BOOST_REQUIRE_EQUAL(whole.states.size(), 12u);
    std::size_t most = 0;
    for (std::size_t size = 0; size < file.size(); ++size) {
      // A copy of the exact size, so that a sanitizer detects a read past its end.
      const byte_vector cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      const test::read_frames got = test::read_butter(cut);
      BOOST_REQUIRE(got.ended_with.has_value());
      BOOST_TEST((got.ended_with->code == error_code::truncated));
      BOOST_REQUIRE(got.states.size() <= whole.states.size());
      BOOST_TEST(got.states.size() >= most);
      most = got.states.size();
      if (most > 0) BOOST_TEST(same(got.states.back(), whole.states[most - 1]));
    }
    BOOST_TEST(most >= (codec == codec_id::none ? 11u : 10u));
  }
}

BOOST_AUTO_TEST_CASE(golden_files_truncated_anywhere) {
  for (const byte_vector& file : files_to_damage()) {
    for (std::size_t size = 0; size < file.size(); size += 1 + file.size() / 400) {
      const byte_vector cut(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
      BOOST_TEST(test::read_butter(cut).ended_with.has_value());
      (void)test::read_butter(cut, {.repair = true});
    }
  }
}

BOOST_AUTO_TEST_CASE(flipped_bits_are_survived) {
  auto random = test::seeded_random("flipped bits");
  for (const byte_vector& file : files_to_damage()) {
    for (int i = 0; i < 150; ++i) {
      byte_vector damaged = file;
      for (std::uint64_t n = 1 + random() % 3; n > 0; --n) {
        // Often in the head, which contains the lengths.
        const std::size_t range = random() % 2 == 0 ? std::min<std::size_t>(200, file.size()) : file.size();
        damaged[random() % range] ^= static_cast<std::byte>(1u << random() % 8);
      }
      butter::reader_options options;
      options.limits.max_chunk_bytes = 1u << 20;
      options.repair = i % 2 == 0;
      const test::read_frames got = test::read_butter(damaged, options);
      for (const echo::state& state : got.states) {
        BOOST_REQUIRE(state.match.player_count <= echo::max_players);
        BOOST_REQUIRE(state.bone_player_count <= echo::max_players);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(invalid_heads) {
  BOOST_TEST((butter::reader::open({}).error().code == error_code::truncated));
  byte_vector file = sample_file();
  file[0] = std::byte{4};
  BOOST_TEST((butter::reader::open(file).error().code == error_code::unsupported_version));
  file = sample_file();
  file[3] = std::byte{7};
  BOOST_TEST((butter::reader::open(file).error().code == error_code::unsupported_codec));
  BOOST_TEST(butter::reader::open(file).error().offset == 3u);
  const butter::reader_options few{.limits = {.max_chunks = 2, .max_chunk_bytes = 1u << 20}};
  BOOST_TEST((butter::reader::open(sample_file(), few).error().code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(decompressed_chunks_have_a_limit) {
  if (!is_available(codec_id::gzip)) return;
  const byte_vector file = sample_file({codec_id::gzip});
  const test::read_frames got =
      test::read_butter(file, {.limits = {.max_chunks = 100, .max_chunk_bytes = 64}});
  BOOST_REQUIRE(got.ended_with.has_value());
  BOOST_TEST((got.ended_with->code == error_code::over_limit));
}

BOOST_AUTO_TEST_CASE(empty_chunks_and_several_keyframes_in_one) {
  const std::vector<byte_vector> frames = frames_of(10);
  const byte_vector first = joined(std::span(frames).first(6));
  const byte_vector second = joined(std::span(frames).subspan(6));
  // The second chunk begins with a delta that depends on the previous chunk's last frame.
  const byte_vector file = with_chunks(std::vector<byte_vector>{{}, first, {}, {}, second, {}});
  const test::read_frames got = test::read_butter(file);
  BOOST_TEST(!got.ended_with.has_value());
  BOOST_REQUIRE_EQUAL(got.states.size(), 10u);
  BOOST_TEST(got.positions[5].chunk == 1u);
  BOOST_TEST(got.positions[6].chunk == 4u);
  BOOST_TEST(!got.positions[6].keyframe);
  BOOST_TEST(got.positions[8].keyframe);
  BOOST_TEST(got.positions[1].frame_offset == frames[0].size());
  BOOST_TEST(got.positions[1].frame_bytes == frames[1].size());

  byte_vector longer = file;
  longer.resize(longer.size() + 7);
  BOOST_TEST(!test::read_butter(longer).ended_with.has_value());
}

BOOST_AUTO_TEST_CASE(a_delta_without_a_keyframe) {
  const std::vector<byte_vector> frames = frames_of(4);
  const byte_vector file = with_chunks(std::vector<byte_vector>{joined(std::span(frames).subspan(1))});
  const test::read_frames got = test::read_butter(file);
  BOOST_TEST(got.states.empty());
  BOOST_REQUIRE(got.ended_with.has_value());
  BOOST_TEST((got.ended_with->code == error_code::missing_keyframe));
  BOOST_TEST(test::read_butter(file, {.repair = true}).states.size() == 3u);
}

BOOST_AUTO_TEST_CASE(errors_name_the_offset) {
  std::vector<byte_vector> frames = frames_of(6);
  frames[5][0] = std::byte{0};
  const byte_vector file = with_chunks(
      std::vector<byte_vector>{joined(std::span(frames).first(4)), joined(std::span(frames).subspan(4))});
  const test::read_frames got = test::read_butter(file);
  BOOST_TEST(got.states.size() == 5u);
  BOOST_REQUIRE(got.ended_with.has_value());
  BOOST_TEST((got.ended_with->code == error_code::malformed));
  BOOST_TEST(got.ended_with->offset == file.size() - frames[4].size() - frames[5].size());
  BOOST_TEST(got.ended_with->values[0] == 1);
  BOOST_TEST(got.ended_with->values[1] == static_cast<std::int64_t>(frames[4].size() + 2));
}

BOOST_AUTO_TEST_CASE(seeking) {
  const byte_vector file = sample_file();
  const test::read_frames whole = test::read_butter(file);
  auto reader = butter::reader::open(file);
  BOOST_REQUIRE(reader.has_value());
  BOOST_REQUIRE_EQUAL(reader->chunk_count(), 3u);
  echo::state out;
  for (const std::size_t chunk : {2u, 0u, 1u}) {
    BOOST_REQUIRE(reader->seek_chunk(chunk).has_value());
    BOOST_REQUIRE(reader->next(out).value());
    BOOST_TEST(same(out, whole.states[5 * chunk]));
    BOOST_TEST(reader->position().chunk_offset == reader->chunk_offset(chunk));
  }
  BOOST_TEST((reader->seek_chunk(3).error().code == error_code::out_of_range));
  BOOST_TEST(reader->chunk_bytes(3) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
