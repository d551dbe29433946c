// With less memory than the stream announces the output is the same, compared with the library's own decoder.
#include "bzip2.hpp"

#include <bzlib.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_mpq_tests)
BOOST_AUTO_TEST_SUITE(bzip2_test)

using namespace tickreel;
using namespace tickreel::test;

namespace {

byte_vector pack(const byte_vector& content, int level) {
  byte_vector out(content.size() + content.size() / 50 + 1000);
  auto size = static_cast<unsigned>(out.size());
  byte_vector copy = content;
  copy.push_back({});  // so that data() is not null
  const int code = BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size,
                                            reinterpret_cast<char*>(copy.data()),
                                            static_cast<unsigned>(content.size()), level, 0, 0);
  BOOST_REQUIRE(code == BZ_OK);
  out.resize(size);
  return out;
}

bool library_unpacks(byte_vector stream, byte_vector& into) {
  auto size = static_cast<unsigned>(into.size());
  const int code = BZ2_bzBuffToBuffDecompress(reinterpret_cast<char*>(into.data()), &size,
                                              reinterpret_cast<char*>(stream.data()),
                                              static_cast<unsigned>(stream.size()), 0, 0);
  return code == BZ_OK && size == into.size();
}

bool unpacks(byte_span stream, mutable_byte_span into) {
  const mpq::unpacked found = mpq::unpack_bzip2(stream, into);
  return found.outcome == mpq::unpack_outcome::whole && found.bytes == into.size();
}

void check(const byte_vector& content, int level) {
  const byte_vector stream = pack(content, level);
  byte_vector out(content.size());
  BOOST_TEST_REQUIRE(unpacks(stream, out));
  BOOST_TEST_REQUIRE((out == content));
  // Exactly this many.
  byte_vector longer(content.size() + 1);
  BOOST_TEST_REQUIRE(!unpacks(stream, longer));
  BOOST_TEST_REQUIRE(mpq::unpack_bzip2(stream, longer).bytes == content.size());
  if (content.empty()) return;
  const mpq::unpacked cramped = mpq::unpack_bzip2(stream, mutable_byte_span(out).first(out.size() - 1));
  BOOST_TEST_REQUIRE((cramped.outcome == mpq::unpack_outcome::no_room));
}

// Runs of all lengths, of few or many different bytes.
byte_vector some_content(std::mt19937_64& random, std::size_t limit) {
  byte_vector out(random() % limit);
  const std::uint64_t bytes = 1 + random() % (random() % 2 == 0 ? 4 : 256);
  const std::uint64_t longest = 1 + random() % (random() % 2 == 0 ? 6 : 600);
  for (std::size_t at = 0; at < out.size();) {
    const auto byte = static_cast<std::byte>(random() % bytes);
    for (std::uint64_t i = 1 + random() % longest; i-- > 0 && at < out.size();) out[at++] = byte;
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bzip2_round_trips) {
  auto random = seeded_random("bzip2_round_trips");
  check({}, 9);
  for (std::size_t size = 1; size < 600; ++size) check(byte_vector(size, std::byte{'a'}), 9);
  for (int round = 0; round < 150; ++round) check(some_content(random, 3000), 1 + round % 9);
  // Around the limits of a two-byte count, and several blocks.
  for (const std::size_t size : {65535u, 65536u, 65537u, 99980u, 99981u, 100000u, 250000u}) {
    byte_vector noise(size);
    for (std::byte& each : noise) each = static_cast<std::byte>(random());
    check(noise, 1);
  }
  for (int round = 0; round < 4; ++round) check(some_content(random, 400'000), 1 + round);
  // Compressed it is a quarter larger than uncompressed.
  byte_vector fours(70'000);
  for (std::size_t i = 0; i < fours.size(); ++i) fours[i] = static_cast<std::byte>(i / 4 % 200);
  check(fours, 9);
}

BOOST_AUTO_TEST_CASE(bzip2_rejects_what_the_library_rejects) {
  auto random = seeded_random("bzip2_rejects_what_the_library_rejects");
  std::size_t refused = 0;
  for (int round = 0; round < 4000; ++round) {
    const byte_vector content = some_content(random, 400);
    byte_vector stream = pack(content, 1);
    switch (random() % 4) {
      case 0:
        stream.resize(random() % (stream.size() + 1));
        break;
      case 1:
        // One byte more or less at the tail.
        stream.resize(stream.size() + random() % 3);
        break;
      default:
        for (std::uint64_t i = 1 + random() % 3; i-- > 0;) {
          stream[random() % stream.size()] ^= static_cast<std::byte>(1u << random() % 8);
        }
    }
    byte_vector ours(content.size());
    byte_vector theirs(content.size());
    const bool sound = unpacks(stream, ours);
    if (content.empty()) continue;  // the library rejects an empty buffer
    BOOST_TEST_REQUIRE(sound == library_unpacks(stream, theirs));
    if (sound) BOOST_TEST_REQUIRE((ours == theirs));
    if (!sound) ++refused;
  }
  BOOST_TEST(refused > 1000u);
}

BOOST_AUTO_TEST_CASE(bzip2_stays_within_its_memory) {
  auto random = seeded_random("bzip2_stays_within_its_memory");
  std::size_t refused = 0;
  for (int round = 0; round < 3000; ++round) {
    // Checksums of streams detect most damage late; noise after a valid start reaches further into the decoder.
    byte_vector stream = pack(some_content(random, 2000), 9);
    const std::size_t from = 14 + random() % stream.size();
    for (std::size_t i = from; i < stream.size(); ++i) stream[i] = static_cast<std::byte>(random());
    const std::size_t size = random() % 3000;
    byte_vector out(size + 64, std::byte{0xA5});
    const mpq::unpacked found = mpq::unpack_bzip2(stream, mutable_byte_span(out).first(size));
    BOOST_TEST_REQUIRE(found.bytes <= size);
    const auto after = out.begin() + static_cast<std::ptrdiff_t>(size);
    BOOST_TEST_REQUIRE(std::count(after, out.end(), std::byte{0xA5}) == 64);
    if (found.outcome != mpq::unpack_outcome::whole) ++refused;
  }
  BOOST_TEST(refused > 1000u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
