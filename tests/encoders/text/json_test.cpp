#include "tickreel/text/json.hpp"

#include <simdjson.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include "random.hpp"
#include "random_bytes.hpp"
#include "tickreel/text/utf8.hpp"

BOOST_AUTO_TEST_SUITE(encoders_text_tests)
BOOST_AUTO_TEST_SUITE(json_test)

using namespace tickreel;
using text::json_floats;
using text::json_writer;

namespace {

std::string in_quotes(std::string_view bytes) {
  std::string out;
  text::append_json_text(bytes, out);
  return out;
}

template <class Number>
std::string written(Number number, json_floats floats = json_floats::shortest) {
  std::string out;
  text::json_writer(out, floats).value(number);
  return out;
}

// As a reader decodes it.
simdjson::dom::element parsed(simdjson::dom::parser& parser, const std::string& json) {
  simdjson::dom::element found;
  BOOST_REQUIRE_MESSAGE(parser.parse(json).get(found) == simdjson::SUCCESS, json);
  return found;
}

double read_back(const std::string& number) {
  double back = 0;
  const char* const end = number.data() + number.size();
  const auto [stopped, code] = std::from_chars(number.data(), end, back);
  BOOST_REQUIRE_MESSAGE(code == std::errc{} && stopped == end, number);
  return back;
}

}  // namespace

BOOST_AUTO_TEST_CASE(special_characters_are_escaped) {
  BOOST_TEST(in_quotes("") == "\"\"");
  BOOST_TEST(in_quotes("a\"b\\c/\n") == "\"a\\\"b\\\\c/\\u000a\"");
  BOOST_TEST(in_quotes(std::string_view("\0\x1F\x7F~", 4)) == "\"\\u0000\\u001f\\u007f~\"");
  BOOST_TEST(in_quotes("\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD") ==
             "\"\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD\"");
  // Bare continuation, overlong, surrogate, beyond Unicode, truncated.
  BOOST_TEST(in_quotes("\x80") == "\"\\ufffd\"");
  BOOST_TEST(in_quotes("\xC0\xAF") == "\"\\ufffd\\ufffd\"");
  BOOST_TEST(in_quotes("\xED\xA0\x80") == "\"\\ufffd\\ufffd\\ufffd\"");
  BOOST_TEST(in_quotes("\xF5\x80") == "\"\\ufffd\\ufffd\"");
  BOOST_TEST(in_quotes("a\xC3") == "\"a\\ufffd\"");
}

BOOST_AUTO_TEST_CASE(any_bytes_are_valid_json_and_read_back_repaired) {
  auto random = test::seeded_random("json texts");
  simdjson::dom::parser parser;
  for (int i = 0; i < 10'000; ++i) {
    const std::string key = test::random_bytes(random);
    const std::string value = test::random_bytes(random);
    std::string out;
    text::json_writer(out).begin_object().member(key, value).end_object();
    const simdjson::dom::object object = parsed(parser, out).get_object();
    BOOST_REQUIRE(object.size() == 1u);
    std::string expected_key;
    std::string expected_value;
    (void)text::append_repaired(key, expected_key);
    (void)text::append_repaired(value, expected_value);
    BOOST_REQUIRE((*object.begin()).key == expected_key);
    BOOST_REQUIRE(std::string_view((*object.begin()).value) == expected_value);
  }
}

BOOST_AUTO_TEST_CASE(commas_are_inserted_automatically) {
  std::string text;
  text::json_writer json(text);
  json.begin_object().member("a", 1).key("b").begin_array().value("x").value(true).null().end_array();
  json.member("c", std::numeric_limits<std::uint64_t>::max()).member("d", 0.1);
  json.member("e", std::nan("")).key("f").begin_object().end_object().member("g", -5);
  json.key("h").raw("[1 ]").key("i").begin_array().begin_array().end_array().begin_array().end_array();
  json.end_array().end_object();
  BOOST_TEST(
      text ==
      "{\"a\":1,\"b\":[\"x\",true,null],\"c\":18446744073709551615,\"d\":0.1,\"e\":null,\"f\":{},\"g\":-5,"
      "\"h\":[1 ],\"i\":[[],[]]}");
}

BOOST_AUTO_TEST_CASE(the_text_is_complete_immediately) {
  std::string text = "before ";
  text::json_writer json(text);
  json.begin_array().value(1);
  BOOST_TEST(text == "before [1");
  text += " /* between */";
  json.value(2).end_array();
  BOOST_TEST(text == "before [1 /* between */,2]");
}

BOOST_AUTO_TEST_CASE(numbers_in_a_list) {
  std::string json;
  json_writer out(json);
  out.begin_array().value(0.2).value(3600.0).value(1e300).null().raw("{}").end_array();
  BOOST_TEST(json == "[0.2,3600,1e+300,null,{}]");
}

BOOST_AUTO_TEST_CASE(whole_numbers) {
  BOOST_TEST(written(0) == "0");
  BOOST_TEST(written(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  BOOST_TEST(written(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  BOOST_TEST(written(std::int8_t{-128}) == "-128");
  BOOST_TEST(written('a') == "97");
}

BOOST_AUTO_TEST_CASE(three_notations_of_a_fraction) {
  struct row {
    float number;
    const char* shortest;
    const char* with_point;
    const char* eight_digits;
  };
  const row rows[] = {
      {0, "0", "0.0", "0.0"},
      {-0.0f, "-0", "-0.0", "-0.0"},
      {0.067f, "0.067", "0.067", "0.067000002"},
      {600, "600", "600.0", "600.0"},
      {100000, "1e+05", "100000.0", "100000.0"},
      {9999999, "9999999", "9999999.0", "9999999.0"},
      {1e7f, "1e+07", "1e+7", "10000000.0"},
      {1e-4f, "1e-04", "0.0001", "9.9999997e-5"},
      {6.6384706e-7f, "6.6384706e-07", "6.6384706e-7", "6.6384706e-7"},
      {1e10f, "1e+10", "1e+10", "1e+10"},
      {3.4028235e38f, "3.4028235e+38", "3.4028235e+38", "3.4028235e+38"},
      {1e-45f, "1e-45", "1e-45", "1.4012985e-45"},
      {NAN, "null", "\"NaN\"", "\"NaN\""},
      {INFINITY, "null", "\"Infinity\"", "\"Infinity\""},
      {-INFINITY, "null", "\"-Infinity\"", "\"-Infinity\""},
  };
  for (const row& each : rows) {
    BOOST_TEST(written(each.number) == each.shortest);
    BOOST_TEST(written(each.number, json_floats::shortest_with_point) == each.with_point);
    BOOST_TEST(written(each.number, json_floats::eight_digits_with_point) == each.eight_digits);
  }
  BOOST_TEST(written(0.1) == "0.1");
  BOOST_TEST(written(-2.2250738585072014e-308) == "-2.2250738585072014e-308");
  BOOST_TEST(written(1e300, json_floats::shortest_with_point) == "1e+300");
}

BOOST_AUTO_TEST_CASE(shortest_numbers_read_back_to_the_same_bits) {
  auto random = test::seeded_random("json numbers");
  for (int i = 0; i < 20'000; ++i) {
    const auto wide = std::bit_cast<double>(random());
    const auto narrow = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    for (const json_floats floats : {json_floats::shortest, json_floats::shortest_with_point}) {
      if (std::isfinite(wide)) {
        const double back = read_back(written(wide, floats));
        BOOST_REQUIRE(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(wide));
      }
      if (std::isfinite(narrow) && narrow != 0) {
        const double back = read_back(written(narrow, floats));
        BOOST_REQUIRE(static_cast<float>(back) == narrow);
      }
    }
    if (std::isfinite(narrow)) {
      constexpr json_floats eight_digits = json_floats::eight_digits_with_point;
      BOOST_REQUIRE(written(narrow, eight_digits).find_first_of(".e") != std::string::npos);
      const double back = read_back(written(narrow, eight_digits));
      BOOST_REQUIRE(std::abs(back - narrow) <= std::abs(narrow) * 1e-7 + 1e-45);
    }
  }
}

// As the C library reads it; a few exponents need a parser.
BOOST_AUTO_TEST_CASE(the_shortest_text_of_a_float_is_read_without_a_parser) {
  auto random = test::seeded_random("shortest floats");
  std::size_t given = 0;
  for (int i = 0; i < 50'000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random());
    const float coordinate = static_cast<float>(static_cast<std::int32_t>(bits)) / 3e6f;
    for (const float each : {std::bit_cast<float>(bits), coordinate, std::trunc(coordinate * 1e3f)}) {
      if (!std::isfinite(each)) continue;
      const auto read = text::read_shortest(each);
      const bool is_usual = each == 0 || (std::abs(each) > 1e-10f && std::abs(each) < 1e20f);
      if (!read) {
        BOOST_REQUIRE(!is_usual);
        continue;
      }
      ++given;
      char digits[64] = {};
      (void)std::to_chars(std::begin(digits), std::end(digits), each, std::chars_format::scientific);
      const double wanted = std::strtod(digits, nullptr);
      const bool has_digits = std::trunc(each) != each || std::abs(each) < 0x1p24f;
      if (has_digits) BOOST_REQUIRE(wanted == std::strtod(written(each).c_str(), nullptr));
      BOOST_REQUIRE(std::bit_cast<std::uint64_t>(*read) == std::bit_cast<std::uint64_t>(wanted));
    }
  }
  BOOST_TEST(given > 100'000u);
}

BOOST_AUTO_TEST_CASE(ranges_become_arrays) {
  std::string out;
  json_writer json(out);
  json.begin_object().key("texts").array(std::vector<std::string>{"a", "\""});
  json.key("numbers").array(std::vector<std::uint64_t>{}).member("after", 1).end_object();
  BOOST_TEST(out == R"({"texts":["a","\""],"numbers":[],"after":1})");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
