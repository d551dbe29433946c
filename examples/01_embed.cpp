#include <cstdio>
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(world, x, y);

int main() {
  auto out = tickreel::record<world>("match.reel", {.ticks_per_second = 60});
  if (!out) return std::puts(tickreel::describe(out.error()).c_str()), 1;
  world now;
  for (int tick = 0; tick < 600; ++tick, now.x += 0.25f) out->push(now);  // never waits
  const auto report = out->close();
  return report ? std::printf("%d ticks\n", int(report->counters.written)), 0 : 1;
}
