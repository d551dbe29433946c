// Recovery returns only frames that the damaged file contained, and its result can be read.
#include "tickreel/butter/recover.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "recordings.hpp"
#include "round_trip.hpp"
#include "small_match.hpp"
#include "state_equal.hpp"

namespace tickreel {

BOOST_AUTO_TEST_SUITE(encoders_butter_tests)
BOOST_AUTO_TEST_SUITE(recover_test)

namespace {

bool same(const echo::state& a, const echo::state& b) {
  test::state_comparison comparison;
  comparison.states(a, b);
  comparison.bones(a, b);
  return a.recorded_time_ms == b.recorded_time_ms && comparison.found().empty();
}

byte_vector sample_file(const codec_options& codec, std::size_t ticks = 12, std::size_t bone_players = 1,
                        std::uint16_t interval = 4) {
  const auto states = test::match_of(ticks, test::opening(), [&](echo::state& s, std::size_t i) {
    s.players[0].head.position.x = static_cast<float>(i % 100);
    if (bone_players != 0) test::give_bones(s, bone_players, 0.01 * static_cast<double>(i));
  });
  return test::write_butter(states, interval, {}, codec).bytes;
}

struct recovered_butter {
  byte_vector bytes;
  std::size_t frames = 0;
  std::size_t chunks_hurt = 0;
  bool table_was_wrong = false;
};

// As a file again; nothing if the head is invalid.
std::optional<recovered_butter> recovered(byte_span file) {
  auto from = butter::recovery_reader::open(file);
  if (!from) return std::nullopt;
  recovered_butter made;
  made.table_was_wrong = from->table_was_wrong();
  auto compress = compressor::create(butter::codec_of(from->head().codec));
  std::vector<std::uint32_t> sizes;
  byte_vector body, packed;
  butter::recovered_chunk chunk;
  std::optional<std::size_t> number;
  while (from->next(chunk)) {
    BOOST_REQUIRE((!number || chunk.number > *number));
    number = chunk.number;
    made.frames += chunk.frame_count;
    byte_span stored = chunk.stored;
    if (chunk.fate != butter::chunk_fate::whole) {
      ++made.chunks_hurt;
      if (chunk.frame_count == 0) continue;
      BOOST_REQUIRE(compress->compress(chunk.frames, packed).has_value());
      stored = packed;
    }
    sizes.push_back(static_cast<std::uint32_t>(stored.size()));
    body.insert(body.end(), stored.begin(), stored.end());
  }
  auto head = butter::encode_head(from->header(), 300, from->head().codec, sizes);
  BOOST_REQUIRE(head.has_value());
  made.bytes = std::move(*head);
  made.bytes.insert(made.bytes.end(), body.begin(), body.end());
  return made;
}

// Every frame is returned, in order.
test::read_frames read_again(const recovered_butter& made) {
  test::read_frames got = test::read_butter(made.bytes);
  BOOST_REQUIRE_MESSAGE(!got.ended_with, (got.ended_with ? describe(*got.ended_with) : ""));
  BOOST_REQUIRE_EQUAL(got.states.size(), made.frames);
  return got;
}

bool is_part_of(const std::vector<echo::state>& part, const std::vector<echo::state>& whole) {
  std::size_t at = 0;
  for (const echo::state& each : part) {
    while (at < whole.size() && !same(whole[at], each)) ++at;
    if (at++ >= whole.size()) return false;
  }
  return true;
}

// One file with one flipped bit.
class bit_flips {
 public:
  explicit bit_flips(byte_vector file) : file_(std::move(file)), whole_(test::read_butter(file_)) {
    BOOST_REQUIRE(!whole_.ended_with.has_value());
    auto reader = butter::reader::open(file_);
    codec_ = butter::codec_of(reader->head().codec).codec;
    body_ = static_cast<std::size_t>(reader->chunk_offset(0));
    table_ = body_ - 4 * reader->chunk_count();
    // The zstd frames of the reference writer have no checksums.
    guarded_ = codec_ == codec_id::gzip ||
               (codec_ == codec_id::zstd && (file_[body_ + 4] & std::byte{4}) != std::byte{0});
    for (std::size_t i = 0; i < reader->chunk_count(); ++i) {
      longest_chunk_ = std::max<std::size_t>(
          longest_chunk_, static_cast<std::size_t>(std::ranges::count_if(
                              whole_.positions, [i](const auto& each) { return each.chunk == i; })));
    }
  }

  [[nodiscard]] std::size_t bits() const { return file_.size() * 8; }

  void check(std::size_t bit) const {
    byte_vector changed = file_;
    changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
    BOOST_TEST_CONTEXT(name(codec_) << ", bit " << bit % 8 << " of byte " << bit / 8
                                    << "; the table begins at " << table_ << ", the chunks at " << body_) {
      const auto made = recovered(changed);
      // No checksum covers the head.
      if (!made) {
        BOOST_REQUIRE(bit / 8 < table_);
        return;
      }
      const test::read_frames got = read_again(*made);
      if (bit / 8 < table_ || !guarded_) return;
      BOOST_REQUIRE(is_part_of(got.states, whole_.states));
      const std::size_t lost = whole_.states.size() - got.states.size();
      if (bit / 8 < body_) {
        BOOST_REQUIRE_EQUAL(lost, 0u);
        BOOST_REQUIRE(made->table_was_wrong);
      } else {
        BOOST_REQUIRE(lost <= longest_chunk_);
        BOOST_REQUIRE_EQUAL(lost != 0, made->chunks_hurt != 0);
      }
    }
  }

 private:
  byte_vector file_;
  test::read_frames whole_;
  codec_id codec_ = codec_id::none;
  bool guarded_ = false;   // by a checksum
  std::size_t table_ = 0;  // its sizes
  std::size_t body_ = 0;
  std::size_t longest_chunk_ = 0;
};

}  // namespace

BOOST_AUTO_TEST_CASE(of_an_intact_file_everything_is_kept_unchanged) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    const byte_vector file = sample_file({codec});
    const auto made = recovered(file);
    BOOST_REQUIRE(made.has_value());
    BOOST_TEST(made->chunks_hurt == 0u);
    BOOST_TEST(made->frames == 12u);
    // Except the interval, which the test sets.
    BOOST_TEST(std::equal(made->bytes.begin() + 3, made->bytes.end(), file.begin() + 3, file.end()));
  }
}

BOOST_AUTO_TEST_CASE(every_bit_of_a_small_file) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    const bit_flips file(sample_file({codec}, 4, 0, 2));
    BOOST_TEST_MESSAGE(name(codec) << ": " << file.bits() << " bits");
    for (std::size_t bit = 0; bit < file.bits(); ++bit) file.check(bit);
  }
}

BOOST_AUTO_TEST_CASE(random_bits_of_larger_files) {
  auto random = test::seeded_random("flips in larger files");
  for (const codec_id codec : {codec_id::gzip, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    const bit_flips file(sample_file({codec}, 30, 1, 5));
    for (int i = 0; i < 1000; ++i) file.check(random() % file.bits());
  }
}

// Versions that no writer uses any more.
BOOST_AUTO_TEST_CASE(bits_of_real_files) {
  if (test::shared_data("butter").empty()) return;
  auto random = test::seeded_random("flips in real files");
  std::size_t files = 0;
  for (const auto& entry : test::shared_files("butter", ".butter")) {
    if (std::filesystem::file_size(entry) > 30'000) continue;
    byte_vector bytes = test::read_file(entry);
    if (test::read_butter(bytes).ended_with) continue;
    ++files;
    const bit_flips file(std::move(bytes));
    for (int i = 0; i < 100; ++i) file.check(random() % file.bits());
  }
  BOOST_TEST(files > 5u);
}

BOOST_AUTO_TEST_CASE(a_truncated_file_gives_the_frames_before_the_truncation) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    if (!is_available(codec)) continue;
    const byte_vector file = sample_file({codec});
    const test::read_frames whole = test::read_butter(file);
    std::size_t most = 0;
    for (std::size_t size = 0; size < file.size(); ++size) {
      const auto made = recovered(byte_span(file).first(size));
      if (!made) continue;
      BOOST_REQUIRE(made->frames >= most);
      most = made->frames;
      if (most == 0) continue;
      BOOST_REQUIRE(is_part_of(read_again(*made).states, whole.states));
      BOOST_REQUIRE(made->chunks_hurt != 0);
    }
    BOOST_TEST(most >= 10u);
  }
}

// A frame with a wrong length misplaces the following bytes; it is lost, with the frames that it hides.
BOOST_AUTO_TEST_CASE(without_checksums_the_frame_before_the_contradiction_is_dropped) {
  const byte_vector file = sample_file({codec_id::none}, 8, 0, 8);
  auto reader = butter::reader::open(file);
  const test::read_frames whole = test::read_butter(file);
  BOOST_REQUIRE_EQUAL(whole.positions.size(), 8u);
  byte_vector changed = file;
  // The mask of blocks after magic, time and clock: a block of frame 5 disappears or appears.
  changed[static_cast<std::size_t>(reader->chunk_offset(0) + whole.positions[5].frame_offset) + 8] ^=
      std::byte{0x08};
  const auto made = recovered(changed);
  BOOST_REQUIRE(made.has_value());
  BOOST_TEST(made->chunks_hurt == 1u);
  BOOST_TEST(made->frames <= 5u);
  BOOST_TEST(is_part_of(read_again(*made).states, whole.states));
}

// The known writer writes bones of a player who joined as a difference from nothing: no byte is wrong.
BOOST_AUTO_TEST_CASE(a_frame_without_a_baseline_does_not_cost_the_frame_before_it) {
  const byte_vector file = sample_file({codec_id::none}, 8, 1, 8);
  const byte_vector joined = sample_file({codec_id::none}, 8, 2, 8);
  const test::read_frames whole = test::read_butter(file);
  const auto begin_of = [](const byte_vector& bytes, std::size_t frame) {
    return butter::reader::open(bytes)->chunk_offset(0) +
           test::read_butter(bytes).positions[frame].frame_offset;
  };
  const auto begin = static_cast<std::ptrdiff_t>(butter::reader::open(file)->chunk_offset(0));
  byte_vector changed(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(begin_of(file, 5)));
  changed.insert(changed.end(), joined.begin() + static_cast<std::ptrdiff_t>(begin_of(joined, 5)),
                 joined.end());
  const auto chunk_bytes = static_cast<std::uint32_t>(changed.size()) - static_cast<std::uint32_t>(begin);
  for (int byte = 0; byte < 4; ++byte) {
    changed[static_cast<std::size_t>(begin - 4 + byte)] = static_cast<std::byte>(chunk_bytes >> 8 * byte);
  }
  const test::read_frames readable = test::read_butter(changed);
  BOOST_REQUIRE(readable.ended_with);
  BOOST_TEST((readable.ended_with->code == error_code::missing_keyframe));
  BOOST_TEST(readable.states.size() == 5u);
  const auto made = recovered(changed);
  BOOST_REQUIRE(made.has_value());
  BOOST_TEST(made->chunks_hurt == 1u);
  BOOST_TEST(made->frames == 5u);
  BOOST_TEST(is_part_of(read_again(*made).states, whole.states));
}

// Two files in one: the frames of the second depend on its own head and are not part of this file.
BOOST_AUTO_TEST_CASE(an_appended_file_is_not_read_as_further_chunks) {
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    for (const codec_id second_codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
      BOOST_TEST_CONTEXT(name(second_codec) << " after " << name(codec)) {
        const byte_vector first = sample_file({codec});
        const byte_vector second = sample_file({second_codec}, 20, 0, 5);
        byte_vector both = first;
        both.insert(both.end(), second.begin(), second.end());
        const auto from = butter::recovery_reader::open(both);
        BOOST_REQUIRE(from);
        BOOST_TEST((from->another_begins_at() == first.size()));
        const auto made = recovered(both);
        BOOST_REQUIRE(made.has_value());
        BOOST_TEST(!made->table_was_wrong);
        BOOST_TEST(made->chunks_hurt == 0u);
        BOOST_TEST((made->bytes == recovered(first)->bytes));
        BOOST_TEST(!butter::recovery_reader::open(first)->another_begins_at());
      }
    }
  }
}

// The first file was truncated before the second was appended.
BOOST_AUTO_TEST_CASE(a_file_appended_to_a_truncated_one) {
  for (const codec_id codec : {codec_id::gzip, codec_id::zstd}) {
    const byte_vector first = sample_file({codec});
    const byte_vector second = sample_file({codec}, 20, 0, 5);
    const auto reader = butter::reader::open(first);
    BOOST_REQUIRE(reader);
    for (auto bytes = static_cast<std::size_t>(reader->chunk_offset(1)) + 1; bytes < first.size();
         bytes += 7) {
      BOOST_TEST_CONTEXT(name(codec) << ", cut to " << bytes) {
        byte_vector both(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(bytes));
        both.insert(both.end(), second.begin(), second.end());
        const auto from = butter::recovery_reader::open(both);
        BOOST_REQUIRE(from);
        BOOST_TEST((from->another_begins_at() == bytes));
        const auto made = recovered(both);
        BOOST_REQUIRE(made.has_value());
        BOOST_TEST(is_part_of(read_again(*made).states, test::read_butter(first).states));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

}  // namespace tickreel
