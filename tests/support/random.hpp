// Seeds for property tests: printed, and repeatable through TICKREEL_TEST_SEED.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace tickreel::test {

// A generator whose seed is printed, so that a failure can be repeated: TICKREEL_TEST_SEED=<seed> ctest -R
// ...
inline std::mt19937_64 seeded_random(const char* what) {
  const char* given = std::getenv("TICKREEL_TEST_SEED");
  const std::uint64_t seed = given ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::cout << what << ": TICKREEL_TEST_SEED=" << seed << '\n';
  return std::mt19937_64(seed);
}

}  // namespace tickreel::test
