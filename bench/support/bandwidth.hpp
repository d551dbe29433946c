// The bound of everything that reads a whole world: how fast one core reads memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cycle_clock.hpp"

namespace tickreel::bench {

// Bytes per nanosecond (GB/s), best of the passes over `bytes`: much more than the caches, or the size of a world to include the
// effect of the caches.
[[nodiscard]] inline double read_bandwidth(const cycle_clock& clock, std::size_t bytes) {
  std::vector<std::uint64_t> memory(bytes / sizeof(std::uint64_t), 1);
  double best = 0;
  volatile std::uint64_t result = 0;  // so that the sums are not optimised away
  for (int pass = 0; pass < 8; ++pass) {
    const std::uint64_t start = cycle_clock::now();
    // Four at a time, so that no addition waits for the previous one.
    std::uint64_t sums[4] = {};
    for (std::size_t i = 0; i + 4 <= memory.size(); i += 4) {
      for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += memory[i + lane];
    }
    result = result + sums[0] + sums[1] + sums[2] + sums[3];
    const double ns = clock.nanoseconds(cycle_clock::now() - start);
    best = std::max(best, static_cast<double>(bytes) / ns);
  }
  return best;
}

}  // namespace tickreel::bench
