#include "tickreel/quantize/half.hpp"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "golden.hpp"
#include "random.hpp"

BOOST_AUTO_TEST_SUITE(sdk_quantize_tests)
BOOST_AUTO_TEST_SUITE(half_test)

using namespace tickreel;

namespace {

constexpr std::uint32_t bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
bool is_nan(std::uint16_t half) {
  return (half & 0x7FFF) > 0x7C00;
}

// The value of a half, computed from its definition.
double worth(std::uint16_t half) {
  const int exponent = (half >> 10) & 31;
  const int mantissa = half & 1023;
  const double magnitude = exponent == 31  ? std::numeric_limits<double>::infinity()
                           : exponent == 0 ? std::ldexp(mantissa, -24)
                                           : std::ldexp(1024 + mantissa, exponent - 25);
  return (half & 0x8000) != 0 ? -magnitude : magnitude;
}

// The distance between neighbouring halves at a value within the range.
float step_at(float value) {
  return std::ldexp(1.0f, (value == 0 ? -14 : std::max(std::ilogb(value), -14)) - 10);
}

std::vector<std::uint16_t> all_halves() {
  std::vector<std::uint16_t> halves(65536);
  for (std::size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<std::uint16_t>(i);
  return halves;
}

// Every float that matters for rounding: each half and its neighbouring floats, the midpoint between it and the next half, and
// the midpoint's neighbours.
std::vector<float> floats_around_halves() {
  std::vector<float> values;
  for (std::uint32_t half = 0; half < 0x7C00; ++half) {
    const auto here = static_cast<float>(worth(static_cast<std::uint16_t>(half)));
    const float step = step_at(here);
    for (const float value : {here, here + step / 2, here + step / 4}) {
      for (const float near : {value, std::nextafter(value, 0.0f), std::nextafter(value, INFINITY)}) {
        values.push_back(near);
        values.push_back(-near);
      }
    }
  }
  return values;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_half_is_decoded_to_its_value) {
  for (const std::uint16_t each : all_halves()) {
    const float value = half_to_float(each);
    if (is_nan(each)) {
      BOOST_REQUIRE(std::isnan(value));
      BOOST_REQUIRE_EQUAL(bits(value) >> 31, each >> 15);
    } else {
      BOOST_REQUIRE_EQUAL(value, worth(each));
      BOOST_REQUIRE_EQUAL(std::signbit(value), (each & 0x8000) != 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(every_half_round_trips) {
  for (const std::uint16_t each : all_halves()) {
    const float value = half_to_float(each);
    // Signalling NaNs become quiet ones.
    const std::uint16_t expected = is_nan(each) ? static_cast<std::uint16_t>(each | 0x0200) : each;
    BOOST_REQUIRE_EQUAL(half_nearest(value), expected);
  }
}

BOOST_AUTO_TEST_CASE(nearest_is_nearest_and_even_on_ties) {
  for (const float value : floats_around_halves()) {
    const std::uint16_t got = half_nearest(value);
    const double off = std::fabs(worth(got) - double{value});
    if (std::fabs(value) >= 65520.0f) {
      BOOST_REQUIRE_EQUAL(got & 0x7FFF, 0x7C00);
      continue;
    }
    BOOST_REQUIRE_EQUAL(std::signbit(value), (got & 0x8000) != 0);
    const auto above = static_cast<std::uint16_t>(got + 1);
    const auto below = static_cast<std::uint16_t>(got - 1);
    const double off_above =
        (got & 0x7FFF) == 0x7BFF ? 65536 - std::fabs(value) : std::fabs(worth(above) - double{value});
    BOOST_REQUIRE_LE(off, off_above);
    if (off == off_above) BOOST_REQUIRE_EQUAL(got & 1, 0);
    if ((got & 0x7FFF) != 0) {
      const double off_below = std::fabs(worth(below) - double{value});
      BOOST_REQUIRE_LE(off, off_below);
      if (off == off_below) BOOST_REQUIRE_EQUAL(got & 1, 0);
    }
  }
}

BOOST_AUTO_TEST_CASE(errors_stay_within_half_a_step) {
  auto random = test::seeded_random("half error bounds");
  for (int round = 0; round < 200000; ++round) {
    const float value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!(std::fabs(value) <= half_max)) continue;
    BOOST_REQUIRE_LE(std::fabs(double{half_to_float(half_nearest(value))} - double{value}),
                     step_at(value) / 2);
  }
}

BOOST_AUTO_TEST_CASE(values_out_of_range) {
  // A NaN whose upper 10 mantissa bits are all 0.
  BOOST_TEST(half_nearest(std::bit_cast<float>(0x7F800001u)) == 0x7E00);
  BOOST_TEST(half_nearest(65519.99f) == 0x7BFF);
  BOOST_TEST(half_nearest(65520.0f) == 0x7C00);
  BOOST_TEST(half_nearest(-INFINITY) == 0xFC00);
  BOOST_TEST(half_nearest(0x1p-25f) == 0x0000);
  BOOST_TEST(half_nearest(0x1.000002p-25f) == 0x0001);
}

BOOST_AUTO_TEST_CASE(batches_equal_single_conversions) {
  const std::vector<std::uint16_t> halves = all_halves();
  std::vector<float> values(halves.size());
  half_to_float(halves, values);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    BOOST_REQUIRE_EQUAL(bits(values[i]), bits(half_to_float(halves[i])));
  }

  std::vector<float> floats = floats_around_halves();
  floats.insert(floats.end(), values.begin(), values.end());
  auto random = test::seeded_random("half batches");
  for (int i = 0; i < 200000; ++i) {
    floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));
  }
  std::vector<std::uint16_t> made(floats.size());
  half_nearest(floats, made);
  for (std::size_t i = 0; i < floats.size(); ++i) BOOST_REQUIRE_EQUAL(made[i], half_nearest(floats[i]));
}

BOOST_AUTO_TEST_CASE(batches_of_any_size_stay_within_the_shorter_span) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::vector<float> from(size, 1.0f);
    std::vector<std::uint16_t> to(40, 7);
    half_nearest(from, to);
    half_nearest(std::vector<float>(40, 2.0f), std::span(to).first(size / 2));
    for (std::size_t i = 0; i < to.size(); ++i) {
      BOOST_REQUIRE_EQUAL(to[i], i < size / 2 ? 0x4000 : i < size ? 0x3C00 : 7);
    }
    std::vector<float> back(40, 9.0f);
    half_to_float(std::span<const std::uint16_t>(to).first(size), back);
    for (std::size_t i = size; i < back.size(); ++i) BOOST_REQUIRE_EQUAL(back[i], 9.0f);
  }
}

BOOST_AUTO_TEST_CASE(golden_values) {
  for (const auto& row : test::golden_rows("half")) {
    BOOST_TEST_CONTEXT(row[0]) {
      BOOST_TEST(bits(half_to_float(static_cast<std::uint16_t>(test::hex(row[1])))) == test::hex(row[2]));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
