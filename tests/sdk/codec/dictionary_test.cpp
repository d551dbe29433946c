#include <zdict.h>
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "samples.hpp"
#include "tickreel/codec/codec.hpp"

BOOST_AUTO_TEST_SUITE(sdk_codec_tests)
BOOST_AUTO_TEST_SUITE(dictionary_test)

using namespace tickreel;

namespace {

// Small chunks that share most of their text, so that a dictionary helps.
byte_vector record(std::mt19937_64& random) {
  const std::string text = "{\"player\":\"number " + std::to_string(random() % 1000) +
                           "\",\"team\":\"orange\",\"position\":[" + std::to_string(random() % 100000) + "," +
                           std::to_string(random() % 100000) + "],\"holding\":\"disc\",\"possession\":false}";
  const byte_span bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

byte_vector train(std::mt19937_64& random) {
  byte_vector samples;
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 500; ++i) {
    const byte_vector each = record(random);
    samples.insert(samples.end(), each.begin(), each.end());
    sizes.push_back(each.size());
  }
  byte_vector dictionary(4096);
  const std::size_t size = ZDICT_trainFromBuffer(dictionary.data(), dictionary.size(), samples.data(),
                                                 sizes.data(), static_cast<unsigned>(sizes.size()));
  BOOST_REQUIRE(ZDICT_isError(size) == 0);
  dictionary.resize(size);
  return dictionary;
}

}  // namespace

BOOST_AUTO_TEST_CASE(dictionaries_shrink_small_chunks) {
  auto random = test::seeded_random("dictionary");
  const byte_vector dictionary = train(random);
  for (const int level : {1, 3, 19}) {
    auto with = test::make_compressor(codec_id::zstd, level, dictionary);
    decompressor opener;
    byte_vector packed, unpacked;
    std::size_t with_bytes = 0, without_bytes = 0;
    for (int round = 0; round < 50; ++round) {
      const byte_vector input = record(random);
      BOOST_REQUIRE(with.compress(input, packed).has_value());
      BOOST_REQUIRE(
          opener.decompress(codec_id::zstd, packed, input.size(), unpacked, dictionary).has_value());
      BOOST_REQUIRE(unpacked == input);
      with_bytes += packed.size();
      without_bytes += test::compressed(codec_id::zstd, input, level).size();
    }
    BOOST_TEST(with_bytes * 3 < without_bytes * 2);
  }
}

BOOST_AUTO_TEST_CASE(a_missing_or_wrong_dictionary_is_detected) {
  auto random = test::seeded_random("dictionary missing");
  const byte_vector right = train(random);
  const byte_vector wrong = train(random);
  const byte_vector input = record(random);
  byte_vector packed, out;
  BOOST_REQUIRE(test::make_compressor(codec_id::zstd, 0, right).compress(input, packed).has_value());
  decompressor opener;
  const auto code = [&](byte_span dictionary) {
    return opener.decompress(codec_id::zstd, packed, 1000, out, dictionary).error().code;
  };
  BOOST_TEST((code({}) == error_code::invalid_argument));
  BOOST_TEST((code(wrong) == error_code::invalid_argument));
  BOOST_TEST(opener.decompress(codec_id::zstd, packed, 1000, out, right).has_value());
  BOOST_TEST((out == input));
  BOOST_TEST((code({}) == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(a_new_dictionary_in_reused_memory_is_recognised) {
  auto random = test::seeded_random("dictionary memory");
  byte_vector memory = train(random);
  const byte_vector input = record(random);
  byte_vector first, second, out;
  BOOST_REQUIRE(test::make_compressor(codec_id::zstd, 0, memory).compress(input, first).has_value());
  const byte_vector other = train(random);
  BOOST_REQUIRE(test::make_compressor(codec_id::zstd, 0, other).compress(input, second).has_value());
  decompressor opener;
  BOOST_TEST(opener.decompress(codec_id::zstd, first, 1000, out, memory).has_value());
  memory.assign(other.begin(), other.end());
  BOOST_TEST(opener.decompress(codec_id::zstd, second, 1000, out, memory).has_value());
  BOOST_TEST((out == input));
}

BOOST_AUTO_TEST_CASE(any_bytes_can_be_a_raw_dictionary) {
  auto random = test::seeded_random("dictionary raw");
  const byte_vector raw = record(random);
  const byte_vector input = record(random);
  byte_vector packed, out;
  BOOST_REQUIRE(test::make_compressor(codec_id::zstd, 0, raw).compress(input, packed).has_value());
  BOOST_TEST(decompressor().decompress(codec_id::zstd, packed, 1000, out, raw).has_value());
  BOOST_TEST((out == input));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
