#include <boost/test/unit_test.hpp>

#include <array>

#include "tickreel/sc2replay/versioned.hpp"

BOOST_AUTO_TEST_SUITE(encoders_sc2replay_events_tests)
BOOST_AUTO_TEST_SUITE(versioned_test)

using namespace tickreel;
using namespace tickreel::sc2replay;

namespace {

template <class... Bytes>
std::array<std::byte, sizeof...(Bytes)> bytes(Bytes... values) {
  return {static_cast<std::byte>(values)...};
}

}  // namespace

BOOST_AUTO_TEST_CASE(reads_every_kind_of_value) {
  // {0: 6, 1: "SC", 2: [true], 3: some('S2'), 4: choice 1 of 8 bytes, 5: 11 bits}
  const auto raw = bytes(0x05, 0x0C, 0x00, 0x09, 0x0C, 0x02, 0x02, 0x04, 'S', 'C', 0x04, 0x00, 0x02, 0x06,
                         0x01, 0x06, 0x04, 0x01, 0x07, 0x00, 0x00, 'S', '2', 0x08, 0x03, 0x02, 0x08, 1, 2, 3,
                         4, 5, 6, 7, 8, 0x0A, 0x01, 0x16, 0xFF, 0x07);
  versioned_reader from(raw);
  int seen = 0;
  from.fields([&seen](std::int64_t number, versioned_reader& field) {
    BOOST_TEST(number == seen++);
    std::uint64_t bit_count = 0;
    switch (number) {
      case 0:
        BOOST_TEST(field.integer() == 6);
        break;
      case 1:
        BOOST_TEST(field.text() == "SC");
        break;
      case 2:
        BOOST_TEST(field.array() == 1u);
        BOOST_TEST(field.flag());
        break;
      case 3:
        BOOST_TEST(field.optional());
        BOOST_TEST(field.four_bytes() == 0x5332u);
        break;
      case 4:
        BOOST_TEST(field.choice() == 1);
        BOOST_TEST(field.eight_bytes() == 0x0102030405060708u);
        break;
      default:
        BOOST_TEST(field.bit_array(bit_count).size() == 2u);
        BOOST_TEST(bit_count == 11u);
    }
  });
  BOOST_TEST(from.ok());
  BOOST_TEST(from.at_end());
  BOOST_TEST(seen == 6);

  versioned_reader over(raw);
  over.skip();
  BOOST_TEST((over.ok() && over.at_end()));
  for (std::size_t size = 0; size < raw.size(); ++size) {
    versioned_reader cut(byte_span(raw).first(size));
    cut.skip();
    BOOST_TEST(!cut.ok());
    BOOST_TEST(cut.offset() <= size);
  }
}

BOOST_AUTO_TEST_CASE(rejects_inconsistent_values) {
  const auto count_above_the_bytes_left = bytes(0x00, 0xFE, 0xFF, 0x7F);
  versioned_reader counted(count_above_the_bytes_left);
  BOOST_TEST(counted.array() == 0u);
  BOOST_TEST(!counted.ok());

  const auto negative_size = bytes(0x02, 0x03, 0x00);
  versioned_reader negative(negative_size);
  BOOST_TEST(negative.blob().empty());
  BOOST_TEST((negative.failure().value().code == error_code::malformed));

  const auto another_tag = bytes(0x06, 0x01);
  versioned_reader other(another_tag);
  BOOST_TEST(other.integer() == 0);
  BOOST_TEST(other.offset() == 0u);

  const auto field_named_twice = bytes(0x05, 0x04, 0x02, 0x06, 0x01, 0x02, 0x06, 0x01);
  versioned_reader twice(field_named_twice);
  twice.skip();
  BOOST_TEST((twice.failure().value().code == error_code::malformed));

  std::array<std::byte, 100> nested{};
  for (std::size_t i = 0; i < nested.size(); i += 2)
    nested[i + 1] = std::byte{0x02}, nested[i] = std::byte{0x00};
  versioned_reader deep(nested);
  deep.skip();
  BOOST_TEST((deep.failure().value().code == error_code::over_limit));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
