#include "tickreel/text/ascii.hpp"

#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>

#include "random.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(ascii_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(every_byte_has_its_class_and_only_capitals_change) {
  for (int code = 0; code < 256; ++code) {
    const char each = static_cast<char>(static_cast<unsigned char>(code));
    const bool is_capital = code >= 'A' && code <= 'Z';
    BOOST_TEST(text::is_digit(each) == (code >= '0' && code <= '9'), code);
    BOOST_TEST(text::is_letter(each) == (is_capital || (code >= 'a' && code <= 'z')), code);
    BOOST_TEST(int{text::to_lower(each)} == int{is_capital ? static_cast<char>(code + 32) : each}, code);
  }
  BOOST_TEST(text::to_lower("AbC \xC3\x84") == "abc \xC3\x84");
  BOOST_TEST(text::equal_ignoring_case("AbC", "aBc"));
  BOOST_TEST(!text::equal_ignoring_case("AbC", "aBcd"));
  BOOST_TEST(!text::equal_ignoring_case("[", "{"));  // differ by the bit of the case
}

BOOST_AUTO_TEST_CASE(blanks_are_trimmed_at_both_ends) {
  BOOST_TEST(text::trimmed(" \t a b\r\n") == "a b");
  BOOST_TEST(text::trimmed("a") == "a");
  BOOST_TEST(text::trimmed(" \t\r\n").empty());
  BOOST_TEST(text::trimmed("\n a \n", " ") == "\n a \n");
}

BOOST_AUTO_TEST_CASE(any_number_round_trips) {
  auto random = test::seeded_random("numbers in text");
  for (int i = 0; i < 1000; ++i) {
    const auto number = static_cast<std::int64_t>(random()) >> (random() % 64);
    BOOST_TEST((text::parse_number<std::int64_t>(std::to_string(number)) == number));
  }
  BOOST_TEST((text::parse_number<double>("-2.5e3") == -2500.0));
  BOOST_TEST(std::isnan(text::parse_number<double>("nan").value()));
  BOOST_TEST((text::parse_number<unsigned>("fF", 16) == 255u));
}

BOOST_AUTO_TEST_CASE(other_texts_are_rejected_and_change_nothing) {
  for (const char* wrong : {"", " 1", "1 ", "+1", "1.0", "0x1", "1a", "--1", "70000", "-1"}) {
    std::uint16_t number = 7;
    BOOST_TEST(!text::parse_number(wrong, number), wrong);
    BOOST_TEST(number == 7u, wrong);
  }
  for (const char* wrong : {"", "1e999", "1,5", "e5"}) BOOST_TEST(!text::parse_number<double>(wrong), wrong);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
