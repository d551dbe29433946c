#include <array>
#include <boost/test/unit_test.hpp>

#include "hex.hpp"
#include "random.hpp"
#include "tickreel/bytes/reader.hpp"
#include "tickreel/bytes/writer.hpp"

BOOST_AUTO_TEST_SUITE(sdk_bytes_tests)
BOOST_AUTO_TEST_SUITE(reader_writer_test)

using namespace tickreel;

namespace {

bool same(byte_span a, byte_span b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

BOOST_AUTO_TEST_CASE(little_endian_golden_bytes) {
  std::array<std::byte, 64> room{};
  byte_writer out(room);
  out.u8(0x01);
  out.u16(0x0302);
  out.u32(0x07060504u);
  out.u64(0x0F0E0D0C0B0A0908u);
  out.i16(-2);
  out.i32(-2);
  out.i64(-2);
  out.f32(1.5f);
  out.little(-2.0);
  const byte_vector expected =
      test::bytes_of({1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,
                      15,   0xFE, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                      0xFF, 0,    0,    0xC0, 0x3F, 0,    0,    0,    0,    0,    0,    0,    0xC0});
  BOOST_TEST(out.ok());
  BOOST_TEST(same(out.written(), expected));

  byte_reader in(expected, 1000);
  BOOST_TEST(in.u8() == 0x01);
  BOOST_TEST(in.u16() == 0x0302);
  BOOST_TEST(in.u32() == 0x07060504u);
  BOOST_TEST(in.offset() == 1007u);
  BOOST_TEST(in.u64() == 0x0F0E0D0C0B0A0908u);
  BOOST_TEST(in.i16() == -2);
  BOOST_TEST(in.i32() == -2);
  BOOST_TEST(in.i64() == -2);
  BOOST_TEST(in.f32() == 1.5f);
  BOOST_TEST(in.little<double>() == -2.0);
  BOOST_TEST(in.ok());
  BOOST_TEST(in.at_end());
}

BOOST_AUTO_TEST_CASE(big_endian_golden_bytes) {
  std::array<std::byte, 32> room{};
  byte_writer out(room);
  out.big<std::uint8_t>(1);
  out.big<std::uint16_t>(0x0203);
  out.big<std::uint32_t>(0x04050607u);
  out.big<std::uint64_t>(0x08090A0B0C0D0E0Fu);
  out.big(-2.5f);
  const byte_vector expected =
      test::bytes_of({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xC0, 0x20, 0, 0});
  BOOST_TEST(same(out.written(), expected));
  byte_reader in(expected);
  BOOST_TEST(in.big<std::uint8_t>() == 1);
  BOOST_TEST(in.big<std::uint16_t>() == 0x0203);
  BOOST_TEST(in.big<std::uint32_t>() == 0x04050607u);
  BOOST_TEST(in.big<std::uint64_t>() == 0x08090A0B0C0D0E0Fu);
  BOOST_TEST(in.big<float>() == -2.5f);
}

BOOST_AUTO_TEST_CASE(every_width_round_trips) {
  auto random = test::seeded_random("bytes round trip");
  std::array<std::byte, 60> room{};
  for (int round = 0; round < 2000; ++round) {
    const std::uint64_t v = random();
    byte_writer out(room);
    out.little(v);
    out.big(v);
    out.little(static_cast<std::uint32_t>(v));
    out.big(static_cast<std::uint32_t>(v));
    out.little(static_cast<std::int16_t>(v));
    out.big(static_cast<std::int16_t>(v));
    byte_reader in(out.written());
    BOOST_REQUIRE_EQUAL(in.little<std::uint64_t>(), v);
    BOOST_REQUIRE_EQUAL(in.big<std::uint64_t>(), v);
    BOOST_REQUIRE_EQUAL(in.little<std::uint32_t>(), static_cast<std::uint32_t>(v));
    BOOST_REQUIRE_EQUAL(in.big<std::uint32_t>(), static_cast<std::uint32_t>(v));
    BOOST_REQUIRE_EQUAL(in.little<std::int16_t>(), static_cast<std::int16_t>(v));
    BOOST_REQUIRE_EQUAL(in.big<std::int16_t>(), static_cast<std::int16_t>(v));
    BOOST_REQUIRE(in.ok() && in.at_end());
  }
}

BOOST_AUTO_TEST_CASE(a_failed_read_stays_failed_where_it_happened) {
  const byte_vector input = test::bytes_of({1, 2, 3, 4, 5});
  byte_reader in(input, 10);
  BOOST_TEST(in.u16() == 0x0201);
  BOOST_TEST(in.u32() == 0u);
  BOOST_TEST(!in.ok());
  BOOST_TEST(in.offset() == 12u);
  BOOST_TEST(in.remaining() == 0u);
  BOOST_TEST(in.rest().empty());
  BOOST_TEST(in.u8() == 0);
  BOOST_TEST(in.bytes(1).empty());
  BOOST_TEST(in.zero_terminated(5).empty());
  BOOST_TEST(in.offset() == 12u);
  in.fail_with(error_code::malformed);
  const error why = in.failure("field").value();
  BOOST_TEST((why.code == error_code::truncated));
  BOOST_TEST(why.offset == 12u);
  BOOST_TEST(describe(why) == "the input ends early at offset 12: field");
}

BOOST_AUTO_TEST_CASE(bytes_and_rest_are_views_of_the_input) {
  const byte_vector input = test::bytes_of({1, 2, 3, 4, 5});
  byte_reader in(input);
  const byte_span first = in.bytes(2);
  BOOST_TEST(first.data() == input.data());
  BOOST_TEST(first.size() == 2u);
  BOOST_TEST(in.rest().data() == input.data() + 2);
  BOOST_TEST(in.rest().size() == 3u);
  in.skip(3);
  BOOST_TEST(in.ok());
  BOOST_TEST(in.at_end());
  BOOST_TEST(in.bytes(0).empty());
  BOOST_TEST(in.ok());
  in.skip(std::numeric_limits<std::size_t>::max());
  BOOST_TEST(!in.ok());
}

BOOST_AUTO_TEST_CASE(zero_terminated_text) {
  const byte_vector input = test::bytes_of({'a', 'b', 0, 0, 'c', 'd'});
  byte_reader in(input);
  BOOST_TEST(in.zero_terminated(2) == "ab");
  BOOST_TEST(in.zero_terminated(0) == "");
  BOOST_TEST(in.ok());
  byte_reader unended = in;
  BOOST_TEST(unended.zero_terminated(10) == "");
  BOOST_TEST((unended.failure().value().code == error_code::truncated));
  byte_reader limited(input);
  BOOST_TEST(limited.zero_terminated(1) == "");
  BOOST_TEST((limited.failure().value().code == error_code::over_limit));

  std::array<std::byte, 8> room{};
  byte_writer out(room);
  out.zero_terminated("ab");
  out.zero_terminated(std::string_view("c\0d", 3));
  BOOST_TEST(same(out.written(), test::bytes_of({'a', 'b', 0, 'c', 0})));
}

BOOST_AUTO_TEST_CASE(a_write_that_does_not_fit_writes_nothing) {
  std::array<std::byte, 6> room{};
  byte_writer out(mutable_byte_span(room).first(5));
  out.u32(0x04030201u);
  out.u16(0xFFFF);
  BOOST_TEST(!out.ok());
  out.u8(0xFF);
  out.bytes(test::bytes_of({9}));
  BOOST_TEST(out.reserve(1).empty());
  BOOST_TEST(out.size() == 4u);
  BOOST_TEST(same(room, test::bytes_of({1, 2, 3, 4, 0, 0})));

  byte_writer exact(mutable_byte_span(room).first(2));
  exact.u16(7);
  BOOST_TEST(exact.ok());
  exact.bytes({});
  BOOST_TEST(exact.ok());
  BOOST_TEST(exact.remaining() == 0u);
}

BOOST_AUTO_TEST_CASE(reserved_bytes_are_filled_later) {
  std::array<std::byte, 8> room{};
  byte_writer out(room);
  const mutable_byte_span length = out.reserve(2);
  out.bytes(test::bytes_of({7, 8, 9}));
  byte_writer(length).u16(3);
  BOOST_TEST(same(out.written(), test::bytes_of({3, 0, 7, 8, 9})));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
