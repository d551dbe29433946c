// Decimals to floats and back, compared with the standard library's parser.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cfenv>
#include <cmath>
#include <cstdlib>

#include "mapping.hpp"
#include "random.hpp"
#include "random_rows.hpp"
#include "residuals.hpp"

BOOST_AUTO_TEST_SUITE(sdk_tracks_tests)
BOOST_AUTO_TEST_SUITE(mapping_test)

using namespace tickreel;
using namespace tickreel::tracks;
using namespace tickreel::test;

namespace {

std::string text_of(std::int64_t n, int places) {
  std::string digits = std::to_string(n < 0 ? -n : n);
  if (digits.size() <= static_cast<std::size_t>(places))
    digits.insert(0, static_cast<std::size_t>(places) + 1 - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(places), ".");
  return (n < 0 ? "-" : "") + digits;
}

}  // namespace

BOOST_AUTO_TEST_CASE(decimals_are_the_nearest_floats) {
  auto random = seeded_random("decimals_are_the_nearest_floats");
  for (int round = 0; round < 200'000; ++round) {
    const int places = static_cast<int>(below(random, 10));
    auto n = static_cast<std::int64_t>(random() >> (1 + below(random, 63)));
    if (round % 7 == 0)
      n = static_cast<std::int64_t>(std::uint64_t{1} << below(random, 62)) +
          static_cast<std::int64_t>(below(random, 3)) - 1;
    if (below(random, 2) == 0) n = -n;
    if (n == 0) continue;
    const std::string text = text_of(n, places);
    const decimal_step step{1, static_cast<std::uint8_t>(places)};
    BOOST_REQUIRE_MESSAGE(
        bits_of_scaled(n, step, 4) == std::bit_cast<std::uint32_t>(std::strtof(text.c_str(), nullptr)), text);
    BOOST_REQUIRE_MESSAGE(
        bits_of_scaled(n, step, 8) == std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)), text);
  }
}

BOOST_AUTO_TEST_CASE(batches_equal_single_conversions) {
  auto random = seeded_random("batches_equal_single_conversions");
  const auto modes = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD};
  for (int round = 0; round < 6000; ++round) {
    const std::uint32_t size = below(random, 4) == 0 ? 8 : 4;
    const decimal_step step{below(random, 2) == 0 ? 1 : 1 + static_cast<std::uint32_t>(below(random, 999)),
                            static_cast<std::uint8_t>(below(random, 10))};
    // Mappings with up to 31 bits divide as doubles; one with more bits uses the other method.
    const auto most = 1 + below(random, round % 5 == 0 ? 50 : 31);
    std::vector<std::int64_t> numbers(1 + below(random, 70));
    for (std::int64_t& n : numbers) {
      n = static_cast<std::int64_t>(random() >> (64 - most));
      if (below(random, 2) == 0) n = -n;
    }
    byte_vector values(numbers.size() * size);
    // A program may set another rounding mode; the bytes are the same.
    std::fesetround(modes.begin()[round % 3]);
    store_scaled(numbers.data(), numbers.size(), step, size, values.data());
    std::fesetround(FE_TONEAREST);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      BOOST_REQUIRE_MESSAGE(
          load_bits(values.data() + i * size, size) == bits_of_scaled(numbers[i], step, size),
          numbers[i] << " * " << step.multiple << " / 10^" << int{step.places});
  }
}

BOOST_AUTO_TEST_CASE(decimals_are_detected_in_batches_as_one_by_one) {
  auto random = seeded_random("decimals_are_detected_in_batches_as_one_by_one");
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::size_t longest = 0;
  for (int round = 0; round < 20'000; ++round) {
    const int places = static_cast<int>(below(random, 10));
    const bool rough = round % 4 == 0;
    std::vector<std::uint64_t> bits(1 + below(random, 90));
    for (std::uint64_t& one : bits) {
      auto n = static_cast<std::int64_t>(random() >> (39 + below(random, 25)));
      if (below(random, 2) == 0) n = -n;
      one = bits_of_scaled(n, {1, static_cast<std::uint8_t>(places)}, 4);
      if (rough && below(random, 40) == 0) one = random() >> 32;
      if (rough && below(random, 60) == 0) one = std::uint64_t{below(random, 512)} << 23;
    }
    std::vector<std::int64_t> together(bits.size()), alone(bits.size());
    const std::size_t found = leading_decimals(bits, 4, places, most, together.data());
    std::size_t expected = 0;
    while (expected < bits.size() && decimal_of(bits[expected], 4, places, alone[expected]) &&
           alone[expected] <= most && alone[expected] >= -most)
      ++expected;
    BOOST_REQUIRE(found == expected);
    BOOST_REQUIRE(
        std::equal(together.begin(), together.begin() + static_cast<std::ptrdiff_t>(found), alone.begin()));
    longest = std::max(longest, found);
  }
  BOOST_TEST(longest > 64u);
}

BOOST_AUTO_TEST_CASE(a_symbol_is_found_by_its_frequency) {
  auto random = seeded_random("a_symbol_is_found_by_its_frequency");
  symbol_model model{start_number, 0};
  for (int round = 0; round < 20'000; ++round) {
    const auto at = static_cast<unsigned>(random() & 0x7FFF);
    unsigned symbol = 0;
    while (at >= share_through(model.up_to, symbol)) ++symbol;
    BOOST_REQUIRE(symbol_at(model.up_to, at) == symbol);
    model.learn(round % 1000 < 500 ? static_cast<unsigned>(random() & 15) : 3);
  }
}

BOOST_AUTO_TEST_CASE(every_detected_decimal_is_one) {
  auto random = seeded_random("every_detected_decimal_is_one");
  int found = 0;
  for (int round = 0; round < 200'000; ++round) {
    const std::uint32_t size = round % 2 == 0 ? 4 : 8;
    std::uint64_t bits = size == 4 ? random() >> 32 : random();
    if (round % 3 != 0) {
      const auto n = static_cast<std::int64_t>(random() >> (40 + below(random, 24)));
      bits = bits_of_scaled(n, {1, static_cast<std::uint8_t>(below(random, 10))}, size);
    }
    for (int places = 0; places <= max_places; ++places) {
      std::int64_t n = 0;
      if (!decimal_of(bits, size, places, n)) continue;
      ++found;
      BOOST_REQUIRE(bits_of_scaled(n, {1, static_cast<std::uint8_t>(places)}, size) == bits);
    }
  }
  BOOST_TEST(found > 100'000);
}

BOOST_AUTO_TEST_CASE(plain_numbers_keep_the_order_of_floats_and_every_bit) {
  auto random = seeded_random("plain_numbers_keep_the_order_of_floats_and_every_bit");
  const value_type single{value_kind::floating, 4};
  for (int round = 0; round < 100'000; ++round) {
    const auto a = static_cast<std::uint32_t>(random()), b = static_cast<std::uint32_t>(random());
    BOOST_REQUIRE(bits_of_plain(plain_of(a, single, 0), single, 0) == a);
    const float x = std::bit_cast<float>(a), y = std::bit_cast<float>(b);
    if (x < y) BOOST_REQUIRE(plain_of(a, single, 0) < plain_of(b, single, 0));
    for (const value_kind kind :
         {value_kind::unsigned_integer, value_kind::signed_integer, value_kind::floating}) {
      const value_type type{kind, kind == value_kind::floating ? 8u : 1u << below(random, 4)};
      const unsigned shift = static_cast<unsigned>(below(random, type.bits()));
      const std::uint64_t bits = (random() & (~std::uint64_t{0} >> (64 - type.bits()))) >> shift << shift;
      std::byte stored[8];
      store_bits(stored, type.size_bytes, bits_of_plain(plain_of(bits, type, shift), type, shift));
      BOOST_REQUIRE(load_bits(stored, type.size_bytes) == bits);
    }
  }
}

BOOST_AUTO_TEST_CASE(steps_keep_the_requested_error) {
  for (double allowed = 1e-9; allowed < 9e8; allowed *= 1.037) {
    const decimal_step step = step_for(allowed);
    const double size = step.multiple / static_cast<double>(powers_of_ten[step.places]);
    BOOST_TEST(size <= 2 * allowed * (1 + 1e-8));
    BOOST_TEST(size >= 2 * allowed * (allowed < 1e-7 ? 0.5 : 0.98));
  }
}

BOOST_AUTO_TEST_CASE(steps_are_found_in_batches_as_one_by_one) {
  auto random = seeded_random("steps_are_found_in_batches_as_one_by_one");
  const auto modes = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD};
  std::size_t longest = 0;
  for (int round = 0; round < 20'000; ++round) {
    const double tolerance = std::exp2(static_cast<double>(below(random, 60)) - 30) / 3;
    const decimal_step step = step_for(tolerance);
    const bool rough = round % 4 == 0;
    std::vector<std::uint64_t> bits(1 + below(random, 90));
    for (std::uint64_t& one : bits) {
      const double size = std::exp2(static_cast<double>(below(random, 30)) - 15);
      const auto value = static_cast<float>((static_cast<double>(random() >> 11) * 0x1p-53 - 0.5) * size);
      one = std::bit_cast<std::uint32_t>(value);
      if (rough && below(random, 40) == 0) one = random() >> 32;
      // The middle between two steps.
      if (rough && below(random, 20) == 0) {
        const double middle = (static_cast<double>(below(random, 1000)) + 0.5) * step.multiple /
                              static_cast<double>(powers_of_ten[step.places]);
        one = std::bit_cast<std::uint32_t>(static_cast<float>(middle));
      }
    }
    std::vector<std::int64_t> together(bits.size()), alone(bits.size());
    std::fesetround(modes.begin()[round % 8 == 0 ? round / 8 % 3 : 0]);
    const std::size_t found = leading_steps(bits, 4, step, tolerance, together.data());
    std::size_t expected = 0;
    while (expected < bits.size() && stepped_of(bits[expected], 4, step, tolerance, alone[expected]))
      ++expected;
    std::fesetround(FE_TONEAREST);
    BOOST_REQUIRE(found == expected);
    BOOST_REQUIRE(
        std::equal(together.begin(), together.begin() + static_cast<std::ptrdiff_t>(found), alone.begin()));
    longest = std::max(longest, found);
  }
  BOOST_TEST(longest > 64u);
}

BOOST_AUTO_TEST_CASE(billionths_become_the_nearest_steps) {
  auto random = seeded_random("billionths_become_the_nearest_steps");
  const auto modes = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD};
  for (int round = 0; round < 20'000; ++round) {
    const decimal_step step{1 + static_cast<std::uint32_t>(below(random, 999)),
                            static_cast<std::uint8_t>(below(random, 10))};
    const auto each = static_cast<std::int64_t>(step.multiple * powers_of_ten[max_places - step.places]);
    std::vector<std::int64_t> numbers(1 + below(random, 40));
    for (std::int64_t& n : numbers) {
      n = static_cast<std::int64_t>(random() % 4'000'000'001) - 2'000'000'000;
      // Around the middle between two steps.
      if (below(random, 2) == 0) n = n / each * each + each / 2 + static_cast<std::int64_t>(random() % 3) - 1;
      n = std::clamp<std::int64_t>(n, -2'000'000'000, 2'000'000'000);
    }
    std::vector<std::int64_t> steps = numbers;
    std::fesetround(modes.begin()[round % 3]);
    from_billionths(steps.data(), steps.size(), {value_kind::floating, 4}, {mapping_kind::stepped, 0, step});
    std::fesetround(FE_TONEAREST);
    for (std::size_t i = 0; i < steps.size(); ++i)
      BOOST_REQUIRE_MESSAGE(steps[i] == divide_rounded(numbers[i], each), numbers[i] << " / " << each);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
