#include "tickreel/text/utf8.hpp"

#include <simdjson.h>

#include <boost/test/unit_test.hpp>

#include "random.hpp"
#include "random_bytes.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(utf8_test)

using namespace tickreel;

BOOST_AUTO_TEST_CASE(every_code_point_round_trips) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800) code = 0xE000;
    std::string bytes;
    text::append_utf8(code, bytes);
    const text::character back = text::first_character(bytes);
    BOOST_REQUIRE(back.valid && back.code == code && back.bytes == bytes.size());
    // Truncated anywhere it is invalid.
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      BOOST_REQUIRE(!text::first_character(std::string_view(bytes).substr(0, cut)).valid);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_invalid_code_point_is_written_as_the_replacement) {
  for (const char32_t code : {char32_t(0xD800), char32_t(0xDFFF), char32_t(0x110000), char32_t(0xFFFFFFFF)}) {
    std::string bytes;
    text::append_utf8(code, bytes);
    BOOST_TEST(bytes == "\xEF\xBF\xBD");
  }
}

BOOST_AUTO_TEST_CASE(an_invalid_sequence_is_one_byte) {
  // Bare continuations, overlong forms, surrogates, beyond Unicode, truncated, invalid leads.
  for (const char* wrong :
       {"\x80", "\xBF", "\xC0\xAF", "\xC1\xBF", "\xE0\x80\xAF", "\xE0\x9F\xBF", "\xED\xA0\x80",
        "\xED\xBF\xBF", "\xF0\x80\x80\xAF", "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
        "\xC3", "\xE2\x82", "\xF0\x9F\x98", "\xC3\x28", "\xFE", "\xFF"}) {
    const text::character found = text::first_character(wrong);
    BOOST_TEST(!found.valid);
    BOOST_TEST(found.bytes == 1u);
    BOOST_TEST((found.code == text::replacement_character));
    BOOST_TEST(!text::is_utf8(wrong));
    BOOST_TEST(text::utf8_prefix(std::string("whole words") + wrong) == 11u);
  }
  BOOST_TEST(text::is_utf8(""));
  BOOST_TEST(text::is_utf8(std::string_view("a\0b", 3)));
}

BOOST_AUTO_TEST_CASE(equals_another_validator_for_any_bytes) {
  auto random = test::seeded_random("utf8");
  int good = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string bytes = test::random_bytes(random);
    const bool expected = simdjson::validate_utf8(bytes.data(), bytes.size());
    BOOST_REQUIRE(text::is_utf8(bytes) == expected);
    good += expected ? 1 : 0;
  }
  BOOST_TEST(good > 1000);
  BOOST_TEST(good < 19'000);
}

BOOST_AUTO_TEST_CASE(repair_replaces_and_counts_invalid_bytes) {
  std::string text = "a\xFF\xC3\xA9\xE2\x82z";
  BOOST_TEST(text::repair(text) == 3u);
  BOOST_TEST(text == "a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBDz");
  BOOST_TEST(text::repair(text) == 0u);

  auto random = test::seeded_random("repair");
  for (int i = 0; i < 10'000; ++i) {
    const std::string before = test::random_bytes(random);
    std::string after = before;
    const std::size_t replaced = text::repair(after);
    BOOST_REQUIRE(text::is_utf8(after));
    BOOST_REQUIRE((replaced == 0) == text::is_utf8(before));
    BOOST_REQUIRE(after.size() == before.size() + 2 * replaced);
    // The same character by character.
    std::string expected;
    std::size_t counted = 0;
    for (std::string_view rest = before; !rest.empty();) {
      const text::character next = text::first_character(rest);
      text::append_utf8(next.code, expected);
      counted += next.valid ? 0 : 1;
      rest.remove_prefix(next.bytes);
    }
    BOOST_REQUIRE(after == expected);
    BOOST_REQUIRE(replaced == counted);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
