// The bytes of one block: every later version reads them, and every machine writes the same.
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <string>

#include "declarations.hpp"
#include "random_rows.hpp"
#include "tickreel/tracks/block_reader.hpp"
#include "tickreel/tracks/block_writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(golden_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

namespace {

shape golden_shape() {
  shape of;
  const auto add = [&](value_kind kind, std::uint32_t size, tracks::declaration said = {}) {
    of.columns.push_back({kind, of.row_bytes, size, said});
    of.row_bytes += size;
  };
  for (int i = 0; i < 9; ++i) add(value_kind::floating, 4);  // 0 to 8: three axes
  add(value_kind::floating, 4, integral_of(10, 50));
  add(value_kind::floating, 4, decimals(3));
  add(value_kind::floating, 4, relative_to(9));
  add(value_kind::floating, 8);
  add(value_kind::signed_integer, 2);
  add(value_kind::unsigned_integer, 8);
  add(value_kind::boolean, 1);
  add(value_kind::text, 8);
  add(value_kind::interned, 4, same_as(18));
  add(value_kind::interned, 4);
  declare_rotation(of, {0, 1, 2}, {3, 4, 5}, {6, 7, 8});
  return of;
}

// The float closest to n / 1000: a division of two exact floats.
void put_thousandths(std::byte* to, std::int64_t n) {
  detail::store<std::endian::little>(to, static_cast<float>(n) / 1000.0f);
}

byte_vector golden_row(const shape& of, std::int64_t i) {
  byte_vector row(of.row_bytes);
  const auto at = [&](std::size_t c) { return row.data() + of.columns[c].offset; };
  // Around the circle by t / 100: (1 - t^2, 2t) / (1 + t^2), rounded down.
  const std::int64_t t = 20 + i * 3 + i * i % 5, below = 10'000 + t * t;
  const std::int64_t x = 1000 * (10'000 - t * t) / below, z = 1000 * 200 * t / below;
  const std::int64_t axes[9] = {x, 0, z, 0, 1000, 0, z, 0, -x};
  for (std::size_t c = 0; c < 9; ++c) put_thousandths(at(c), axes[c]);
  const std::int64_t speed = 700 + i * i * 37 % 101;
  std::int64_t place = 5000 * 50;
  for (std::int64_t k = 1; k <= i; ++k) place += 700 + k * k * 37 % 101;
  put_thousandths(at(9), place / 50);
  put_thousandths(at(10), speed);
  put_thousandths(at(11), place / 50 + 210 + i % 3);
  detail::store<std::endian::little>(at(12), i == 9 ? -0.0 : 1.0 / static_cast<double>(i + 3));
  detail::store<std::endian::little>(at(13), static_cast<std::int16_t>(i * i * i * 11 - 900 * i));
  detail::store<std::endian::little>(at(14), std::uint64_t{1} << (i * 3 % 64));
  *at(15) = static_cast<std::byte>(i / 4 % 2);
  const char* texts[] = {"playing", "paused", "", "play"};
  std::memcpy(at(16), texts[i / 5], std::strlen(texts[i / 5]));
  detail::store<std::endian::little>(at(17), static_cast<std::uint32_t>(70'000 + i / 9));
  detail::store<std::endian::little>(at(18), static_cast<std::uint32_t>(70'000 + i / 9));
  return row;
}

std::string hexadecimal(byte_span bytes) {
  std::string out;
  for (const std::byte byte : bytes)
    for (const unsigned half : {std::to_integer<unsigned>(byte) >> 4, std::to_integer<unsigned>(byte) & 15})
      out += "0123456789abcdef"[half];
  return out;
}

constexpr const char* golden =
    "01140821f14f190bde6725ccc632dae41d75c40c90b63f3a83eb2a27d7bb001d0222412bc126eb365de919f9ff56277327ce"
    "d39f18bd2fe627bb08df397c0f50364e6dcf981672b2f208657865255162f744084ca50ff80baa3900de27634d14c6ed03aa"
    "d2e26ab3e453512e4504660646904e8ab51dd700002b7ffffff1000056ffffff880002b7ffffe200015bffffc40002b7fffc"
    "400056fffe20002b7ff88000adff10002b7f10002b788002b62000aa40027f000ce055c15706201def8042c7be8084210420"
    "841082104204204204204204204202101086f2ed21bb4a4029382381381362b1cb1da460e4fe8fe80bf9e5c0ab15c06af678"
    "b87878785a88888888886bc09c09c09bea8268168167f915fd9d89d89d88e47fdba2e8ba2e842a14f2094f1ce09b05b05b03"
    "d931c71c71c6224492492491d070c30c30c2d051111111110234ccccccccc915555555555467faaaaaaaaaaaaaaa4388002a"
    "802a82d241286a3d7815e87f272f5aed5b7774851890a37f731d531e68712411700e";

}  // namespace

BOOST_AUTO_TEST_CASE(a_block_is_written_as_in_every_version) {
  const shape of = golden_shape();
  block_writer writer(of, {.max_rows = 20, .group_columns = 8});
  for (std::int64_t i = 0; i < 20; ++i) BOOST_REQUIRE(writer.add(golden_row(of, i)));
  byte_vector room(writer.max_size());
  byte_writer out(room);
  writer.write(out);
  BOOST_TEST(hexadecimal(out.written()) == golden);
}

BOOST_AUTO_TEST_CASE(a_block_of_the_first_version_is_read) {
  byte_vector block;
  for (const char* at = golden; *at != 0; at += 2)
    block.push_back(static_cast<std::byte>(std::stoi(std::string(at, 2), nullptr, 16)));
  const shape of = golden_shape();
  block_reader reader(of);
  BOOST_REQUIRE(reader.open(block).has_value());
  BOOST_REQUIRE(reader.rows() == 20u);
  byte_vector row(of.row_bytes);
  for (std::size_t i = 0; i < 20; ++i) {
    BOOST_REQUIRE(reader.row(i, row).has_value());
    BOOST_TEST((row == golden_row(of, static_cast<std::int64_t>(i))), "row " << i);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
