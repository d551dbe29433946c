// Raw LZ4 blocks, and the CRC of the formats that contain them.
#include "tickreel/codec/lz4_block.hpp"

#include <boost/test/unit_test.hpp>
#include <initializer_list>

#include "tickreel/codec/crc32.hpp"

BOOST_AUTO_TEST_SUITE(sdk_codec_tests)
BOOST_AUTO_TEST_SUITE(lz4_block_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(a_hand_made_block) {
  // Four literals, a match of 12 at distance 4, five literals.
  byte_vector block;
  for (const int byte :
       std::initializer_list<int>{0x48, 'a', 'b', 'c', 'd', 4, 0, 0x50, 'w', 'x', 'y', 'z', '!'}) {
    block.push_back(static_cast<std::byte>(byte));
  }
  byte_vector out;
  BOOST_TEST(lz4_block_decompress(block, 21, out).has_value());
  BOOST_TEST(as_text(out) == "abcdabcdabcdabcdwxyz!");
  for (const std::size_t wrong : {0u, 20u, 22u, 1000u}) {
    BOOST_TEST((lz4_block_decompress(block, wrong, out).error().code == error_code::corrupt_compression));
    BOOST_TEST(out.empty());
  }
  block.push_back(std::byte{0});
  BOOST_TEST(!lz4_block_decompress(block, 21, out));
  BOOST_TEST(!lz4_block_decompress({}, 0, out));
}

BOOST_AUTO_TEST_CASE(blocks_round_trip) {
  for (const std::size_t size : {0u, 1u, 13u, 100'000u}) {
    byte_vector input(size);
    for (std::size_t i = 0; i < size; ++i) input[i] = static_cast<std::byte>(i * i >> 7);
    byte_vector packed;
    byte_vector out;
    BOOST_TEST(lz4_block_compress(input, packed).has_value());
    BOOST_TEST(lz4_block_decompress(packed, size, out).has_value());
    BOOST_TEST((out == input));
    BOOST_TEST(!lz4_block_decompress(packed, size + 1, out));
  }
}

BOOST_AUTO_TEST_CASE(crc_matches_the_published_check_value) {
  // The check value of CRC-32/ISO-HDLC.
  BOOST_TEST(crc32(as_bytes("123456789")) == 0xCBF43926u);
  BOOST_TEST(crc32({}) == 0u);
  BOOST_TEST(crc32(as_bytes("6789"), crc32(as_bytes("12345"))) == 0xCBF43926u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
