// Means: Google Benchmark runs the loops, this collects the results.
#pragma once

#include <benchmark/benchmark.h>

#include <map>
#include <string>

namespace tickreel::bench {

// Of one benchmark, over its repetitions: processor time in nanoseconds per item (see SetItemsProcessed) or
// per iteration.
struct mean {
  double median_ns = 0;
  double shortest_ns = 0;
  double longest_ns = 0;
  std::map<std::string, double> counters = {};
};

// Runs everything that was registered; the results by benchmark name. Prints nothing. A benchmark that calls SkipWithError ends
// the process with its message.
[[nodiscard]] std::map<std::string, mean> run_registered(bool quick);

}  // namespace tickreel::bench
