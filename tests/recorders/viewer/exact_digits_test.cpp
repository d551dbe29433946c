// Numbers with a given count of digits equal those of the standard library.
#include <bit>
#include <boost/test/unit_test.hpp>
#include <charconv>
#include <cmath>
#include <random>
#include <string>
#include <system_error>

#include "random.hpp"
#include "wasm/exact_digits.hpp"

BOOST_AUTO_TEST_SUITE(viewer_reader_tests)
BOOST_AUTO_TEST_SUITE(exact_digits_test)

namespace {

using namespace tickreel;

using spell = std::to_chars_result (*)(char*, char*, double, std::uint32_t);

std::string text_of(spell with, double number, std::uint32_t precision) {
  char text[1500];
  const auto written = with(std::begin(text), std::end(text), number, precision);
  return written.ec == std::errc{} ? std::string(text, written.ptr) : "too long";
}
std::string wanted(std::chars_format format, double number, std::uint32_t precision) {
  char text[1500];
  const auto written =
      std::to_chars(std::begin(text), std::end(text), number, format, static_cast<int>(precision));
  return std::string(text, written.ptr);
}

void compare(double number, std::uint32_t precision) {
  if (!std::isfinite(number)) return;
  number = std::abs(number);
  const std::string fixed = wanted(std::chars_format::fixed, number, precision);
  const std::string scientific = wanted(std::chars_format::scientific, number, precision);
  if (text_of(viewer::spell_fixed, number, precision) != fixed) {
    BOOST_TEST(text_of(viewer::spell_fixed, number, precision) == fixed);
  }
  if (text_of(viewer::spell_scientific, number, precision) != scientific) {
    BOOST_TEST(text_of(viewer::spell_scientific, number, precision) == scientific);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(edges) {
  // Zero, ties to the even digit, carries, the smallest and the largest.
  for (const double number : {0.0, 0.5, 1.5, 2.5, 0.05, 0.25, 0.125, 9.5, 99.5, 0.95, 999999.9999999, 1e22,
                              1e23, 0.1, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308}) {
    for (const std::uint32_t precision : {0u, 1u, 2u, 3u, 8u, 17u, 50u, 800u, 1100u})
      compare(number, precision);
  }
}

BOOST_AUTO_TEST_CASE(any_number) {
  std::mt19937_64 random = test::seeded_random("exact_digits");
  const auto below = [&](std::uint64_t end) { return random() % end; };
  for (int i = 0; i < 20'000; ++i) {
    compare(std::bit_cast<double>(random()), static_cast<std::uint32_t>(below(30)));
    compare(static_cast<double>(static_cast<float>(below(1'000'000)) / 997.0f),
            static_cast<std::uint32_t>(below(10)));
    compare(static_cast<double>(below(20'000)) / 8, static_cast<std::uint32_t>(below(4)));
  }
}

BOOST_AUTO_TEST_CASE(numbers_that_do_not_fit_are_reported) {
  char text[8];
  for (const spell each : {&viewer::spell_fixed, &viewer::spell_scientific}) {
    BOOST_TEST((each(std::begin(text), std::end(text), 1234567.0, 3).ec == std::errc::value_too_large));
    BOOST_TEST((each(text, text, 0.0, 0).ec == std::errc::value_too_large));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
