// A shooter is not deterministic: the state of every tick is kept, 128 a second for 64 players.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <thread>
#include <tickreel/game/replay.hpp>

struct pose {
  float x = 0, y = 0, z = 0, yaw = 0, pitch = 0;
};
TICKREEL_DESCRIBE(pose, x, y, z, yaw, pitch);
struct combat {
  std::uint8_t health = 100, armour = 0, weapon = 1;
  bool firing = false;
};
TICKREEL_DESCRIBE(combat, health, armour, weapon, firing);
using world = tickreel::game::world_types<tickreel::game::components<pose, combat>>;

int main() {
  constexpr int ticks = 256, ticks_per_second = 128;
  std::remove("shooter.icrep");
  tickreel::game::match about;
  about.game = "shooter";
  about.ticks_per_second = ticks_per_second;
  auto recorder = tickreel::game::game_recorder<world>::begin(
      "shooter.icrep", about, {.keyframe_interval_ticks = 1, .full_keyframe_every = ticks_per_second});
  if (!recorder) return std::puts(tickreel::describe(recorder.error()).c_str()), 1;

  std::mt19937 dice(std::random_device{}());
  std::array<pose, 64> poses;
  std::array<combat, 64> states;
  std::vector<pose> path_of_first;
  auto due = std::chrono::steady_clock::now();
  for (std::uint64_t tick = 0; tick < ticks; ++tick) {
    for (std::size_t i = 0; i < poses.size(); ++i) {
      poses[i].yaw += float(dice() % 100) / 1000;
      poses[i].x += std::cos(poses[i].yaw) * 0.04f;
      poses[i].y += std::sin(poses[i].yaw) * 0.04f;
      states[i].firing = dice() % 50 == 0;
    }
    path_of_first.push_back(poses[0]);
    (void)recorder->tick(tick, 0, [&](auto& frame) {
      for (std::uint16_t i = 0; i < 64; ++i) frame.entity({i, 0}, "player").set(poses[i]).set(states[i]);
    });
    std::this_thread::sleep_until(due += std::chrono::microseconds(1'000'000 / ticks_per_second));
  }
  const auto report = recorder->end();
  auto replay = tickreel::game::replay::open("shooter.icrep");
  if (!report || !replay) return std::puts("the file could not be written"), 1;
  int wrong = 0;
  for (std::uint64_t tick = 0; tick < replay->total_ticks(); ++tick) {
    const auto found = replay->restore(tick);
    const auto at = found ? replay->get<world, pose>(found->snapshot.core.entities.at(0)) : std::nullopt;
    wrong += !at || !tickreel::same_component(*at, path_of_first[found->snapshot.core.tick]);
  }
  std::printf("%d ticks, %d lost, %.1f bytes per player and tick, %d wrong\n", int(replay->total_ticks()),
              int(report->counters.lost_ticks), double(report->file_bytes) / ticks / 64, wrong);
  return wrong == 0 ? 0 : 1;
}
