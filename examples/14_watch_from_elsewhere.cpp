// Follows a match that is recorded on another machine, by its address at a broker. The same lines follow a
// local reel: 14_watch_from_elsewhere nats://127.0.0.1:4222/league/match
#include <chrono>
#include <cstdio>
#include <tickreel/fleet/follow.hpp>  // with it, and tickreel::fleet linked, follow() accepts addresses
#include <tickreel/tickreel.hpp>

namespace {

// As recorded by 01_embed.
struct world {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(world, x, y);

}  // namespace

int main(int count, char** words) {
  auto live = tickreel::follow<world>(count > 1 ? words[1] : "match.reel");
  if (!live) return std::puts(tickreel::describe(live.error()).c_str()), 1;
  std::uint64_t seen = 0;
  while (!live->ended()) {
    if (const auto more = live->refresh(std::chrono::seconds(1)); !more) {
      return std::puts(tickreel::describe(more.error()).c_str()), 1;
    }
    if (const auto trouble = live->trouble()) std::puts(tickreel::describe(*trouble).c_str());
    for (auto next = live->next(); next && *next; next = live->next()) {
      if (++seen % 100 == 0) std::printf("tick %d: x %.2f\n", int((*next)->tick), double((*next)->state.x));
    }
  }
  for (auto next = live->next(); next && *next; next = live->next()) ++seen;
  std::printf("%d ticks\n", int(seen));
  return seen == 0 ? 1 : 0;
}
