#include "cycle_clock.hpp"

#include <algorithm>
#include <thread>

namespace tickreel::bench {

cycle_clock::cycle_clock(std::chrono::milliseconds calibration) {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  const std::uint64_t first = now();
  std::this_thread::sleep_for(calibration);
  const auto end = clock::now();
  const std::uint64_t last = now();
  ns_per_cycle_ =
      std::chrono::duration<double, std::nano>(end - start).count() / static_cast<double>(last - first);

  overhead_cycles_ = ~std::uint64_t{0};
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t before = now();
    overhead_cycles_ = std::min(overhead_cycles_, now() - before);
  }
}

}  // namespace tickreel::bench
