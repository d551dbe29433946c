// A viewer that follows a recording while it is being written: a recorder on one side, a reader on the other.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>
#include <tickreel/tickreel.hpp>

namespace {

struct score {
  std::int32_t blue = 0, orange = 0;
};
TICKREEL_DESCRIBE(score, blue, orange);

}  // namespace

int main() {
  using namespace std::chrono_literals;
  std::filesystem::remove("live.reel");
  // Viewers need ticks sooner than once a second: seal often, and leave syncing to the system.
  auto out = tickreel::record<score>(
      "live.reel", {.seal_interval_ms = 50, .sync_each_chunk = false, .ticks_per_second = 100});
  auto viewer = tickreel::follow<score>("live.reel");
  if (!out || !viewer) return 1;

  std::uint64_t seen = 0;
  const auto watch = [&] {
    if (!viewer->refresh()) return;
    for (auto next = viewer->next(); next && *next; next = viewer->next()) {
      ++seen;
      if ((*next)->tick % 20 == 0) std::printf("%d : %d\n", (*next)->state.blue, (*next)->state.orange);
    }
  };
  for (std::int32_t tick = 0; tick < 100; ++tick) {
    out->push({tick / 10, tick / 20});
    std::this_thread::sleep_for(5ms);
    watch();
  }
  if (const auto closed = out->close(); !closed) return 1;
  watch();
  return seen == 100 ? 0 : 1;
}
