// Seeks to random ticks of a recording of described structs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "../support/exit_on_error.hpp"
#include "../support/process.hpp"

namespace tickreel::bench {

// Processor time of each seek, since waiting for a core is not the reader's cost.
class seek_times {
 public:
  template <class Replay>
  seek_times(Replay& in, std::uint64_t ticks, std::size_t count) {
    std::mt19937_64 random(20220716);
    for (std::size_t i = 0; i < count; ++i) {
      const double start = thread_cpu_ns();
      (void)must(in.at(random() % ticks));
      us_.push_back((thread_cpu_ns() - start) / 1000);
    }
    std::sort(us_.begin(), us_.end());
  }

  [[nodiscard]] double us(double part) const {
    return us_[static_cast<std::size_t>(part * static_cast<double>(us_.size() - 1))];
  }

 private:
  std::vector<double> us_;
};

}  // namespace tickreel::bench
