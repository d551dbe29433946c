// How long one hour of path takes to make, for 100 actors, and how much memory.
//
//   bench_npc [--actors 100] [--seconds 3600]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "../support/allocations.hpp"
#include "tickreel/npc/build.hpp"

namespace {

using namespace tickreel;
using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point start) {
  return std::chrono::duration<double>(clock_type::now() - start).count();
}

struct totals {
  double plan_s = 0;
  double blocks_s = 0;
  double cpu_s = 0;  // of both; what a busy machine adds to the others is not in it
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t allocations = 0;  // while blocks are made
};

totals measure(int actors, double duration_s, const char* directions) {
  totals all;
  const std::clock_t cpu_start = std::clock();
  const std::string text = fmt::format("local actors, duration = {}, {}\n{}", actors, duration_s, directions);
  auto start = clock_type::now();
  auto made = npc::run_script(text, "bench.lua");
  if (!made) {
    std::fprintf(stderr, "%s\n", made.error().c_str());
    std::exit(1);
  }
  std::vector<npc::plan*> parts;
  for (const auto& each : made->actors) parts.push_back(each.part.get());
  const auto when = npc::schedule(parts);
  if (!when) {
    std::fprintf(stderr, "%s\n", when.error().text.c_str());
    std::exit(1);
  }
  all.plan_s = seconds_since(start);
  start = clock_type::now();
  const std::uint64_t before = bench::allocations_of_this_thread();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto file = npc::write_actor(*parts[i], (*when)[i], [&](byte_span piece) -> result<void> {
      all.bytes += piece.size();
      return {};
    });
    if (!file) std::exit(1);
    all.blocks += file->blocks;
  }
  all.allocations = bench::allocations_of_this_thread() - before;
  all.blocks_s = seconds_since(start);
  all.cpu_s = static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC;
  return all;
}

void report(const char* what, const totals& all, int actors) {
  std::printf(
      "%-26s %6.2f s, %.2f s of CPU (%.2f s plans and times, %.2f s blocks)  %5.1f million blocks, %4.0f ns "
      "each, %.0f MB, "
      "%.1f allocations an actor\n",
      what, all.plan_s + all.blocks_s, all.cpu_s, all.plan_s, all.blocks_s,
      static_cast<double>(all.blocks) / 1e6, all.blocks_s * 1e9 / static_cast<double>(all.blocks),
      static_cast<double>(all.bytes) / 1e6, static_cast<double>(all.allocations) / actors);
}

}  // namespace

int main(int argc, char** argv) {
  int actors = 100;
  double seconds = 3600;
  CLI::App program("One hour of path for 100 actors");
  program.add_option("--actors", actors, "How many")->check(CLI::Range(1, 1000));
  program.add_option("--seconds", seconds, "How long each part is")->check(CLI::Range(10, 48 * 3600));
  CLI11_PARSE(program, argc, argv);

  // A closed round in laps, and a way of many stops: both for the whole time.
  report("cars in laps",
         measure(actors, seconds,
                 "for i = 1, actors do\n"
                 "  local a = actor{ name='car' .. i, vehicle='car', speed=14 }\n"
                 "  a:loop({ {0, i, 3}, {0, 400 + i, 3}, {300, 420 + i, 8}, {320, 10 + i, 3} }, { "
                 "laps=duration // 88 })\n"
                 "end"),
         actors);
  report("people who walk and stop",
         measure(actors, seconds,
                 "for i = 1, actors do\n"
                 "  local a = actor{ name='guard' .. i, on_foot=true, at={0, i, 3}, heading=0 }\n"
                 "  for round = 1, duration // 44 do\n"
                 "    a:walk_to(0, i + 15):walk_to(15, i + 15):wait(2):walk_to(15, i):walk_to(0, i):wait(1)\n"
                 "  end\n"
                 "end"),
         actors);
  std::printf("bound: 2 s for 100 actors and 3600 s\n");
}
