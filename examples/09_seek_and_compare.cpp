// Seeks in the match of 07_rts, and finds the first difference between two recordings.
#include <cstdio>
#include <tickreel/game/replay.hpp>

namespace game = tickreel::game;

struct unit {
  std::int32_t x = 0, health = 100;
};
TICKREEL_DESCRIBE(unit, x, health);
using world = game::world_types<game::components<unit>>;

// A machine that computes one tick wrongly, if requested.
bool record(const char* path, std::uint64_t wrong_tick) {
  std::remove(path);
  auto recorder = game::game_recorder<world>::begin(path, {.game = "desync"},
                                                    {.keyframe_interval_ticks = 50, .ring_ticks = 1024});
  unit tank;
  for (std::uint64_t tick = 0; recorder && tick < 400; ++tick) {
    const auto hash = 1 + std::uint64_t(tank.x) * 1000 + std::uint64_t(tank.health);
    (void)recorder->tick(tick, hash, [&](auto& keyframe) { keyframe.entity({7, 1}, "tank").set(tank); });
    tank.x += 2;
    if (tick == wrong_tick) tank.health -= 1;
  }
  return recorder && recorder->end().has_value();
}

int main() {
  auto match = game::replay::open("rts.icrep");
  if (!match) return std::puts(tickreel::describe(match.error()).c_str()), 1;
  const auto there = match->restore(2222);
  if (!there) return std::puts(tickreel::describe(there.error()).c_str()), 1;
  std::printf("tick 2222: %d units at tick %d, then %d ticks of orders\n",
              int(there->snapshot.core.entities.size() - 1), int(there->snapshot.core.tick),
              int(there->tick_count));

  if (!record("here.icrep", 9999) || !record("there.icrep", 217)) return 1;
  auto here = game::replay::open("here.icrep");
  auto other = game::replay::open("there.icrep");
  if (!here || !other) return 1;
  const auto found = game::compare(*here, *other);
  if (!found || !found->first_tick || !found->state) return std::puts("no difference?"), 1;
  std::printf("they part at tick %d; at tick %d %s has %s.%s %s and %s\n", int(*found->first_tick),
              int(found->state->tick), found->state->where.c_str(), found->state->component.c_str(),
              found->state->field.c_str(), found->state->first.c_str(), found->state->second.c_str());
  return *found->first_tick == 218 && found->state->field == "health" ? 0 : 1;
}
