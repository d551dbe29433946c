// Compressed data that are inconsistent, truncated or corrupt, or that other programs wrote.
#include <boost/test/unit_test.hpp>
#include <initializer_list>

#include "hex.hpp"
#include "random.hpp"
#include "samples.hpp"
#include "tickreel/codec/codec.hpp"

BOOST_AUTO_TEST_SUITE(sdk_codec_tests)
BOOST_AUTO_TEST_SUITE(hostile_input_test)

using namespace tickreel;
using test::compressed;
using test::every_codec;

namespace {

constexpr codec_id real_codecs[] = {codec_id::gzip, codec_id::lz4, codec_id::zstd};
constexpr std::size_t megabyte = 1u << 20;

error_code failure(decompressor& opener, codec_id codec, byte_span input, std::size_t limit,
                   byte_vector& out) {
  const auto done = opener.decompress(codec, input, limit, out);
  BOOST_REQUIRE(!done);
  BOOST_TEST(out.empty());
  return done.error().code;
}

byte_vector joined(std::initializer_list<byte_span> parts) {
  byte_vector all;
  for (const byte_span part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decompression_bombs_stop_at_the_limit) {
  const byte_vector zeros(64 * megabyte);
  for (const codec_id codec : every_codec) {
    const byte_vector bomb = compressed(codec, zeros);
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1000}, megabyte, zeros.size() - 1}) {
      decompressor opener;
      byte_vector out;
      BOOST_TEST((failure(opener, codec, bomb, limit, out) == error_code::over_limit));
      BOOST_TEST(out.capacity() <= limit);
    }
    decompressor opener;
    byte_vector out;
    BOOST_TEST(opener.decompress(codec, bomb, zeros.size(), out).has_value());
    BOOST_TEST(out.capacity() == zeros.size());
    BOOST_TEST((out == zeros));
  }
}

BOOST_AUTO_TEST_CASE(a_claimed_size_allocates_no_memory_in_advance) {
  // zstd, single segment, 8-byte content size of 1 GiB, then a raw last block of one byte.
  const byte_vector zstd_claim =
      test::bytes_of({0x28, 0xB5, 0x2F, 0xFD, 0xE0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0x09, 0, 0, 0x55});
  decompressor opener;
  byte_vector out;
  BOOST_TEST(
      (failure(opener, codec_id::zstd, zstd_claim, 4096 * megabyte, out) == error_code::corrupt_compression));
  BOOST_TEST(out.capacity() <= megabyte);

  // gzip: a trailer with a size of 4 GiB minus one.
  byte_vector gzip_claim = compressed(codec_id::gzip, test::bytes_of({1, 2, 3}));
  for (std::size_t i = 1; i <= 4; ++i) gzip_claim[gzip_claim.size() - i] = std::byte{0xFF};
  byte_vector fresh;
  BOOST_TEST((failure(opener, codec_id::gzip, gzip_claim, 4096 * megabyte, fresh) ==
              error_code::corrupt_compression));
  BOOST_TEST(fresh.capacity() <= megabyte);
}

BOOST_AUTO_TEST_CASE(every_truncation_is_detected) {
  auto random = test::seeded_random("codec cuts");
  const byte_vector input = test::frames(random, 700);
  for (const codec_id codec : real_codecs) {
    const byte_vector packed = compressed(codec, input);
    decompressor opener;
    byte_vector out;
    for (std::size_t size = 0; size < packed.size(); ++size) {
      BOOST_TEST_CONTEXT(name(codec) << " cut to " << size) {
        BOOST_TEST((failure(opener, codec, byte_span(packed).first(size), 2 * input.size(), out) ==
                    error_code::truncated));
      }
    }
    // After a failure the opener can open the next chunk.
    BOOST_TEST(opener.decompress(codec, packed, input.size(), out).has_value());
    BOOST_TEST((out == input));
  }
}

BOOST_AUTO_TEST_CASE(damage_is_detected_or_harmless) {
  auto random = test::seeded_random("codec bit flips");
  for (const codec_id codec : real_codecs) {
    decompressor opener;
    byte_vector out;
    for (int round = 0; round < 30; ++round) {
      const byte_vector input = test::frames(random, 200 + random() % 2000);
      byte_vector packed = compressed(codec, input);
      for (int flip = 0; flip < 100; ++flip) {
        const std::size_t place = random() % packed.size();
        const auto bit = static_cast<std::byte>(1u << (random() % 8));
        packed[place] ^= bit;
        const auto done = opener.decompress(codec, packed, megabyte, out);
        BOOST_TEST_CONTEXT(name(codec) << " byte " << place) {
          BOOST_TEST((!done || out == input));
          BOOST_TEST(out.capacity() <= megabyte);
        }
        packed[place] ^= bit;
      }
      BOOST_REQUIRE(opener.decompress(codec, packed, megabyte, out).has_value());
      BOOST_REQUIRE(out == input);
    }
  }
}

BOOST_AUTO_TEST_CASE(noise_is_rejected) {
  auto random = test::seeded_random("codec noise");
  for (const codec_id codec : real_codecs) {
    decompressor opener;
    byte_vector out;
    for (int round = 0; round < 200; ++round) {
      (void)failure(opener, codec, test::noise(random, random() % 100), megabyte, out);
    }
  }
}

BOOST_AUTO_TEST_CASE(trailing_bytes_are_rejected) {
  auto random = test::seeded_random("codec trailing bytes");
  const byte_vector input = test::frames(random, 700);
  for (const codec_id codec : real_codecs) {
    byte_vector packed = compressed(codec, input);
    decompressor opener;
    byte_vector out;
    for (int extra = 0; extra < 20; ++extra) {
      packed.push_back(std::byte{0});
      (void)failure(opener, codec, packed, megabyte, out);
    }
  }
}

BOOST_AUTO_TEST_CASE(concatenated_members_and_frames) {
  auto random = test::seeded_random("codec members");
  for (const codec_id codec : {codec_id::gzip, codec_id::zstd}) {
    const byte_vector a = test::frames(random, 5000);
    const byte_vector b = test::noise(random, 300);
    const byte_vector packed = joined({compressed(codec, a), compressed(codec, {}), compressed(codec, b, 9)});
    const byte_vector expected = joined({a, b});
    decompressor opener;
    byte_vector out;
    BOOST_REQUIRE(opener.decompress(codec, packed, expected.size(), out).has_value());
    BOOST_TEST((out == expected));
    BOOST_TEST((failure(opener, codec, packed, expected.size() - 1, out) == error_code::over_limit));
  }
}

BOOST_AUTO_TEST_CASE(output_of_the_gzip_program) {
  // printf 'hello hello hello
  // ' | gzip -9, with a name, a time and their flag, then a second member without either: the output of `cat a.gz b.gz`.
  const byte_vector named =
      test::bytes_of({0x1F, 0x8B, 0x08, 0x08, 0x00, 0x5E, 0x0B, 0x60, 0x02, 0x03, 'a', 0});
  const byte_vector plain = test::bytes_of({0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03});
  const byte_vector body = test::bytes_of({0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x5C, 0x00});
  const byte_vector trailer = test::bytes_of({0x3B, 0x7C, 0x8A, 0xDF, 0x12, 0x00, 0x00, 0x00});
  decompressor opener;
  byte_vector out;
  const auto done =
      opener.decompress(codec_id::gzip, joined({named, body, trailer, plain, body, trailer}), 1000, out);
  BOOST_REQUIRE(done.has_value());
  BOOST_TEST(as_text(out) == "hello hello hello\nhello hello hello\n");
}

BOOST_AUTO_TEST_CASE(zstd_without_content_size_and_with_a_large_window) {
  // Window descriptor 0x88: 2^27 bytes, as `zstd --ultra -22` writes to a pipe. One RLE block of 100000 'x':
  // header = last | type 1 | size << 3.
  const byte_vector packed = test::bytes_of({0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x88, 0x03, 0x35, 0x0C, 'x'});
  decompressor opener;
  byte_vector out;
  BOOST_REQUIRE(opener.decompress(codec_id::zstd, packed, 100000, out).has_value());
  BOOST_TEST((out == byte_vector(100000, std::byte{'x'})));
  BOOST_TEST((failure(opener, codec_id::zstd, packed, 99999, out) == error_code::over_limit));
  BOOST_TEST(out.capacity() <= 100000u);
}

BOOST_AUTO_TEST_CASE(lz4_without_content_size) {
  // Version 1, independent blocks, no sizes and checksums; 64 KB blocks; header checksum; one stored block.
  const byte_vector packed =
      test::bytes_of({0x04, 0x22, 0x4D, 0x18, 0x60, 0x40, 0x82, 3, 0, 0, 0x80, 'a', 'b', 'c', 0, 0, 0, 0});
  decompressor opener;
  byte_vector out;
  const auto done = opener.decompress(codec_id::lz4, packed, 3, out);
  BOOST_REQUIRE_MESSAGE(done.has_value(), describe(done ? error{} : done.error()));
  BOOST_TEST(as_text(out) == "abc");
  BOOST_TEST((failure(opener, codec_id::lz4, packed, 2, out) == error_code::over_limit));
  // After a frame with a size that was rejected.
  const byte_vector sized = compressed(codec_id::lz4, byte_vector(5000));
  BOOST_TEST((failure(opener, codec_id::lz4, sized, 100, out) == error_code::over_limit));
  BOOST_TEST(opener.decompress(codec_id::lz4, packed, 3, out).has_value());
}

BOOST_AUTO_TEST_CASE(empty_lz4_frames_are_rejected) {
  const byte_vector skippable = test::bytes_of({0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3});
  decompressor opener;
  byte_vector out;
  BOOST_TEST((failure(opener, codec_id::lz4, skippable, 100, out) == error_code::corrupt_compression));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
