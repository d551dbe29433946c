#include "tickreel/text/hex.hpp"

#include <boost/test/unit_test.hpp>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(hex_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(any_bytes_round_trip) {
  auto random = test::seeded_random("hex");
  for (int i = 0; i < 1000; ++i) {
    byte_vector bytes(random() % 50);
    for (std::byte& each : bytes) each = static_cast<std::byte>(static_cast<unsigned char>(random()));
    const std::string digits = text::to_hex(bytes);
    BOOST_REQUIRE(digits.size() == 2 * bytes.size());
    BOOST_REQUIRE((text::from_hex(digits, bytes.size()) == bytes));
  }
}

BOOST_AUTO_TEST_CASE(digits_in_both_cases) {
  const std::byte bytes[] = {std::byte{0x00}, std::byte{0x9a}, std::byte{0xBC}, std::byte{0xff}};
  BOOST_TEST(text::to_hex(bytes) == "009abcff");
  std::string out = "0x";
  text::append_hex(bytes, out);
  BOOST_TEST(out == "0x009abcff");
  BOOST_TEST((text::from_hex("009AbCfF", 4) == byte_vector(std::begin(bytes), std::end(bytes))));
  BOOST_TEST((text::from_hex("", 0) == byte_vector()));
}

BOOST_AUTO_TEST_CASE(invalid_hexadecimal_text_is_rejected) {
  for (const char* wrong :
       {"0", "0g", "g0", " 00", "0x00", "00 1", "+1", "-1", "/0", ":0", "@0", "`0", "G0"}) {
    BOOST_TEST(!text::from_hex(wrong, 10).has_value(), wrong);
  }
  BOOST_TEST(!text::from_hex("0000", 1).has_value());
  byte_vector two(2);
  BOOST_TEST(!text::from_hex("00", mutable_byte_span(two)));
  BOOST_TEST(!text::from_hex("00000", mutable_byte_span(two)));
  BOOST_TEST(text::from_hex("0000", mutable_byte_span(two)));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
