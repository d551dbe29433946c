#include "tickreel/quantize/fixed_point.hpp"
#include "hex.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <limits>

#include "golden.hpp"
#include "random.hpp"
#include "tickreel/bytes/varint.hpp"

BOOST_AUTO_TEST_SUITE(sdk_quantize_tests)
BOOST_AUTO_TEST_SUITE(fixed_point_test)

using namespace tickreel;

namespace {

using bone = fixed_point<-2, 2, 14>;
using uneven = fixed_point<-3, 10, 7>;

template <class Fixed>
void every_code_comes_back() {
  for (std::int32_t code = Fixed::first_code; code <= Fixed::last_code; ++code) {
    const float value = Fixed::decode(code);
    BOOST_REQUIRE_EQUAL(Fixed::nearest(value), code);
    // Slightly further from the middle, so that rounding in decode() cannot return a value below the code.
    const auto outward = static_cast<float>(double{value} + (code < 0 ? -0.1 : 0.1) * Fixed::step);
    BOOST_REQUIRE_EQUAL(Fixed::truncate(outward), code);
  }
}

template <class Fixed>
void errors_stay_within_bounds(std::mt19937_64& random) {
  std::uniform_real_distribution<float> within(Fixed::lowest, Fixed::highest);
  // Single precision of the values themselves, and of the offset that truncate() adds in single precision.
  const double rounding =
      (std::fabs(double{Fixed::lowest}) + Fixed::range) * std::numeric_limits<float>::epsilon();
  for (int round = 0; round < 100000; ++round) {
    const float value = within(random);
    const double nearest_error = std::fabs(double{Fixed::decode(Fixed::nearest(value))} - double{value});
    BOOST_REQUIRE_LE(nearest_error, Fixed::step / 2 + rounding);
    const std::int32_t truncated = Fixed::truncate(value);
    BOOST_REQUIRE_LE(std::fabs(double{Fixed::decode(truncated)} - double{value}), Fixed::step + rounding);
    // Towards the middle.
    const double middle = Fixed::decode(0);
    BOOST_REQUIRE_LE(std::fabs(double{Fixed::decode(truncated)} - middle),
                     std::fabs(double{value} - middle) + rounding);
  }
}

template <class Fixed>
void outside_is_clamped() {
  for (const float factor : {1.0f, 2.0f, 1e30f}) {
    BOOST_TEST(Fixed::nearest(Fixed::highest + factor) == Fixed::last_code);
    BOOST_TEST(Fixed::truncate(Fixed::highest + factor) == Fixed::last_code);
    BOOST_TEST(Fixed::nearest(Fixed::lowest - factor) == Fixed::first_code);
    BOOST_TEST(Fixed::truncate(Fixed::lowest - factor) == Fixed::first_code);
  }
  BOOST_TEST(Fixed::nearest(INFINITY) == Fixed::last_code);
  BOOST_TEST(Fixed::truncate(INFINITY) == Fixed::last_code);
  BOOST_TEST(Fixed::nearest(-INFINITY) == Fixed::first_code);
  BOOST_TEST(Fixed::truncate(-INFINITY) == Fixed::first_code);
  BOOST_TEST(Fixed::nearest(NAN) == 0);
  BOOST_TEST(Fixed::truncate(NAN) == 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(bone_positions_of_a_butter_file) {
  static_assert(bone::step == 1.0 / 4096);
  static_assert(bone::highest == 1.999755859375f);
  static_assert(bone::decode(0) == 0.0f && bone::decode(-8192) == -2.0f &&
                bone::decode(8191) == bone::highest);
  static_assert(bone::truncate(1.9f / 4096) == 1 && bone::truncate(-1.9f / 4096) == -1);
  static_assert(bone::nearest(1.6f / 4096) == 2 && bone::nearest(-1.6f / 4096) == -2);
  BOOST_TEST(bone::nearest(-2.0f) == -8192);
  BOOST_TEST(bone::nearest(1.99985f) == 8191);
}

BOOST_AUTO_TEST_CASE(every_code_is_reached) {
  every_code_comes_back<bone>();
  every_code_comes_back<uneven>();
  every_code_comes_back<fixed_point<0, 1, 1>>();
  every_code_comes_back<fixed_point<0, 100, 16>>();
}

BOOST_AUTO_TEST_CASE(errors_stay_within_the_documented_steps) {
  auto random = test::seeded_random("fixed point error bounds");
  errors_stay_within_bounds<bone>(random);
  errors_stay_within_bounds<uneven>(random);
  errors_stay_within_bounds<fixed_point<0, 100, 16>>(random);
}

BOOST_AUTO_TEST_CASE(values_outside_are_clamped_and_nan_is_the_middle) {
  outside_is_clamped<bone>();
  outside_is_clamped<uneven>();
}

BOOST_AUTO_TEST_CASE(golden_values) {
  for (const auto& row : test::golden_rows("fix")) {
    BOOST_TEST_CONTEXT(row[0]) {
      const std::int32_t code = bone::truncate(test::hex_float(row[0]));
      std::array<std::byte, prefix_varint_max_size> room{};
      byte_writer out(room);
      write_prefix_varint(out, zigzag_encode(code));
      BOOST_TEST(test::to_hex(out.written()) == row[1]);
      BOOST_TEST(std::bit_cast<std::uint32_t>(bone::decode(code)) == test::hex(row[2]));
    }
  }
  for (const auto& row : test::golden_rows("varint")) {
    BOOST_TEST_CONTEXT(row[0]) {
      const std::int64_t value = std::stoll(row[0]);
      std::array<std::byte, prefix_varint_max_size> room{};
      byte_writer out(room);
      write_prefix_varint(out, zigzag_encode(value));
      BOOST_TEST(test::to_hex(out.written()) == row[1]);
      byte_reader in(out.written());
      BOOST_TEST(zigzag_decode(read_prefix_varint(in)) == value);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
