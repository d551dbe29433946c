// Compares the JSON grammar check with another reader.
#include <simdjson.h>

#include <algorithm>

#include <boost/test/unit_test.hpp>
#include <string>
#include <string_view>

#include "random.hpp"
#include "tickreel/text/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(json_grammar_test)

using namespace tickreel;
using text::is_json;

BOOST_AUTO_TEST_CASE(valid_and_invalid_json) {
  for (const char* each : {"0", "-0", "1.5e+10", "-1E-2", "\"\"", R"("\u00e9\n\"")", "true", " [ ] ", "{}",
                           R"({"a":[1,{"b":null}],"":2})", "[[],{}]", "1e400",
                           "123456789012345678901234567890", "\"\xC3\xA9\""}) {
    BOOST_TEST(is_json(each), each);
  }
  for (const char* each :
       {"",      " ",       "01",     "+1",       ".5",       "1.",          "1e",   "-",
        "nul",   "tru",     "\"",     "\"\n\"",   "\"\\q\"",  "\"\\u12g4\"", "[1,]", "[,1]",
        "[1 2]", "{\"a\"}", "{a:1}",  "{\"a\":}", "{,}",      "{\"a\":1,}",  "[}",   "{]",
        "[1]]",  "[[1]",    "<html>", "1 2",      "\"\xC3\"", "NaN"}) {
    BOOST_TEST(!is_json(each), each);
  }
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  BOOST_TEST(is_json(nested(text::max_nested_json)));
  BOOST_TEST(!is_json(nested(text::max_nested_json + 1)));
  BOOST_TEST(!is_json(std::string(1u << 20, '[')));
}

// Numbers outside the range of double are valid JSON, but the other reader rejects them.
bool may_be_too_large(std::string_view text) {
  for (std::size_t at = text.find_first_of("eE"); at != text.npos; at = text.find_first_of("eE", at + 1)) {
    std::size_t from = at + 1;
    if (from < text.size() && text[from] == '+') ++from;
    const std::size_t to = std::min(text.find_first_not_of("0123456789", from), text.size());
    if (to - from >= 3) return true;
  }
  return false;
}

// Damaged responses: both accept or reject the same ones.
BOOST_AUTO_TEST_CASE(agrees_with_another_reader) {
  auto random = test::seeded_random("damaged JSON");
  const std::string whole =
      R"({"a":[1.5,-2e-3,0],"b":{"c":"t\u0041\n","d":[true,false,null]},"e":[[],{}],"f":"x"})";
  const std::string letters = "{}[]\",:.-+eE0129truefalsn\\u x\n";
  simdjson::dom::parser parser;
  int good = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = whole;
    for (std::size_t changes = random() % 3 + 1; changes != 0; --changes) {
      const std::size_t at = random() % text.size();
      const char letter = letters[random() % letters.size()];
      switch (random() % 3) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        default:
          text.erase(at, 1);
      }
    }
    if (may_be_too_large(text)) continue;
    const bool expected = parser.parse(text).error() == simdjson::SUCCESS;
    BOOST_REQUIRE_MESSAGE(is_json(text) == expected, text);
    good += expected ? 1 : 0;
  }
  BOOST_TEST(good > 1000);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
