// What does recording a tick cost with an alternative?

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/arena_match.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/latency.hpp"
#include "../support/process.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "peer.hpp"

namespace {

using namespace tickreel;
using namespace tickreel::bench;

constexpr std::uint32_t rate_hz = 1000;

std::vector<shooter_state> shooter_ticks(std::size_t count) {
  std::vector<shooter_state> ticks(count);
  world now({"shooter", 128, 128, 128});
  for (shooter_state& tick : ticks) {
    now.step();
    now.copy_to(tick);
  }
  return ticks;
}

class report {
 public:
  explicit report(const cycle_clock& clock) : clock_(&clock) {}

  // The same ticks to each alternative, on schedule. Work outside of the calls counts as processor time, not as latency.
  template <class State>
  void measure(const char* workload, std::span<const State> states, std::size_t ticks) {
    const scratch_folder files("tickreel_bench_peers");
    const auto run = [&](const char* name, auto&& make) {
      const std::filesystem::path path = files / "peer";
      std::filesystem::remove(path);
      const std::unique_ptr<peer<State>> to = make(path.string());
      if (to == nullptr) {
        left_out_.emplace_back(name);
        return;
      }
      latency_samples samples(ticks);
      std::uint64_t busy = 0;
      std::uint64_t allocations = 0;
      const auto live = std::make_unique<State>();
      const double others_before = process_cpu_ns() - thread_cpu_ns();
      tick_schedule schedule(*clock_, rate_hz);
      for (std::size_t i = 0; i < ticks; ++i) {
        std::memcpy(static_cast<void*>(live.get()), &states[i % states.size()], sizeof(State));
        schedule.wait();
        const std::uint64_t allocated = allocations_of_this_thread();
        const std::uint64_t start = cycle_clock::now();
        to->record(*live);
        const std::uint64_t cycles = cycle_clock::now() - start;
        allocations += allocations_of_this_thread() - allocated;
        busy += cycles;
        samples.add(cycles, schedule.period());
      }
      const double others_ns = process_cpu_ns() - thread_cpu_ns() - others_before;
      to->finish();
      const auto per_tick = [&](double all) { return all / static_cast<double>(ticks); };
      const double bytes = per_tick(static_cast<double>(std::filesystem::file_size(path)));
      row(workload, name, samples, per_tick(clock_->nanoseconds(busy) + others_ns), bytes,
          per_tick(static_cast<double>(allocations)));
    };
    run("tickreel", make_recorder<State>);
    run("JSON lines, deflate", make_json<State>);
    run("protobuf, one zstd stream", make_protobuf<State>);
    run("row structs, zstd per MiB", [](const auto& path) { return make_rows<State>(path, codec_id::zstd); });
    run("row structs, lz4 per MiB", [](const auto& path) { return make_rows<State>(path, codec_id::lz4); });
    run("MCAP, zstd per MiB", make_mcap<State>);
  }

  boost::json::array finish() {
    out_.print();
    for (std::size_t i = 0; i < left_out_.size() / 2; ++i) {
      fmt::print("left out: {}, which this build does not have\n", left_out_[i]);
    }
    return std::move(rows_);
  }

 private:
  void row(const char* workload, const char* name, latency_samples& samples, double cpu_ns, double bytes,
           double allocations) {
    const percentiles found = samples.summarise(*clock_);
    out_.row({name, workload, figure(found.p50 / 1000), figure(found.p90 / 1000), figure(found.p99 / 1000),
              figure(found.p999 / 1000), figure(found.max / 1000), figure(cpu_ns / 1000), figure(bytes),
              figure(allocations)});
    boost::json::object json = to_json(found);
    json["peer"] = name;
    json["workload"] = workload;
    json["cpu_ns_per_tick"] = cpu_ns;
    json["bytes_per_tick"] = bytes;
    json["allocations"] = allocations;
    json["histogram"] = to_json(samples.histogram(*clock_));
    rows_.push_back(std::move(json));
  }

  const cycle_clock* clock_;
  table out_{{"us on the game's thread", "workload", "p50", "p90", "p99", "p99.9", "max", "processor us/tick",
              "bytes/tick", "allocations"}};
  boost::json::array rows_;
  std::vector<std::string> left_out_;  // once per workload
};

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "peers", "what does a tick cost with what a user would use instead?");
  fmt::print(
      "The same ticks at {} Hz to each, one after the other, into files in the temporary folder. A call "
      "longer than\n"
      "a tick counts for every tick it would have held up. Processor time: the calls and all other "
      "threads.\n\n",
      rate_hz);
  const cycle_clock clock;
  report out(clock);
  const std::size_t ticks = self.quick() ? 500 : 3'000;
  const auto match = arena_match({.bones = true, .ticks = 600});
  out.measure<echo::state>("8 players with bones", match, ticks);
  const auto shooter = shooter_ticks(600);
  out.measure<shooter_state>("shooter, 128 players", shooter, ticks);
  self.results()["rate_hz"] = rate_hz;
  self.results()["rows"] = out.finish();
  return self.finish();
}
