#include "described_units.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>

#include "../support/exit_on_error.hpp"
#include "../support/worlds.hpp"
#include "counted_run.hpp"
#include "tickreel/tickreel.hpp"

namespace tickreel::bench {

void record_units(part counted) {
  using state = world_state<5'000>;
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "tickreel_perf_guard.reel";
  std::filesystem::remove(path);
  constexpr std::uint64_t ticks = 60;
  auto to = must(record<state>(path.string(), {.mode = threading::pumped,
                                               .seal_frames = 20,
                                               .sync_each_chunk = false,
                                               .ring_ticks = 4,
                                               .ticks_per_second = 20}));
  world now({"guarded", state::count, state::count / 100, 20});
  const auto copy = std::make_unique<state>();
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    now.step();
    now.copy_to(*copy);
    const auto push = [&] { (void)to.push_changes(*copy, now.changes()); };
    const auto write = [&] { (void)to.pump(); };
    // The first chunk grows the buffers to their final size.
    const bool is_counted = tick >= 20;
    is_counted && (counted == part::push_of_changes) ? counted_run(push) : push();
    is_counted && (counted == part::writer) ? counted_run(write) : write();
  }
  (void)must(to.close());
  if (counted == part::tick_at_random) {
    auto in = must(replay<state>(path.string()));
    for (const std::uint64_t tick : {55u, 3u, 38u, 21u}) {
      counted_run([&] { *copy = must(in.at(tick)); });
    }
  }
  std::filesystem::remove(path);
}

}  // namespace tickreel::bench
