// What does event detection cost?

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../support/allocations.hpp"
#include "../support/cycle_clock.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/program.hpp"
#include "../support/throughput.hpp"
#include "tickreel/echo/events.hpp"
#include "tickreel/echo_vr/live_feed.hpp"
#include "tickreel/echo_vr/simulated_source.hpp"
#include "tickreel/files/convert.hpp"
#include "tickreel/files/recording.hpp"

namespace {

struct counting final : tickreel::echo::event_listener {
  std::uint64_t events = 0;
  void happened(const tickreel::echo::event&) noexcept override { ++events; }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace tickreel;
  using namespace tickreel::bench;

  program self(argc, argv, "events", "what does it cost to know what happened?");
  const scratch_folder files("tickreel_bench_events");
  const cycle_clock clock;
  const float seconds = self.quick() ? 20.0f : 600.0f;
  const int rounds = self.quick() ? 2 : 15;
  fmt::print("A simulated match of {:.0f} seconds, 8 players.\n\n", seconds);
  table out({"", "p50", "p99", "max", "samples"});
  boost::json::array rows;
  const auto report = [&](std::string name, latency_samples& samples, double per_unit) {
    const percentiles found = samples.summarise(clock);
    out.row({name, figure(found.p50 / per_unit), figure(found.p99 / per_unit), figure(found.max / per_unit),
             std::to_string(found.samples)});
    boost::json::object row = to_json(found);
    row["work"] = name.substr(0, name.rfind(','));  // the unit is that of the table
    rows.push_back(std::move(row));
  };

  echo_vr::match_simulator live({.seed = 20220716, .bones = false, .match_seconds = seconds});
  echo::event_detector detector;
  counting found;
  latency_samples looks(static_cast<std::size_t>(seconds + 10) * 60);
  const auto tick = std::make_unique<echo::state>();
  for (std::uint64_t number = 0; live.next(*tick); ++number) {
    const std::uint64_t start = cycle_clock::now();
    detector.see(number, *tick, found);
    looks.add(cycle_clock::now() - start, 0);
  }
  report("a tick live, us", looks, 1e3);

  // The cost of a poll for overlays, bots and clips: the feed's copy, and its own detector.
  {
    echo_vr::match_simulator again({.seed = 20220716, .bones = false, .match_seconds = seconds});
    echo_vr::live_feed feed;
    echo_vr::live_feed::writer game(feed, "127.0.0.1:6721");
    latency_samples polls(static_cast<std::size_t>(seconds + 10) * 60);
    std::uint64_t allocations = 0;
    std::uint64_t ticks = 0;
    while (again.next(*tick)) {
      const std::uint64_t before = allocations_of_this_thread();
      const std::uint64_t start = cycle_clock::now();
      game.see(*tick, 0);
      polls.add(cycle_clock::now() - start, 0);
      allocations += allocations_of_this_thread() - before;
      ++ticks;
    }
    report("a poll with the live feed, us", polls, 1e3);
    self.results()["live_feed_allocations_per_poll"] =
        static_cast<double>(allocations) / static_cast<double>(std::max<std::uint64_t>(ticks, 1));
  }

  for (const std::uint32_t rate_hz : {30u, 60u}) {
    for (const bool bones : {false, true}) {
      echo_vr::simulated_source match(
          {.seed = 20220716, .rate_hz = rate_hz, .bones = bones, .match_seconds = seconds});
      const auto path = files / (bones ? "bones.butter" : "match.butter");
      (void)must(files::convert(match, path, {.overwrite = true}));
      latency_samples all(static_cast<std::size_t>(rounds));
      std::vector<double> processor_ms;
      for (int i = 0; i < rounds; ++i) {
        const std::clock_t began = std::clock();
        const std::uint64_t start = cycle_clock::now();
        const auto from = must(files::open(path));
        (void)must(from->events({}, [](std::string_view) { return true; }));
        all.add(cycle_clock::now() - start, 0);
        processor_ms.push_back(1000.0 * static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC);
      }
      std::nth_element(processor_ms.begin(), processor_ms.begin() + rounds / 2, processor_ms.end());
      fmt::print("{} Hz{}: {} ms of processor time\n", rate_hz, bones ? " with bones" : "",
                 figure(processor_ms[static_cast<std::size_t>(rounds) / 2]));
      report(fmt::format("all of a .butter, {} Hz{}, ms", rate_hz, bones ? " with bones" : ""), all, 1e6);
    }
  }
  fmt::print("\n");
  out.print();
  self.results()["events"] = found.events;
  self.results()["rows"] = std::move(rows);
  return self.finish();
}
