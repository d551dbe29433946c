// Records a hundred ticks of a described world and restores one.
#include <cstdio>
#include <tickreel/game/game_recorder.hpp>
#include <tickreel/game/replay.hpp>

struct place {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(place, x, y);

namespace game = tickreel::game;
using world = game::world_types<game::components<place>, game::player_fields<>, game::singletons<>>;

int main() {
  std::remove("game.icrep");
  game::match about;
  about.game = "consumer";
  auto recorder = game::game_recorder<world>::begin("game.icrep", about, {.keyframe_interval_ticks = 1});
  if (!recorder) return std::puts(tickreel::describe(recorder.error()).c_str()), 1;
  for (unsigned tick = 0; tick < 100; ++tick) {
    (void)recorder->tick(tick, 0, [&](auto& keyframe) {
      keyframe.entity({1, 1}, "wolf").set(place{static_cast<float>(tick), 2});
    });
  }
  if (const auto ended = recorder->end(); !ended || !ended->nothing_lost()) return 1;
  const auto replay = game::replay::open("game.icrep");
  if (!replay) return 1;
  const auto state = replay->restore(60);
  if (!state) return 1;
  const auto at = replay->get<world, place>(state->snapshot.core.entities.at(0));
  return at && at->x == 60 ? 0 : 1;
}
