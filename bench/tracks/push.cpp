#include "push.hpp"

#include <memory>

#include "../hot_path/ring_copy.hpp"
#include "../support/arena_match.hpp"
#include "../support/exit_on_error.hpp"
#include "../support/latency.hpp"
#include "../support/throughput.hpp"
#include "arena_tick.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::bench {

void measure_push(program& self) {
  const scratch_folder files("tickreel_bench_tracks_push");
  const cycle_clock clock;
  const std::size_t ticks = self.quick() ? 500 : 20'000;
  std::vector<arena_tick> states;
  for (const echo::state& each : arena_match({.ticks = 600})) states.push_back(arena_tick_of(each));
  auto to =
      must(record<arena_tick>(files / "push.reel", {.ring_ticks = ring_ticks, .ticks_per_second = 1000}));
  ring_copy<arena_tick> ring(sizeof(arena_tick));
  latency_samples push(ticks), copy(ticks);
  tick_schedule schedule(clock, 1000);
  const auto live = std::make_unique<arena_tick>();
  std::uint64_t lost = 0;
  const auto pushed = [&](bool counts) {
    const std::uint64_t start = cycle_clock::now();
    const bool taken = to.push(*live);
    const std::uint64_t end = cycle_clock::now();
    if (!taken) ++lost;
    if (taken && counts) push.add(end - start, schedule.period());
  };
  const auto copied = [&](bool counts) {
    if (!ring.has_room()) return;
    const std::uint64_t start = cycle_clock::now();
    ring.copy(*live);
    const std::uint64_t end = cycle_clock::now();
    if (counts) copy.add(end - start, schedule.period());
  };
  // One unmeasured round of the rings; then the first one alternates.
  for (std::size_t i = 0; i < ring_ticks + ticks; ++i) {
    *live = states[i % states.size()];
    schedule.wait();
    const bool counts = i >= ring_ticks;
    if (i % 2 == 0) pushed(counts);
    copied(counts);
    if (i % 2 != 0) pushed(counts);
  }
  (void)must(to.close());
  const percentiles of_push = push.summarise(clock), of_copy = copy.summarise(clock);
  const percentiles times = ratio(of_push, of_copy);
  table out({"arena_tick at 1000 Hz", "p50", "p99", "p99.9"});
  out.row({"push, ns", figure(of_push.p50), figure(of_push.p99), figure(of_push.p999)});
  out.row({"copy into a ring, ns", figure(of_copy.p50), figure(of_copy.p99), figure(of_copy.p999)});
  out.row({"ratio", figure(times.p50), figure(times.p99), figure(times.p999)});
  out.print();
  auto& all = self.results();
  all["push"] = {{"push_p50_ns", of_push.p50}, {"push_p99_ns", of_push.p99}, {"push_p999_ns", of_push.p999}};
  all["ratio_to_ring_copy"] = {{"push_to_ring_copy_p50", times.p50},
                               {"push_to_ring_copy_p99", times.p99},
                               {"push_to_ring_copy_p999", times.p999}};
  all["lost_ticks"] = lost;
}

}  // namespace tickreel::bench
