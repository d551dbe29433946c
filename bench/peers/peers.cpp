// What does recording a world cost with Tickreel, and with what a user would use instead?

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <random>
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

constexpr std::uint32_t rate_hz = 60;

template <class State>
struct candidate {
  const char* name;
  std::function<std::unique_ptr<peer<State>>(const std::string& path)> make;
  bool is_exact = true;
};

// Those that take every state.
template <class State>
std::vector<candidate<State>> common_candidates() {
  return {
      {"row structs, zstd per MiB", [](const auto& path) { return make_rows<State>(path, codec_id::zstd); }},
      {"row structs, lz4 per MiB", [](const auto& path) { return make_rows<State>(path, codec_id::lz4); }},
      {"MCAP of row structs, zstd", make_mcap<State>},
      {"protobuf, one zstd stream", make_protobuf<State>}};
}

template <class State>
std::vector<candidate<State>> world_candidates() {
  std::vector<candidate<State>> out = common_candidates<State>();
  out.insert(out.begin(), {"tickreel, record<T>()", make_recorder<State>});
  out.push_back({"FlatBuffers, zstd per MiB", make_flatbuffers<State>});
  out.push_back({"Arrow IPC, zstd", make_arrow<State>});
  return out;
}

class report {
 public:
  explicit report(const cycle_clock& clock) : clock_(&clock) {}

  // The same ticks to each candidate, on schedule. Work outside of the calls counts as processor time, not as latency.
  template <class State>
  void measure(const char* workload, std::size_t row_bytes, std::span<const State> states, std::size_t ticks,
               const std::vector<candidate<State>>& candidates) {
    const scratch_folder files("tickreel_bench_peers");
    for (const candidate<State>& each : candidates) {
      const std::filesystem::path path = files / "peer.reel";
      std::filesystem::remove(path);
      const std::unique_ptr<peer<State>> to = each.make(path.string());
      if (to == nullptr) {
        fmt::print("left out: {}, which this build does not have\n", each.name);
        continue;
      }
      boost::json::object row = record(*to, states, ticks);
      row["peer"] = each.name;
      row["workload"] = workload;
      row["row_bytes"] = row_bytes;
      row["bytes_per_tick"] =
          static_cast<double>(std::filesystem::file_size(path)) / static_cast<double>(ticks);
      add_reads(row, *to, states, ticks, each);
      print(row);
      rows_.push_back(std::move(row));
    }
  }

  boost::json::array finish() {
    out_.print();
    return std::move(rows_);
  }

 private:
  template <class State>
  boost::json::object record(peer<State>& to, std::span<const State> states, std::size_t ticks) {
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
      to.record(*live);
      const std::uint64_t cycles = cycle_clock::now() - start;
      allocations += allocations_of_this_thread() - allocated;
      busy += cycles;
      samples.add(cycles, schedule.period());
    }
    const double others_ns = process_cpu_ns() - thread_cpu_ns() - others_before;
    const double before_finish = process_cpu_ns();
    to.finish();
    const double finish_ns = process_cpu_ns() - before_finish;
    boost::json::object out = to_json(samples.summarise(*clock_));
    out["cpu_ns_per_tick"] = (clock_->nanoseconds(busy) + others_ns + finish_ns) / static_cast<double>(ticks);
    out["allocations"] = static_cast<double>(allocations) / static_cast<double>(ticks);
    out["histogram"] = to_json(samples.histogram(*clock_));
    return out;
  }

  // Processor time of a tick at random; nothing if the file can only be read from its beginning.
  template <class State>
  void add_reads(boost::json::object& row, peer<State>& from, std::span<const State> states,
                 std::size_t ticks, const candidate<State>& of) {
    std::mt19937_64 random(20220716);
    std::vector<double> times;
    const auto found = std::make_unique<State>();
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t tick = random() % ticks;
      const double start = thread_cpu_ns();
      if (!from.read(tick, *found)) return;
      times.push_back(thread_cpu_ns() - start);
      if constexpr (described<State>) {
        if (of.is_exact && std::memcmp(found.get(), &states[tick % states.size()], sizeof(State)) != 0) {
          stop("a state that was read differs from what was recorded");
        }
      }
    }
    std::sort(times.begin(), times.end());
    row["read_p50_ns"] = times[times.size() / 2];
    row["read_p95_ns"] = times[times.size() * 95 / 100];
  }

  void print(const boost::json::object& row) {
    const auto us = [&row](const char* key) { return figure(row.at(key).to_number<double>() / 1000); };
    const auto* const read_ns = row.if_contains("read_p50_ns");
    out_.row({row.at("peer").as_string().c_str(), row.at("workload").as_string().c_str(),
              figure(row.at("bytes_per_tick").to_number<double>()), us("p50_ns"), us("p99_ns"), us("p999_ns"),
              us("max_ns"), us("cpu_ns_per_tick"), figure(row.at("allocations").to_number<double>()),
              read_ns == nullptr ? "-" : figure(read_ns->to_number<double>() / 1e6)});
  }

  const cycle_clock* clock_;
  table out_{{"us on the game's thread", "workload", "bytes/tick", "p50", "p99", "p99.9", "max",
              "processor us/tick", "allocations", "any tick, ms"}};
  boost::json::array rows_;
};

}  // namespace

int main(int argc, char** argv) {
  program self(argc, argv, "peers",
               "what does recording a world cost, and with what a user would use instead?");
  fmt::print(
      "The same ticks at {} Hz to each, one after the other, into files in the temporary folder. A call "
      "longer than\n"
      "a tick counts for every tick it would have held up. Processor time: the calls and all other "
      "threads.\n\n",
      rate_hz);
  const cycle_clock clock;
  report out(clock);
  // Ten seconds: the longest chain of chunks that continue.
  const std::size_t ticks = self.quick() ? 60 : 600;

  auto shooter = world_candidates<shooter_state>();
  shooter.push_back({"JSON lines, deflate", make_json<shooter_state>});
  out.measure<shooter_state>("shooter, 128 players", sizeof(shooter_state), shooter_states(ticks), ticks,
                             shooter);
  out.measure<strategy_state>("strategy, 5,000 units, 1 % change", sizeof(strategy_state),
                              strategy_states(ticks), ticks, world_candidates<strategy_state>());
  auto physics = world_candidates<physics_state>();
  const auto declared = [](std::uint32_t seal_ticks) {
    return [=](const std::string& path) { return make_declared(path, seal_ticks); };
  };
  physics.insert(physics.begin() + 1,
                 {{"tickreel, with tolerances", declared(0), false},
                  {"tickreel, with tolerances, sealed every 8 ticks", declared(8), false}});
  out.measure<physics_state>("physics, 2,000 bodies, all move", sizeof(physics_state), physics_states(ticks),
                             ticks, physics);
  const auto columns = [](std::uint32_t seal_ticks) {
    return [=](const std::string& path) { return make_columns(path, seal_ticks); };
  };
  std::vector<candidate<echo::state>> arena = {{"tickreel, all values", columns(0)},
                                               {"tickreel, all values, sealed every 20 ticks", columns(20)},
                                               {"tickreel, .butter", make_butter, false}};
  for (auto& each : common_candidates<echo::state>()) arena.push_back(std::move(each));
  arena.push_back({"JSON lines, deflate", make_json<echo::state>});
  const auto match = arena_match({.bones = true, .ticks = ticks});
  out.measure<echo::state>("Echo VR, 8 players with bones", used_bytes(match.front()), match, ticks, arena);
  self.results()["rate_hz"] = rate_hz;
  self.results()["ticks"] = ticks;
  self.results()["rows"] = out.finish();
  return self.finish();
}
