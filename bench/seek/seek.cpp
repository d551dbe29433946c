// How long does a seek to any tick of a long recording take?

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <utility>

#include "../support/cycle_clock.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/recording.hpp"

int main(int argc, char** argv) {
  using namespace tickreel;
  using namespace tickreel::bench;

  program self(argc, argv, "seek", "how long until any tick of a long recording is there?");
  const scratch_folder files("tickreel_bench_seek");
  const cycle_clock clock;
  const std::size_t seeks = self.quick() ? 200 : 3000;
  const float seconds = self.quick() ? 20.0f : 3600.0f;
  fmt::print(
      "A simulated match of {:.0f} seconds with bones at 60 Hz; ticks at random, same seed. Warm: each file "
      "was read\n"
      "once before, so a .butter, which has no index, knows where its chunks begin.\n\n",
      seconds);
  echo_vr::simulated_source match({.seed = 20220716, .match_seconds = seconds});
  // Chunks of five seconds, as every known writer writes them, and of ten.
  const auto butter = files / "match.butter";
  const auto long_chunks = files / "long_chunks.butter";
  const auto reel = files / "match.reel";
  const std::uint64_t ticks = must(files::convert(match, butter)).ticks;
  files::convert_options ten_seconds;
  ten_seconds.keyframe_interval_ticks = 600;
  (void)must(files::convert(butter, long_chunks, ten_seconds));
  (void)must(files::convert(butter, reel));
  files::convert_options five_seconds;
  five_seconds.keyframe_interval_ticks = 300;
  const auto rare_keyframes = files / "rare_keyframes.reel";
  (void)must(files::convert(butter, rare_keyframes, five_seconds));

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
  const std::pair<std::filesystem::path, std::string> kinds[] = {
      {reel, "reel, a keyframe every second"},
      {rare_keyframes, "reel, a keyframe every 5 s"},
      {butter, "butter, 5 s chunks of gzip"},
      {long_chunks, "butter, 10 s chunks of gzip"}};
  for (const auto& [path, kind] : kinds) {
    latency_samples opening(20), seeking(seeks);
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t start = cycle_clock::now();
      const auto from = must(files::open(path));
      (void)must(from->next());
      opening.add(cycle_clock::now() - start, 0);
    }
    const auto from = must(files::open(path));
    while (must(from->next())) {}
    std::mt19937_64 random(20220716);
    for (std::size_t i = 0; i < seeks; ++i) {
      const std::uint64_t tick = random() % ticks;
      const std::uint64_t start = cycle_clock::now();
      must(from->seek(files::moment::at_tick(tick)));
      const bool there = must(from->next());
      seeking.add(cycle_clock::now() - start, 0);
      if (!there || from->position().tick != tick) {
        fmt::print(stderr, "seeking tick {} of {} led elsewhere\n", tick, path.string());
        return 1;
      }
    }
    report(fmt::format("open a {} and read its first tick", kind), opening);
    report(fmt::format("seek to any of {} ticks of a {}", ticks, kind), seeking);
  }
  out.print();
  self.results()["ticks"] = ticks;
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
