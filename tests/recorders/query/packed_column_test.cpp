// Columns as bytes: each value comes back with its type, and no other bytes are read as a column.
#include "packed_column.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(query_tests)
BOOST_AUTO_TEST_SUITE(packed_column_test)

namespace {

using namespace tickreel;
using query::column_packer;
using query::column_unpacker;
using query::value;
using test::seeded_random;

byte_vector packed(const std::vector<value>& values) {
  column_packer to;
  for (const value& each : values) to.add(each);
  byte_vector out;
  to.append_to(out);
  BOOST_TEST(out.size() == to.bytes());
  BOOST_TEST(to.rows() == values.size());
  return out;
}

// The values until the bytes are malformed, and whether they were all.
std::pair<std::vector<value>, bool> unpacked(byte_span bytes) {
  column_unpacker from(bytes);
  std::vector<value> out;
  value each;
  while (from.next(each)) out.push_back(each);
  return {std::move(out), from.is_complete()};
}

// Also distinguishes zeros by their sign.
bool are_equal(const value& a, const value& b) {
  const auto* const real = std::get_if<double>(&a);
  return real != nullptr && std::holds_alternative<double>(b)
             ? std::bit_cast<std::uint64_t>(*real) == std::bit_cast<std::uint64_t>(std::get<double>(b))
             : a == b;
}

value some_value(std::mt19937_64& random) {
  constexpr double reals[] = {0.0,          -0.0,   0.1,  1.5,   std::numeric_limits<double>::infinity(),
                              1e300,        5e-324, 1e39, -3e38, 1e-45,
                              123456789.125};
  switch (random() % 6) {
    case 0:
      return {};
    case 1:
      return static_cast<std::int64_t>(random());
    case 2:
      return static_cast<std::int64_t>(random() % 100);
    case 3:
      return reals[random() % std::size(reals)];
    case 4:
      return std::string(random() % 100, static_cast<char>('a' + random() % 26));
    default:
      return std::string("name ") + std::to_string(random() % 500);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(values_come_back) {
  auto random = seeded_random("packed column");
  for (int round = 0; round < 50; ++round) {
    std::vector<value> values(random() % 2000);
    for (value& each : values) each = some_value(random);
    const auto [found, is_complete] = unpacked(packed(values));
    BOOST_TEST(is_complete);
    BOOST_REQUIRE(found.size() == values.size());
    for (std::size_t at = 0; at < values.size(); ++at) BOOST_REQUIRE(are_equal(found[at], values[at]));
  }
}

BOOST_AUTO_TEST_CASE(usual_columns_are_small) {
  std::vector<value> ticks, names, speeds;
  for (std::int64_t tick = 0; tick < 1000; ++tick) {
    ticks.emplace_back(tick);
    names.emplace_back(tick % 2 == 0 ? "Alice" : "Bob");
    speeds.emplace_back(static_cast<double>(static_cast<float>(tick) * 0.1f));
  }
  BOOST_TEST(packed(ticks).size() == 4u + 2000u);
  BOOST_TEST(packed(names).size() < 4u + 2000u + 20u);
  BOOST_TEST(packed(speeds).size() == 4u + 5000u);
}

BOOST_AUTO_TEST_CASE(other_bytes_are_malformed) {
  auto random = seeded_random("malformed column");
  std::vector<value> values(300);
  for (value& each : values) each = some_value(random);
  const byte_vector sound = packed(values);
  for (std::size_t size = 0; size < sound.size(); size += 7) {
    BOOST_TEST(!unpacked(byte_span(sound).first(size)).second);
  }
  byte_vector longer = sound;
  longer.push_back(std::byte{0});
  BOOST_TEST(!unpacked(longer).second);
  for (int round = 0; round < 2000; ++round) {
    byte_vector wrong = sound;
    wrong[random() % wrong.size()] ^= static_cast<std::byte>(1 + random() % 255);
    (void)unpacked(wrong);
  }
  // An unknown kind, a number of no text, and more rows than bytes.
  for (const byte_vector& each :
       {byte_vector{std::byte{1}, {}, {}, {}, std::byte{9}},
        byte_vector{std::byte{1}, {}, {}, {}, std::byte{3}, std::byte{1}}, byte_vector(8, std::byte{0xFF})}) {
    BOOST_TEST(!unpacked(each).second);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
