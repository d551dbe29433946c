#include "tickreel/bytes/bits.hpp"

#include <array>
#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "tickreel/bytes/reader.hpp"

BOOST_AUTO_TEST_SUITE(sdk_bytes_tests)
BOOST_AUTO_TEST_SUITE(bits_test)

using namespace tickreel;

namespace {

constexpr bit_order low = bit_order::low_first;
constexpr bit_order high = bit_order::high_first;

template <std::size_t Size>
std::array<std::byte, Size> bytes_of(const int (&values)[Size]) {
  std::array<std::byte, Size> bytes{};
  for (std::size_t i = 0; i < Size; ++i) bytes[i] = static_cast<std::byte>(values[i]);
  return bytes;
}

struct field {
  std::uint64_t value;
  unsigned count;
};

template <bit_order Order>
void round_trip(std::mt19937_64& random) {
  for (int round = 0; round < 2000; ++round) {
    std::array<field, 20> fields{};
    byte_vector room(20 * 10, std::byte{0xFF});
    bit_writer<Order> out(room);
    for (field& each : fields) {
      each.count = static_cast<unsigned>(random() % 65);
      each.value = random();
      out.bits(each.value, each.count);
      if (random() % 8 == 0) {
        each.count |= 0x100;  // align after it
        out.align();
      }
    }
    BOOST_REQUIRE(out.ok());
    bit_reader<Order> in(out.written());
    for (const field& each : fields) {
      const unsigned count = each.count & 0xFF;
      const std::uint64_t kept = count == 64 ? each.value : each.value & ((std::uint64_t{1} << count) - 1);
      BOOST_REQUIRE_EQUAL(in.bits(count), kept);
      if ((each.count & 0x100) != 0) in.align();
    }
    BOOST_REQUIRE(in.ok());
    BOOST_REQUIRE_EQUAL(in.bit_position(), out.bit_position());
    BOOST_REQUIRE_LT(in.remaining_bits(), 8u);
    // The bits after the last field are 0 even if the buffer's bytes were not.
    BOOST_REQUIRE_EQUAL(in.bits(static_cast<unsigned>(in.remaining_bits())), 0u);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(low_first_is_little_endian) {
  const auto input = bytes_of({0b1010'0110, 0x34, 0x12, 0xFF});
  bit_reader<low> in(input);
  BOOST_TEST(in.bits(1) == 0u);
  BOOST_TEST(in.bits(3) == 0b011u);
  // Its low 4 bits are the high half of the first byte, its high 4 bits the low half of the second.
  BOOST_TEST(in.bits(8) == 0x4Au);
  in.align();
  BOOST_TEST(in.bits(16) == 0xFF12u);

  const auto whole = bytes_of({1, 2, 3, 4, 5, 6, 7, 8});
  BOOST_TEST(bit_reader<low>(whole).bits(64) == 0x0807060504030201u);
}

BOOST_AUTO_TEST_CASE(high_first_is_big_endian_on_byte_borders) {
  const auto whole = bytes_of({1, 2, 3, 4, 5, 6, 7, 8});
  bit_reader<high> in(whole);
  BOOST_TEST(in.bits(16) == 0x0102u);
  BOOST_TEST(in.bits(32) == 0x03040506u);
  BOOST_TEST(bit_reader<high>(whole).bits(64) == 0x0102030405060708u);
}

BOOST_AUTO_TEST_CASE(high_first_takes_low_bits_of_a_byte_first) {
  // 5 bits of user 3, then a 7-bit number 0x5B = 101|1011: 3 bits go to the top of the first byte, 4 to the bottom of the next.
  const auto input = bytes_of({0b101'00011, 0b0000'1011});
  bit_reader<high> in(input);
  BOOST_TEST(in.bits(5) == 3u);
  BOOST_TEST(in.bits(7) == 0x5Bu);

  std::array<std::byte, 2> room{};
  bit_writer<high> out(room);
  out.bits(3, 5);
  out.bits(0x5B, 7);
  BOOST_TEST((room == input));
}

BOOST_AUTO_TEST_CASE(fields_of_any_width_round_trip) {
  auto random = test::seeded_random("bits round trip");
  round_trip<low>(random);
  round_trip<high>(random);
}

BOOST_AUTO_TEST_CASE(a_failed_read_stays_failed_where_it_happened) {
  const auto input = bytes_of({0xFF, 0xFF});
  bit_reader<high> in(input, 50);
  BOOST_TEST(in.bits(9) == 0x1FFu);
  BOOST_TEST(in.bits(8) == 0u);
  BOOST_TEST(!in.ok());
  BOOST_TEST(in.offset() == 51u);
  BOOST_TEST(in.bit_position() == 9u);
  BOOST_TEST(in.bits(1) == 0u);
  in.align();
  in.skip_bits(1);
  BOOST_TEST(in.aligned_bytes(0).empty());
  BOOST_TEST(in.bit_position() == 9u);
  BOOST_TEST((in.failure().value().code == error_code::truncated));

  bit_reader<low> wide(input);
  BOOST_TEST(wide.bits(65) == 0u);
  BOOST_TEST((wide.failure().value().code == error_code::invalid_argument));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_detected) {
  std::array<std::byte, 9> input{};
  for (unsigned lead = 0; lead < 8; ++lead) {
    for (unsigned width = 1; width <= 64; ++width) {
      const std::size_t needed = (lead + width + 7) / 8;
      for (std::size_t size = (lead + 7) / 8; size <= needed; ++size) {
        bit_reader<low> in(byte_span(input).first(size));
        (void)in.bits(lead);
        (void)in.bits(width);
        BOOST_REQUIRE_EQUAL(in.ok(), size == needed);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(aligned_bytes_start_on_the_next_border) {
  const auto input = bytes_of({0x01, 0xAA, 0xBB, 0xCC});
  bit_reader<high> in(input);
  BOOST_TEST(in.flag());
  const byte_span two = in.aligned_bytes(2);
  BOOST_REQUIRE(two.size() == 2u);
  BOOST_TEST(std::to_integer<int>(two[0]) == 0xAA);
  BOOST_TEST(in.offset() == 3u);
  in.align();
  BOOST_TEST(in.bits(8) == 0xCCu);
  BOOST_TEST(in.aligned_bytes(1).empty());
  BOOST_TEST(!in.ok());

  std::array<std::byte, 4> room{};
  bit_writer<high> out(room);
  out.flag(true);
  out.aligned_bytes(byte_span(input).subspan(1, 2));
  out.bits(0xCC, 8);
  BOOST_TEST(out.ok());
  BOOST_TEST((room == input));
}

BOOST_AUTO_TEST_CASE(a_write_that_does_not_fit_writes_nothing) {
  std::array<std::byte, 2> room{};
  bit_writer<low> out(mutable_byte_span(room).first(1));
  out.bits(0b101, 3);
  out.bits(0xFF, 6);
  BOOST_TEST(!out.ok());
  out.bits(1, 1);
  out.align();
  out.aligned_bytes(byte_span(room).first(1));
  BOOST_TEST(out.bit_position() == 3u);
  BOOST_TEST(out.written().size() == 1u);
  BOOST_TEST(std::to_integer<int>(room[0]) == 0b101);
  BOOST_TEST(std::to_integer<int>(room[1]) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
