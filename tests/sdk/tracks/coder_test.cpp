// Compares the range coder in the processor's instructions with the one in plain C++: the same bytes, and the same values from
// any bytes.
#include "coder_run.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>

#include "plain_coder.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(coder_test)

namespace {

using namespace tickreel::test;

// Of every size, mostly small, with runs of equal values.
std::vector<std::uint64_t> random_values(std::mt19937_64& random) {
  std::vector<std::uint64_t> values(std::uniform_int_distribution<std::size_t>(0, 3000)(random));
  std::uint64_t value = 0;
  for (std::uint64_t& each : values) {
    if (random() % 4 != 0) value = random() >> (random() % 64);
    each = value;
  }
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(both_coders_write_the_same_bytes_and_read_the_same_values) {
  auto random = seeded_random("coders");
  for (int round = 0; round < 200; ++round) {
    const std::vector<std::uint64_t> values = random_values(random);
    const std::vector<std::byte> bytes = encoded(values);
    BOOST_REQUIRE(bytes == plain_encoded(values));
    const std::vector<std::uint64_t> back = decoded(bytes, values.size());
    BOOST_REQUIRE(back == plain_decoded(bytes, values.size()));
    // A nibble or a bit keeps only that part of a value.
    for (std::size_t i = 0; i < values.size(); i += 4) BOOST_REQUIRE(back[i] == values[i]);
  }
}

BOOST_AUTO_TEST_CASE(both_coders_read_the_same_from_any_bytes) {
  auto random = seeded_random("coders of any bytes");
  for (int round = 0; round < 200; ++round) {
    std::vector<std::byte> bytes(std::uniform_int_distribution<std::size_t>(0, 500)(random));
    const int kind = round % 4;
    for (std::byte& each : bytes) {
      each = kind == 0 ? std::byte{0} : kind == 1 ? std::byte{0xFF} : static_cast<std::byte>(random());
    }
    BOOST_REQUIRE(decoded(bytes, 2000) == plain_decoded(bytes, 2000));
  }
}

BOOST_AUTO_TEST_CASE(an_encoder_fails_if_and_only_if_its_bytes_do_not_fit) {
  auto random = seeded_random("an encoder with little room");
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint64_t> values = random_values(random);
    values.resize(values.size() % 200);
    const std::size_t size = encoded(values).size();
    const std::size_t least = size - std::min<std::size_t>(size, 12);
    for (std::size_t room = least; room < size + 12; ++room) {
      std::vector<std::byte> bytes(room);
      tickreel::tracks::range_encoder coder(bytes);
      std::vector<std::uint64_t> copy = values;
      code_plan(coder, copy);
      const std::size_t used = coder.finish();
      BOOST_REQUIRE(coder.failed() == (room < size));
      if (coder.failed()) continue;
      bytes.resize(used);
      BOOST_REQUIRE(bytes == encoded(values));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
