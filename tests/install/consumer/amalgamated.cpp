// With tickreel.hpp and tickreel.cpp of scripts/amalgamate, and without exceptions and RTTI: record, follow, replay.
#include "tickreel.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

struct world {
  float x = 0;
  std::int32_t score = 0;
};
TICKREEL_DESCRIBE(world, x, score);

int main(int, char** arguments) {
  using namespace std::chrono_literals;
  const char* const path = arguments[1];
  auto out = tickreel::record<world>(path, {.seal_interval_ms = 20, .ticks_per_second = 60});
  auto live = tickreel::follow<world>(path);
  if (!out || !live) return std::puts("cannot record and follow"), 1;
  for (std::int32_t tick = 0; tick < 300; ++tick) {
    while (!out->push({static_cast<float>(tick) / 4, tick})) std::this_thread::sleep_for(1ms);
  }
  const auto report = out->close();
  if (!report || report->counters.written != 300) return std::puts("ticks were not written"), 1;

  std::int32_t followed = 0;
  if (!live->refresh()) return std::puts("cannot refresh"), 1;
  for (auto next = live->next(); next && *next; next = live->next())
    followed += (*next)->state.score == followed ? 1 : 0;
  if (followed != 300) return std::printf("followed %d ticks\n", followed), 1;

  auto in = tickreel::replay<world>(path);
  const auto state = in ? in->at(200) : tickreel::result<world>(world{});
  if (!in || !state || state->x != 50 || state->score != 200) return std::puts("cannot replay"), 1;
  return 0;
}
