#include "mean.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace tickreel::bench {
namespace {

class gatherer final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      if (run.error_occurred) {
        fmt::print(stderr, "{}: {}\n", run.run_name.function_name, run.error_message);
        std::exit(1);
      }
      auto& [times, counters] = found[run.run_name.function_name];
      const auto items = run.counters.find("items_per_second");
      times.push_back(items != run.counters.end()
                          ? 1e9 / items->second.value
                          : run.cpu_accumulated_time * 1e9 / static_cast<double>(run.iterations));
      for (const auto& [name, counter] : run.counters) counters[name] = counter.value;
    }
  }

  std::map<std::string, std::pair<std::vector<double>, std::map<std::string, double>>> found;
};

}  // namespace

std::map<std::string, mean> run_registered(bool quick) {
  std::string name = "bench";
  // Repetitions and the median of them, because the machine may be shared.
  std::string least_time = quick ? "--benchmark_min_time=0.01" : "--benchmark_min_time=0.05";
  std::string repetitions = quick ? "--benchmark_repetitions=1" : "--benchmark_repetitions=5";
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {name.data(), least_time.data(), repetitions.data(), interleaved.data(), nullptr};
  int count = 4;
  benchmark::Initialize(&count, arguments);
  gatherer all;
  benchmark::RunSpecifiedBenchmarks(&all);

  std::map<std::string, mean> out;
  for (auto& [benchmark_name, result] : all.found) {
    auto& [times, counters] = result;
    std::sort(times.begin(), times.end());
    out[benchmark_name] = {times[times.size() / 2], times.front(), times.back(), counters};
  }
  return out;
}

}  // namespace tickreel::bench
