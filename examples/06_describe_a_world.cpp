// Describes structs in one line each, and records them into an .icrep file.
#include <cstdio>
#include <tickreel/game/game_recorder.hpp>
#include <tickreel/game/replay.hpp>

enum class mood : std::uint8_t { calm, angry };
struct position {
  float x = 0, y = 0;
};
TICKREEL_DESCRIBE(position, x, y);
struct creature {
  mood now = mood::calm;
  std::uint16_t health = 100;
  std::optional<position> goal;
  tickreel::short_text<15> name;
};
TICKREEL_DESCRIBE(creature, now, health, goal, name);
struct score {
  std::int32_t points = 0;
};
TICKREEL_DESCRIBE(score, points);

using world = tickreel::game::world_types<tickreel::game::components<position, creature>,
                                          tickreel::game::player_fields<score>>;

int main() {
  std::remove("creatures.icrep");
  tickreel::game::match about;
  about.game = "creatures";
  about.players = {{0, "Ada", "", "", 0}};
  auto recorder =
      tickreel::game::game_recorder<world>::begin("creatures.icrep", about, {.keyframe_interval_ticks = 60});
  if (!recorder) return std::puts(tickreel::describe(recorder.error()).c_str()), 1;

  position place;
  creature wolf{.goal = position{10, 0}, .name = "Grey"};
  score points;
  for (std::uint64_t tick = 0; tick < 300; ++tick, place.x += 0.5f, ++points.points) {
    // Called only if a keyframe is due.
    const auto recorded = recorder->tick(tick, 0, [&](auto& keyframe) {
      keyframe.entity({1, 0}, "wolf").set(place).set(wolf);
      keyframe.player(0).set(points);
    });
    if (!recorded) return std::puts(tickreel::describe(recorded.error()).c_str()), 1;
  }
  const auto report = recorder->end();
  if (!report || !report->nothing_lost()) return std::puts("something was lost"), 1;

  auto replay = tickreel::game::replay::open("creatures.icrep");
  const auto found = replay ? replay->restore(130) : tl::unexpected(replay.error());
  if (!found) return std::puts(tickreel::describe(found.error()).c_str()), 1;
  const auto there = replay->get<world, position>(found->snapshot.core.entities.at(0));
  std::printf("tick 130: the wolf was at %.1f, %d ticks before\n", double(there->x), int(found->tick_count));
  return there->x == 60.0f ? 0 : 1;  // its position at tick 120
}
