// JSON texts with invalid Unicode: the output is valid, and all valid characters are kept.
#include <simdjson.h>

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "random.hpp"
#include "random_bytes.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/json_repair.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(json_repair_test)

using namespace tickreel;

namespace {

struct repaired {
  std::string text;
  std::vector<std::size_t> places;
};

repaired repair_of(std::string_view json) {
  repaired out;
  const std::size_t count = text::append_repaired_json(json, out.text, &out.places);
  BOOST_REQUIRE(count == out.places.size());
  return out;
}

// Backslashes, unpaired surrogates and hexadecimal digits, close together.
std::string random_escapes(std::mt19937_64& random) {
  static const char* const parts[] = {"\\ud83d", "\\ude00", "\\uD800", "\\uDfFf", "\\\\",  "\\\"",
                                      "\\u00e9", "u",       "d83d",    "\\u",     "\\ud8", "\xff",
                                      "\xc3",    "\xa9",    "x",       "\\n"};
  std::string out;
  for (std::size_t left = random() % 12; left > 0; --left) out += parts[random() % std::size(parts)];
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unpaired_surrogates_and_invalid_bytes_are_replaced) {
  const auto check = [](const char* from, const char* to, std::size_t count) {
    const repaired made = repair_of(from);
    BOOST_TEST(made.text == to);
    BOOST_TEST(made.places.size() == count, from);
    BOOST_TEST(text::has_lone_surrogate(from) == (std::string_view(to).find("\\ufffd") != std::string::npos));
  };
  check(R"("abc\ud83d")", R"("abc\ufffd")", 1);
  check(R"("\ude00")", R"("\ufffd")", 1);
  check(R"("\ud83d\ude00")", R"("\ud83d\ude00")", 0);
  check(R"("\uD83D\uDE00\ud83d")", R"("\uD83D\uDE00\ufffd")", 1);
  check(R"("\ud83d\ud83d\ude00")", R"("\ufffd\ud83d\ude00")", 1);
  check(R"("\\ud83d")", R"("\\ud83d")", 0);
  check(R"("\\\ud83d")", R"("\\\ufffd")", 1);
  check(R"("\ud83d\n")", R"("\ufffd\n")", 1);
  check("\"a\xff\"", "\"a\xef\xbf\xbd\"", 1);
  check("\"\xed\xa0\xbd\"", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", 3);
  check("\"\xc3\xa9\"", "\"\xc3\xa9\"", 0);
  check("", "", 0);
  check("\\", "\\", 0);
  check("\\u", "\\u", 0);
  check("\\ud83", "\\ud83", 0);
}

BOOST_AUTO_TEST_CASE(any_text_becomes_valid_unicode_and_nothing_else_changes) {
  auto random = test::seeded_random("json repair");
  simdjson::dom::parser parser;
  for (int i = 0; i < 20'000; ++i) {
    const std::string inside = i % 2 == 0 ? random_escapes(random) : test::random_bytes(random);
    const std::string json = "\"" + inside + "\"";
    const repaired made = repair_of(json);
    BOOST_REQUIRE(text::is_utf8(made.text));
    BOOST_REQUIRE(!text::has_lone_surrogate(made.text));
    BOOST_REQUIRE(text::has_json_grammar(made.text) == text::has_json_grammar(json));
    // A second repair changes nothing.
    const repaired again = repair_of(made.text);
    BOOST_REQUIRE(again.text == made.text);
    BOOST_REQUIRE(again.places.empty());
    // Everything that is not replaced is unchanged.
    std::size_t at = 0;
    std::size_t from = 0;
    for (const std::size_t place : made.places) {
      BOOST_REQUIRE(made.text.compare(at, place - at, json, from, place - at) == 0);
      from += place - at;
      const bool escape = made.text[place] == '\\';
      at = place + (escape ? 6u : 3u);
      from += escape ? 6u : 1u;
    }
    BOOST_REQUIRE(made.text.substr(at) == json.substr(from));
    // Other readers accept whatever has valid grammar.
    if (!text::has_json_grammar(json)) continue;
    std::string_view read;
    BOOST_REQUIRE(parser.parse(made.text).get(read) == simdjson::SUCCESS);
    BOOST_REQUIRE(text::is_utf8(read));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
