#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include "random.hpp"
#include "tickreel/echo/json.hpp"

BOOST_AUTO_TEST_SUITE(encoders_echo_tests)
BOOST_AUTO_TEST_SUITE(number_test)

using namespace tickreel::echo;

namespace {

std::string written(float number, number_style style) {
  state from;
  from.match.fields = session::has_game_clock;
  from.match.game_clock = number;
  std::string text;
  append_session_json(from, json_shape::api, style, text);
  const std::string_view key = "{\"game_clock\":";
  return text.substr(key.size(), text.size() - key.size() - 1);
}

struct reader {
  json_parser parser;
  std::unique_ptr<state> out = std::make_unique<state>();

  std::optional<float> read(const std::string& number) {
    const auto report = parser.parse_session("{\"game_clock\":" + number + "}", *out);
    if (!report || !(out->match.fields & session::has_game_clock)) return std::nullopt;
    return out->match.game_clock;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(printed_as_the_game_does) {
  // Numbers of real responses.
  for (const char* text :
       {"5.1880002", "0.067000002", "-1.7870001", "34.439003", "0.0060000001", "600.0", "0.0", "140.79926",
        "6.6384706e-7", "-0.029114723", "201.05", "-199.05602", "561.90625", "-0.000318587", "0.41999999"}) {
    float number = 0;
    std::from_chars(text, text + std::char_traits<char>::length(text), number);
    BOOST_TEST(written(number, number_style::game) == text);
  }
}

BOOST_AUTO_TEST_CASE(printed_in_the_shortest_form) {
  BOOST_TEST(written(0.067f, number_style::shortest) == "0.067");
  BOOST_TEST(written(600.0f, number_style::shortest) == "600.0");
  BOOST_TEST(written(-0.0f, number_style::shortest) == "-0.0");
  BOOST_TEST(written(100000.0f, number_style::shortest) == "100000.0");
  BOOST_TEST(written(6.6384706e-7f, number_style::shortest) == "6.6384706e-7");
  BOOST_TEST(written(3.4028235e38f, number_style::shortest) == "3.4028235e+38");
  BOOST_TEST(written(1e10f, number_style::shortest) == "1e+10");
}

BOOST_AUTO_TEST_CASE(values_that_json_lacks_are_text) {
  reader r;
  BOOST_TEST(written(NAN, number_style::game) == "\"NaN\"");
  BOOST_TEST(written(INFINITY, number_style::shortest) == "\"Infinity\"");
  BOOST_TEST(written(-INFINITY, number_style::shortest) == "\"-Infinity\"");
  BOOST_TEST(std::isnan(r.read("\"NaN\"").value()));
  BOOST_TEST(r.read("\"Infinity\"").value() == INFINITY);
  BOOST_TEST(r.read("\"-Infinity\"").value() == -INFINITY);
  BOOST_TEST(!r.read("\"nan\"").has_value());
}

BOOST_AUTO_TEST_CASE(any_float_round_trips) {
  auto random = tickreel::test::seeded_random("floats");
  reader r;
  for (int i = 0; i < 50'000; ++i) {
    const auto number = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(number)) continue;
    const auto again = r.read(written(number, number_style::shortest));
    BOOST_REQUIRE_MESSAGE(
        again && std::bit_cast<std::uint32_t>(*again) == std::bit_cast<std::uint32_t>(number), number);
  }
}

BOOST_AUTO_TEST_CASE(rounding_happens_once) {
  reader r;
  // Just above the midpoint between 1 and the next float: rounding to double first would return 1.
  BOOST_TEST(r.read("1.000000059604644775390626").value() == 1.00000012f);
  BOOST_TEST(r.read("1.000000059604644775390625").value() == 1.0f);
  BOOST_TEST(r.read("1.401298464324817e-45").value() == 1.401298464324817e-45f);
}

// The same float as of the text alone, whatever number of digits it has.
BOOST_AUTO_TEST_CASE(any_decimal_number_is_rounded_once) {
  auto random = tickreel::test::seeded_random("decimal numbers");
  reader r;
  const auto append_digits = [&](std::string& to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) to += static_cast<char>('0' + random() % 10);
  };
  for (int i = 0; i < 50'000; ++i) {
    std::string text = random() % 2 ? "-" : "";
    if (random() % 3 == 0) {
      text += '0';
    } else {
      text += static_cast<char>('1' + random() % 9);
      append_digits(text, random() % 10);
    }
    if (random() % 8 != 0) {
      text += '.';
      append_digits(text, 1 + random() % 18);
    }
    float expected = 0;
    std::from_chars(text.data(), text.data() + text.size(), expected);
    const auto got = r.read(text + (random() % 2 ? " " : ""));
    BOOST_REQUIRE_MESSAGE(got && std::bit_cast<std::uint32_t>(*got) == std::bit_cast<std::uint32_t>(expected),
                          text);
  }
  // Exactly between two floats, and beside them.
  for (const char* text :
       {"16777217.0", "16777217.000001", "33554434.0", "0.500000029802322", "-16777219.0"}) {
    float expected = 0;
    std::from_chars(text, text + std::char_traits<char>::length(text), expected);
    BOOST_TEST(r.read(text).value() == expected);
  }
}

BOOST_AUTO_TEST_CASE(texts_that_only_begin_like_numbers) {
  reader r;
  for (const char* text :
       {".5", "-", "+1.0", "1.5x", "1.5.5", "1.5\"a\"", "0x1", "1.5:2", "12:3", "1,2", "1 2", "1.5 2"}) {
    BOOST_TEST_CONTEXT(text) BOOST_TEST(!r.read(text).has_value());
  }
}

BOOST_AUTO_TEST_CASE(numbers_beyond_a_float) {
  reader r;
  BOOST_TEST(!r.read("1e39").has_value());
  BOOST_TEST(!r.read("-1e999").has_value());
  BOOST_TEST(!r.read("123456789012345678901234567890123456789012345").has_value());
  BOOST_TEST(r.read("1e-99").value() == 0.0f);
  BOOST_TEST(r.read("1e-999").value() == 0.0f);
  BOOST_TEST(r.read("12345678901234567890").value() == 12345678901234567890.0f);
}

BOOST_AUTO_TEST_CASE(integers) {
  json_parser parser;
  const auto out = std::make_unique<state>();
  const auto read = [&](const std::string& json) {
    const auto report = parser.parse_session(json, *out);
    BOOST_REQUIRE(report.has_value());
    return *report;
  };
  BOOST_TEST(
      read(R"({"teams":[{"players":[{"userid":18446744073709551615},{"userid":1.5e15},{"userid":"42"}]}],)"
           R"("rules_changed_at":-9223372036854775808})")
          .complete());
  BOOST_TEST(out->players[0].userid == 18446744073709551615u);
  BOOST_TEST(out->players[1].userid == 1'500'000'000'000'000u);
  BOOST_TEST(out->players[2].userid == 42u);
  BOOST_TEST(out->match.rules_changed_at == std::numeric_limits<std::int64_t>::min());
  for (const char* number : {"2147483648", "-2147483649", "1.5", "1e300", "\"12x\"", "[]", "{}", "1e999"}) {
    BOOST_TEST_CONTEXT(number) {
      const auto report = read(std::string("{\"err_code\":") + number + "}");
      BOOST_TEST(report.wrong_types == 1u);
      BOOST_TEST(out->match.fields == 0u);
    }
  }
  BOOST_TEST(read(R"({"teams":[{"players":[{"userid":-1}]}]})").wrong_types == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
