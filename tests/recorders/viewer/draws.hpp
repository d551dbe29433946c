// Random numbers of a printed seed.
#pragma once

#include "random.hpp"

namespace tickreel::test {

class draws {
 public:
  explicit draws(const char* what) : from_(seeded_random(what)) {}
  std::uint64_t below(std::uint64_t end) { return from_() % end; }
  double real(double low, double high) {
    return low + (high - low) * (static_cast<double>(from_() >> 11) / 9007199254740992.0);
  }

 private:
  std::mt19937_64 from_;
};

}  // namespace tickreel::test
