// How long does the generation of an hour of path for 100 actors take, and how much memory does it need?
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>

#include "../support/allocations.hpp"
#include "../support/program.hpp"
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
  double cpu_s = 0;  // of both; it excludes delays of a busy machine
  std::uint64_t blocks = 0;
  std::uint64_t bytes = 0;
  std::uint64_t allocations = 0;  // while blocks are generated
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

void report(bench::table& out, boost::json::array& rows, const char* what, const totals& all, int actors) {
  const double ns_per_block = all.blocks_s * 1e9 / static_cast<double>(all.blocks);
  const double allocations = static_cast<double>(all.allocations) / actors;
  out.row({what, bench::figure(all.plan_s + all.blocks_s), bench::figure(all.cpu_s),
           bench::figure(all.plan_s), bench::figure(all.blocks_s),
           bench::figure(static_cast<double>(all.blocks) / 1e6), bench::figure(ns_per_block),
           bench::figure(static_cast<double>(all.bytes) / 1e6), bench::figure(allocations)});
  rows.push_back({{"work", what},
                  {"seconds", all.plan_s + all.blocks_s},
                  {"cpu_seconds", all.cpu_s},
                  {"plan_seconds", all.plan_s},
                  {"block_seconds", all.blocks_s},
                  {"blocks", all.blocks},
                  {"ns_per_block", ns_per_block},
                  {"out_mb", static_cast<double>(all.bytes) / 1e6},
                  {"allocations_per_actor", allocations}});
}

}  // namespace

int main(int argc, char** argv) {
  bench::program self(argc, argv, "npc", "how long does an hour of path for 100 actors take to make?");
  std::printf("The bar is 2 s for an hour.\n\n");
  const int actors = 100;
  const double seconds = self.quick() ? 600 : 3600;
  bench::table out({"script", "s", "s of CPU", "plans and times", "blocks", "million blocks", "ns each", "MB",
                    "allocations an actor"});
  boost::json::array rows;

  // A closed circuit in laps, and a path with many stops: both for the whole time.
  report(out, rows, "cars in laps",
         measure(actors, seconds,
                 "for i = 1, actors do\n"
                 "  local a = actor{ name='car' .. i, vehicle='car', speed=14 }\n"
                 "  a:loop({ {0, i, 3}, {0, 400 + i, 3}, {300, 420 + i, 8}, {320, 10 + i, 3} }, { "
                 "laps=duration // 88 })\n"
                 "end"),
         actors);
  report(out, rows, "people who walk and stop",
         measure(actors, seconds,
                 "for i = 1, actors do\n"
                 "  local a = actor{ name='guard' .. i, on_foot=true, at={0, i, 3}, heading=0 }\n"
                 "  for round = 1, duration // 44 do\n"
                 "    a:walk_to(0, i + 15):walk_to(15, i + 15):wait(2):walk_to(15, i):walk_to(0, i):wait(1)\n"
                 "  end\n"
                 "end"),
         actors);
  out.print();
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
