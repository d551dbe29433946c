#include "tickreel/codec/codec.hpp"

#include <boost/test/unit_test.hpp>
#include <map>

#include "random.hpp"
#include "samples.hpp"

BOOST_AUTO_TEST_SUITE(sdk_codec_tests)
BOOST_AUTO_TEST_SUITE(codec_test)

using namespace tickreel;
using test::compressed;
using test::every_codec;
using test::make_compressor;

namespace {

int max_level(codec_id codec) {
  return codec == codec_id::gzip ? 9 : codec == codec_id::lz4 ? 12 : codec == codec_id::zstd ? 22 : 0;
}

std::uint32_t little32(byte_span bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- > 0;) value = value << 8 | std::to_integer<std::uint32_t>(bytes[i]);
  return value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(names_and_numbers_are_stable) {
  const std::map<codec_id, std::string_view> expected = {
      {codec_id::none, "none"}, {codec_id::gzip, "gzip"}, {codec_id::lz4, "lz4"}, {codec_id::zstd, "zstd"}};
  std::uint8_t number = 0;
  for (const auto& [codec, text] : expected) {
    BOOST_TEST(static_cast<std::uint8_t>(codec) == number++);
    BOOST_TEST(name(codec) == text);
    BOOST_TEST((codec_from_name(text) == codec));
    BOOST_TEST(is_available(codec));
  }
  BOOST_TEST(!codec_from_name("brotli").has_value());
  BOOST_TEST(!codec_from_name("").has_value());
  BOOST_TEST(!is_available(static_cast<codec_id>(4)));
  BOOST_TEST(name(static_cast<codec_id>(200)) == "unknown");
}

BOOST_AUTO_TEST_CASE(automatic_selects_the_best_available_codec) {
  BOOST_TEST(name(codec_id::automatic) == "automatic");
  BOOST_TEST(!codec_from_name("automatic").has_value());
  const codec_id best = resolve(codec_id::automatic);
  BOOST_TEST((best == codec_id::zstd));
  for (const codec_id codec : every_codec) BOOST_TEST((resolve(codec) == codec));
  const auto usual = compressor::create({});
  BOOST_REQUIRE(usual);
  BOOST_TEST((usual->codec() == best));
  // A level valid for some codec is accepted; other levels are rejected.
  BOOST_TEST(compressor::create({.level = 22}).has_value());
  BOOST_TEST(!compressor::create({.level = 23}).has_value());
  BOOST_TEST(!compressor::create({.level = -1}).has_value());
  // `automatic` is never stored in a chunk.
  byte_vector out;
  const auto read = decompressor().decompress(codec_id::automatic, out, 1000, out);
  BOOST_TEST((read.error().code == error_code::unsupported_codec));
}

BOOST_AUTO_TEST_CASE(every_codec_round_trips_at_every_level) {
  auto random = test::seeded_random("codec round trip");
  const auto samples = test::samples(random);
  decompressor opener;
  byte_vector packed, unpacked;
  for (const codec_id codec : every_codec) {
    for (int level = 0; level <= max_level(codec); ++level) {
      auto packer = make_compressor(codec, level);
      for (const auto& sample : samples) {
        BOOST_TEST_CONTEXT(name(codec) << ' ' << level << ' ' << sample.name) {
          BOOST_REQUIRE(packer.compress(sample.bytes, packed).has_value());
          BOOST_REQUIRE_LE(packed.size(), packer.bound(sample.bytes.size()));
          // The limit is the exact size: one byte less is rejected, none more is needed.
          BOOST_REQUIRE(opener.decompress(codec, packed, sample.bytes.size(), unpacked).has_value());
          BOOST_REQUIRE(unpacked == sample.bytes);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(the_same_chunk_gives_the_same_bytes_independent_of_earlier_chunks) {
  auto random = test::seeded_random("codec determinism");
  const byte_vector one = test::frames(random, 20000);
  const byte_vector other = test::noise(random, 70000);
  // Not guaranteed for lz4: its matches depend slightly on the previous contents of its tables.
  for (const codec_id codec : {codec_id::none, codec_id::gzip, codec_id::zstd}) {
    auto packer = make_compressor(codec);
    byte_vector out;
    for (int round = 0; round < 3; ++round) {
      BOOST_REQUIRE(packer.compress(one, out).has_value());
      BOOST_TEST((out == compressed(codec, one)));
      BOOST_REQUIRE(packer.compress(other, out).has_value());
    }
  }
}

BOOST_AUTO_TEST_CASE(output_memory_is_reused) {
  auto random = test::seeded_random("codec memory");
  const byte_vector input = test::frames(random, 50000);
  for (const codec_id codec : every_codec) {
    auto packer = make_compressor(codec);
    decompressor opener;
    byte_vector packed, unpacked;
    BOOST_REQUIRE(packer.compress(input, packed).has_value());
    BOOST_REQUIRE(opener.decompress(codec, packed, input.size(), unpacked).has_value());
    const std::byte* const packed_at = packed.data();
    const std::byte* const unpacked_at = unpacked.data();
    for (int round = 0; round < 3; ++round) {
      BOOST_REQUIRE(packer.compress(byte_span(input).first(40000), packed).has_value());
      BOOST_REQUIRE(opener.decompress(codec, packed, input.size(), unpacked).has_value());
      BOOST_TEST(unpacked.size() == 40000u);
    }
    BOOST_TEST(packed.data() == packed_at);
    BOOST_TEST(unpacked.data() == unpacked_at);
  }
}

BOOST_AUTO_TEST_CASE(higher_levels_are_smaller) {
  auto random = test::seeded_random("codec levels");
  const byte_vector input = test::frames(random, 200000);
  for (const codec_id codec : {codec_id::gzip, codec_id::lz4, codec_id::zstd}) {
    BOOST_TEST(compressed(codec, input, max_level(codec)).size() < compressed(codec, input, 1).size());
    BOOST_TEST(compressed(codec, input, 1).size() < input.size());
  }
}

BOOST_AUTO_TEST_CASE(default_levels) {
  auto random = test::seeded_random("codec default levels");
  const byte_vector input = test::frames(random, 20000);
  BOOST_TEST((compressed(codec_id::gzip, input) == compressed(codec_id::gzip, input, 6)));
  BOOST_TEST((compressed(codec_id::lz4, input) == compressed(codec_id::lz4, input, 1)));
  BOOST_TEST((compressed(codec_id::zstd, input) == compressed(codec_id::zstd, input, 3)));
}

BOOST_AUTO_TEST_CASE(invalid_options_are_rejected) {
  const auto code = [](const codec_options& options) { return compressor::create(options).error().code; };
  BOOST_TEST((code({codec_id::gzip, 10}) == error_code::invalid_argument));
  BOOST_TEST((code({codec_id::lz4, 13}) == error_code::invalid_argument));
  BOOST_TEST((code({codec_id::zstd, 23}) == error_code::invalid_argument));
  BOOST_TEST((code({codec_id::zstd, -1}) == error_code::invalid_argument));
  const byte_vector dictionary(100);
  BOOST_TEST((code({codec_id::gzip, 0, dictionary}) == error_code::invalid_argument));
  BOOST_TEST((code({static_cast<codec_id>(9)}) == error_code::unsupported_codec));

  byte_vector out(5);
  const auto unknown = decompressor().decompress(static_cast<codec_id>(9), dictionary, 1000, out);
  BOOST_TEST((unknown.error().code == error_code::unsupported_codec));
  BOOST_TEST(out.empty());
}

BOOST_AUTO_TEST_CASE(compressors_can_be_moved) {
  auto first = make_compressor(codec_id::zstd);
  compressor second = std::move(first);
  first = make_compressor(codec_id::gzip);
  byte_vector out;
  BOOST_TEST(second.compress(byte_vector(10), out).has_value());
  BOOST_TEST((second.codec() == codec_id::zstd));
  BOOST_TEST(first.compress(byte_vector(10), out).has_value());
  BOOST_TEST((first.codec() == codec_id::gzip));
}

BOOST_AUTO_TEST_CASE(gzip_is_one_member_without_name_and_time) {
  const byte_vector packed = compressed(codec_id::gzip, byte_vector(1000));
  BOOST_TEST(little32(packed) == 0x00088B1Fu);  // magic 1F 8B, deflate, no flags
  BOOST_TEST(little32(byte_span(packed).subspan(4)) == 0u);
  BOOST_TEST(std::to_integer<int>(packed[9]) == 3);  // "Unix" on every system
  BOOST_TEST(little32(byte_span(packed).last(4)) == 1000u);
}

BOOST_AUTO_TEST_CASE(zstd_is_one_frame_with_its_content_size) {
  const byte_vector packed = compressed(codec_id::zstd, byte_vector(1000));
  BOOST_TEST(little32(packed) == 0xFD2FB528u);
  // Frame header descriptor (RFC 8878, 3.1.1.1.1): 2-byte content size, single segment, checksum, no
  // dictionary.
  BOOST_TEST(std::to_integer<int>(packed[4]) == 0b01100100);
  BOOST_TEST(std::to_integer<int>(packed[5]) + 256 * std::to_integer<int>(packed[6]) == 1000 - 256);
}

BOOST_AUTO_TEST_CASE(xxh3_known_values) {
  BOOST_TEST(xxh3_64({}) == 0x2D06800538D394C2u);
  // The hash depends on every bit, in each length class of the algorithm.
  auto random = test::seeded_random("xxh3");
  for (const std::size_t size : {1u, 3u, 4u, 8u, 9u, 16u, 17u, 128u, 129u, 240u, 241u, 3000u}) {
    byte_vector input = test::noise(random, size);
    const std::uint64_t before = xxh3_64(input);
    BOOST_TEST(xxh3_64(input) == before);
    input[random() % size] ^= static_cast<std::byte>(1u << (random() % 8));
    BOOST_TEST(xxh3_64(input) != before);
  }
}

BOOST_AUTO_TEST_CASE(the_available_part_of_truncated_input_is_returned) {
  auto random = test::seeded_random("prefix");
  const byte_vector whole = test::frames(random, 1'000'000);
  decompressor opener;
  byte_vector packed, unpacked;
  for (const codec_id codec : every_codec) {
    auto packer = make_compressor(codec, 0);
    BOOST_REQUIRE(packer.compress(whole, packed).has_value());
    std::size_t most = 0;
    for (const std::size_t percent : {0u, 1u, 30u, 60u, 90u, 100u}) {
      BOOST_TEST_CONTEXT(name(codec) << ' ' << percent << " %") {
        const std::size_t kept = packed.size() * percent / 100;
        const prefix_end end =
            opener.decompress_prefix(codec, byte_span(packed).first(kept), whole.size() + 1000, unpacked);
        // Uncompressed bytes have no end marker.
        const bool says_cut = percent < 100 && (codec != codec_id::none || kept == 0);
        if (codec != codec_id::none) BOOST_TEST((end == (says_cut ? prefix_end::cut : prefix_end::whole)));
        BOOST_TEST(std::equal(unpacked.begin(), unpacked.end(), whole.begin()));
        BOOST_TEST(unpacked.size() >= most);
        most = unpacked.size();
        // Blocks are at most 4 MB (the maximum of lz4) and usually much smaller.
        if (codec != codec_id::lz4) BOOST_TEST(unpacked.size() + 300'000 >= whole.size() * percent / 100);
        (void)opener.decompress_prefix(codec, byte_span(packed).first(kept), 1000, unpacked);
        BOOST_TEST(unpacked.size() == std::min<std::size_t>(1000, most));
      }
    }
    BOOST_TEST(most == whole.size());
    // The context can be used again after the error.
    BOOST_TEST(opener.decompress(codec, packed, whole.size(), unpacked).has_value());
  }
}

// Whichever bit is flipped: the opener returns the original bytes, or reports that the data are corrupt.
BOOST_AUTO_TEST_CASE(a_flipped_bit_is_never_reported_as_truncation) {
  auto random = test::seeded_random("prefix of a damaged input");
  const byte_vector whole = test::frames(random, 3000);
  decompressor opener;
  byte_vector packed, unpacked;
  for (const codec_id codec : every_codec) {
    if (codec == codec_id::none) continue;
    auto packer = make_compressor(codec, 0);
    BOOST_REQUIRE(packer.compress(whole, packed).has_value());
    std::size_t noticed = 0;
    for (std::size_t bit = 0; bit < packed.size() * 8; ++bit) {
      byte_vector changed = packed;
      changed[bit / 8] ^= static_cast<std::byte>(1u << bit % 8);
      const prefix_end end = opener.decompress_prefix(codec, changed, 1u << 20, unpacked);
      const bool same = unpacked == whole;
      if (!same) ++noticed;
      // A length field that increased makes the input look truncated.
      BOOST_TEST_CONTEXT(name(codec) << " bit " << bit) {
        BOOST_REQUIRE((same || end != prefix_end::whole));
      }
    }
    BOOST_TEST(noticed > packed.size() * 7);
  }
}

BOOST_AUTO_TEST_CASE(the_end_of_the_first_frame_is_found) {
  auto random = test::seeded_random("first of several");
  decompressor opener;
  byte_vector unpacked;
  for (const codec_id codec : {codec_id::gzip, codec_id::zstd}) {
    auto packer = make_compressor(codec, 0);
    const byte_vector one = test::frames(random, 70'000);
    byte_vector first, second;
    BOOST_REQUIRE(packer.compress(one, first).has_value());
    BOOST_REQUIRE(packer.compress(test::frames(random, 5000), second).has_value());
    byte_vector both = first;
    both.insert(both.end(), second.begin(), second.end());
    const auto bytes = opener.decompress_first(codec, both, 1u << 20, unpacked);
    BOOST_REQUIRE(bytes.has_value());
    BOOST_TEST(*bytes == first.size());
    BOOST_TEST((unpacked == one));
    BOOST_TEST(!opener.decompress_first(codec, byte_span(first).first(first.size() - 1), 1u << 20, unpacked));
    BOOST_TEST(unpacked.empty());
    BOOST_TEST(!opener.decompress_first(codec, both, 1000, unpacked));
  }
  BOOST_TEST((opener.decompress_first(codec_id::none, as_bytes("a"), 10, unpacked).error().code ==
              error_code::unsupported_codec));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
