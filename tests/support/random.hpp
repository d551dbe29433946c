// Seeds for property tests.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>

namespace tickreel::test {

// A generator whose seed is printed. The seed is the same in every run, so the result of a test depends on the code alone.
// TICKREEL_TEST_SEED=N chooses another seed, TICKREEL_TEST_SEED=new a random one.
inline std::mt19937_64 seeded_random(const char* what) {
  constexpr std::uint64_t usual_seed = 1;
  const char* given = std::getenv("TICKREEL_TEST_SEED");
  const std::uint64_t seed = given == nullptr              ? usual_seed
                             : std::string(given) == "new" ? std::random_device{}()
                                                           : std::strtoull(given, nullptr, 10);
  std::cout << what << ": TICKREEL_TEST_SEED=" << seed << '\n';
  return std::mt19937_64(seed);
}

}  // namespace tickreel::test
