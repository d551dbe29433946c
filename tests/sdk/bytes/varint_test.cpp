// One table of values for all variable-length integers; encodings of signed numbers contain them as 64 bits.
#include "tickreel/bytes/varint.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <string_view>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(sdk_bytes_tests)
BOOST_AUTO_TEST_SUITE(varint_test)

using namespace tickreel;

namespace {

struct form {
  std::string_view name;
  std::size_t max_size;
  std::uint64_t (*read)(byte_reader&);
  void (*write)(byte_writer&, std::uint64_t);
};

constexpr form leb128{"leb128", leb128_max_size, [](byte_reader& in) { return read_leb128(in); },
                      [](byte_writer& out, std::uint64_t v) { write_leb128(out, v); }};
constexpr form zigzag_leb128{
    "zigzag leb128", leb128_max_size,
    [](byte_reader& in) { return static_cast<std::uint64_t>(zigzag_decode(read_leb128(in))); },
    [](byte_writer& out, std::uint64_t v) {
      write_leb128(out, zigzag_encode(static_cast<std::int64_t>(v)));
    }};
constexpr form prefix{"prefix", prefix_varint_max_size,
                      [](byte_reader& in) { return read_prefix_varint(in); },
                      [](byte_writer& out, std::uint64_t v) { write_prefix_varint(out, v); }};
constexpr form sc2{
    "sc2", sc2_integer_max_size,
    [](byte_reader& in) { return static_cast<std::uint64_t>(read_sc2_integer(in)); },
    [](byte_writer& out, std::uint64_t v) { write_sc2_integer(out, static_cast<std::int64_t>(v)); }};

constexpr const form* forms[] = {&leb128, &zigzag_leb128, &prefix, &sc2};

enum class outcome { shortest, longer_than_need_be, malformed };

struct row {
  const form* of;
  std::uint64_t value;
  std::string_view hex;
  outcome expected = outcome::shortest;
};

constexpr std::uint64_t signed_value(std::int64_t value) {
  return static_cast<std::uint64_t>(value);
}
constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

constexpr row rows[] = {
    {&leb128, 0, "00"},
    {&leb128, 1, "01"},
    {&leb128, 127, "7f"},
    {&leb128, 128, "8001"},
    {&leb128, 624485, "e58e26"},  // the example of the DWARF standard
    {&leb128, 16383, "ff7f"},
    {&leb128, 16384, "808001"},
    {&leb128, signed_value(highest), "ffffffffffffffff7f"},
    {&leb128, std::uint64_t{1} << 63, "80808080808080808001"},
    {&leb128, all_ones, "ffffffffffffffffff01"},
    {&leb128, 0, "8000", outcome::longer_than_need_be},
    {&leb128, 5, "85808080808080808000", outcome::longer_than_need_be},
    {&leb128, 0, "80808080808080808002", outcome::malformed},
    {&leb128, 0, "ffffffffffffffffff81", outcome::malformed},
    {&leb128, 0, "ffffffffffffffffff8100", outcome::malformed},
    {&leb128, 0, "8080808080808080808000", outcome::malformed},

    {&zigzag_leb128, 0, "00"},
    {&zigzag_leb128, signed_value(-1), "01"},
    {&zigzag_leb128, 1, "02"},
    {&zigzag_leb128, signed_value(-64), "7f"},
    {&zigzag_leb128, 64, "8001"},
    {&zigzag_leb128, signed_value(highest), "feffffffffffffffff01"},
    {&zigzag_leb128, signed_value(lowest), "ffffffffffffffffff01"},

    {&prefix, 0, "00"},
    {&prefix, 240, "f0"},
    {&prefix, 241, "f101"},
    {&prefix, 495, "f1ff"},
    {&prefix, 496, "f200"},
    {&prefix, 2287, "f8ff"},
    {&prefix, 2288, "f90000"},
    {&prefix, 67823, "f9ffff"},
    {&prefix, 67824, "faf00801"},
    {&prefix, 0xFFFFFF, "faffffff"},
    {&prefix, 0x1000000, "fb00000001"},
    {&prefix, 0xFFFFFFFF, "fbffffffff"},
    {&prefix, 0x100000000, "fc0000000001"},
    {&prefix, 0xFFFFFFFFFFFFFF, "feffffffffffffff"},
    {&prefix, 0x100000000000000, "ff0000000000000001"},
    {&prefix, all_ones, "ffffffffffffffffff"},
    {&prefix, 0, "fa000000", outcome::longer_than_need_be},
    {&prefix, 7, "ff0700000000000000", outcome::longer_than_need_be},

    {&sc2, 0, "00"},
    {&sc2, 1, "02"},
    {&sc2, signed_value(-1), "03"},
    {&sc2, 6, "0c"},
    {&sc2, 63, "7e"},
    {&sc2, signed_value(-63), "7f"},
    {&sc2, 64, "8001"},
    {&sc2, signed_value(-769), "830c"},
    {&sc2, 32283, "b6f803"},
    {&sc2, 8569, "f28501"},
    {&sc2, signed_value(highest), "feffffffffffffffff01"},
    {&sc2, signed_value(-highest), "ffffffffffffffffff01"},
    {&sc2, signed_value(lowest), "81808080808080808002"},
    {&sc2, 0, "01", outcome::longer_than_need_be},  // minus zero
    {&sc2, 0, "8000", outcome::longer_than_need_be},
    {&sc2, 0, "80808080808080808002", outcome::malformed},  // 2^63
    {&sc2, 0, "83808080808080808002", outcome::malformed},  // -(2^63 + 1)
    {&sc2, 0, "80808080808080808004", outcome::malformed},
    {&sc2, 0, "80808080808080808080", outcome::malformed},
    {&sc2, 0, "8080808080808080808000", outcome::malformed},
};

byte_vector bytes_of(std::string_view hex) {
  byte_vector bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    int value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes.push_back(static_cast<std::byte>(value));
  }
  return bytes;
}

// Numbers of every length, also near the limits between lengths.
std::uint64_t any_value(std::mt19937_64& random) {
  const std::uint64_t value = random() >> (random() % 64);
  switch (random() % 4) {
    case 0:
      return ~value;
    case 1:
      return (std::uint64_t{1} << (random() % 64)) + random() % 5 - 2;
    default:
      return value;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(table) {
  for (const row& each : rows) {
    BOOST_TEST_CONTEXT(each.of->name << ' ' << each.hex) {
      const byte_vector bytes = bytes_of(each.hex);
      byte_reader in(bytes, 100);
      const std::uint64_t value = each.of->read(in);
      if (each.expected == outcome::malformed) {
        BOOST_TEST(!in.ok());
        BOOST_TEST(value == 0u);
        BOOST_TEST((in.failure().value().code == error_code::malformed));
        BOOST_TEST(in.offset() == 100u);
        continue;
      }
      BOOST_TEST(in.ok());
      BOOST_TEST(value == each.value);
      BOOST_TEST(in.at_end());

      std::array<std::byte, 16> room{};
      byte_writer out(room);
      each.of->write(out, each.value);
      BOOST_TEST(out.ok());
      const byte_span written = out.written();
      const bool same = std::equal(written.begin(), written.end(), bytes.begin(), bytes.end());
      BOOST_TEST(same == (each.expected == outcome::shortest));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_truncated_number_is_reported_at_its_start) {
  for (const row& each : rows) {
    if (each.expected == outcome::malformed) continue;
    const byte_vector bytes = bytes_of(each.hex);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      BOOST_TEST_CONTEXT(each.of->name << ' ' << each.hex << " cut to " << size) {
        byte_reader in(byte_span(bytes).first(size), 100);
        BOOST_TEST(each.of->read(in) == 0u);
        BOOST_TEST(!in.ok());
        BOOST_TEST((in.failure().value().code == error_code::truncated));
        BOOST_TEST(in.offset() == 100u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_number_that_does_not_fit_writes_nothing) {
  for (const row& each : rows) {
    if (each.expected != outcome::shortest) continue;
    for (std::size_t size = 0; size < each.hex.size() / 2; ++size) {
      std::array<std::byte, 16> room{};
      byte_writer out(mutable_byte_span(room).first(size));
      each.of->write(out, each.value);
      BOOST_TEST(!out.ok());
      BOOST_TEST(out.size() == 0u);
      BOOST_TEST(std::all_of(room.begin(), room.end(), [](std::byte b) { return b == std::byte{0}; }));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_sequence_of_numbers_round_trips) {
  auto random = test::seeded_random("varint round trip");
  for (const form* each : forms) {
    for (int round = 0; round < 2000; ++round) {
      std::array<std::uint64_t, 8> values{};
      std::array<std::byte, 8 * 10> room{};
      byte_writer out(room);
      for (std::uint64_t& value : values) {
        value = any_value(random);
        const std::size_t before = out.size();
        each->write(out, value);
        BOOST_REQUIRE_LE(out.size() - before, each->max_size);
      }
      BOOST_REQUIRE(out.ok());
      byte_reader in(out.written());
      for (const std::uint64_t value : values) BOOST_REQUIRE_EQUAL(each->read(in), value);
      BOOST_REQUIRE(in.ok() && in.at_end());
    }
  }
}

BOOST_AUTO_TEST_CASE(any_bytes_are_read_within_bounds) {
  auto random = test::seeded_random("varint any bytes");
  for (int round = 0; round < 20000; ++round) {
    byte_vector input(random() % 12);
    // Mostly bytes with a set high bit, which make long numbers.
    for (std::byte& byte : input) byte = static_cast<std::byte>(random() % 3 ? random() | 0xF0 : random());
    for (const form* each : forms) {
      byte_reader in(input);
      const std::uint64_t value = each->read(in);
      if (in.ok()) {
        BOOST_REQUIRE_GE(in.position(), 1u);
        BOOST_REQUIRE_LE(in.position(), each->max_size);
        // The encoder rewrites the number that was read: not longer, and of equal value.
        std::array<std::byte, 16> room{};
        byte_writer out(room);
        each->write(out, value);
        BOOST_REQUIRE_LE(out.size(), in.position());
        byte_reader again(out.written());
        BOOST_REQUIRE_EQUAL(each->read(again), value);
      } else {
        BOOST_REQUIRE_EQUAL(in.position(), 0u);
        BOOST_REQUIRE_EQUAL(value, 0u);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_are_computed_in_advance) {
  auto random = test::seeded_random("varint sizes");
  for (int round = 0; round < 5000; ++round) {
    const std::uint64_t value = any_value(random);
    std::array<std::byte, 16> room{};
    byte_writer out(room);
    write_leb128(out, value);
    BOOST_REQUIRE_EQUAL(out.size(), leb128_size(value));
    byte_writer other(room);
    write_prefix_varint(other, value);
    BOOST_REQUIRE_EQUAL(other.size(), prefix_varint_size(value));
  }
}

BOOST_AUTO_TEST_CASE(zigzag_orders_by_magnitude) {
  static_assert(zigzag_encode(0) == 0 && zigzag_encode(-1) == 1 && zigzag_encode(1) == 2);
  static_assert(zigzag_encode(lowest) == all_ones && zigzag_decode(all_ones) == lowest);
  static_assert(zigzag_encode(highest) == all_ones - 1 && zigzag_decode(all_ones - 1) == highest);
  for (std::int64_t value = -1000; value < 1000; ++value) {
    BOOST_REQUIRE_EQUAL(zigzag_decode(zigzag_encode(value)), value);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
