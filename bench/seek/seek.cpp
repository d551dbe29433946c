// How long until any tick of a long recording is there?

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include "../support/cycle_clock.hpp"
#include "../support/latency.hpp"
#include "../support/must.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/recording/convert.hpp"
#include "tickreel/recording/recording.hpp"

int main(int argc, char** argv) {
  using namespace tickreel;
  using namespace tickreel::bench;

  program self(argc, argv, "seek", "how long until any tick of a long recording is there?");
  fmt::print(
      "A simulated match with bones at 60 Hz, a keyframe every 300 ticks; ticks at random, same seed.\n\n");
  const scratch_folder files("tickreel_bench_seek");
  const cycle_clock clock;
  const std::size_t seeks = self.quick() ? 50 : 200;
  echo_vr::simulated_source match({.seed = 20220716, .match_seconds = self.quick() ? 5.0f : 60.0f});
  const auto butter = files / "match.butter";
  const auto reel = files / "match.reel";
  const std::uint64_t ticks = must(recording::convert(match, butter)).ticks;
  (void)must(recording::convert(butter, reel));

  table out({"us", "p50", "p90", "p99", "p99.9", "max", "samples"});
  boost::json::array rows;
  const auto report = [&](std::string name, latency_samples& samples) {
    const percentiles found = samples.summarise(clock);
    out.row({name, figure(found.p50 / 1000), figure(found.p90 / 1000), figure(found.p99 / 1000),
             figure(found.p999 / 1000), figure(found.max / 1000), std::to_string(found.samples)});
    boost::json::object row = to_json(found);
    row["work"] = std::move(name);
    rows.push_back(std::move(row));
  };
  for (const auto& path : {butter, reel}) {
    const std::string kind = path.extension().string().substr(1);
    latency_samples opening(20), seeking(seeks);
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t start = cycle_clock::now();
      const auto from = must(recording::open(path));
      (void)must(from->next());
      opening.add(cycle_clock::now() - start, 0);
    }
    const auto from = must(recording::open(path));
    std::mt19937_64 random(20220716);
    for (std::size_t i = 0; i < seeks; ++i) {
      const std::uint64_t tick = random() % ticks;
      const std::uint64_t start = cycle_clock::now();
      must(from->seek(recording::moment::at_tick(tick)));
      const bool there = must(from->next());
      seeking.add(cycle_clock::now() - start, 0);
      if (!there || from->position().tick != tick) {
        fmt::print(stderr, "seeking tick {} of {} led elsewhere\n", tick, path.string());
        return 1;
      }
    }
    report(fmt::format("open a {} and read its first tick", kind), opening);
    report(fmt::format("seek in a {} of {} ticks", kind, ticks), seeking);
  }
  out.print();
  self.results()["ticks"] = ticks;
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
