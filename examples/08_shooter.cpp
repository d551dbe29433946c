// A shooter is not deterministic: every tick is recorded as a state, 128 per second for 64 players. Every
// tick can be restored, and the same match in a reel compares equal.
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
namespace game = tickreel::game;
using world = game::world_types<game::components<pose, combat>>;

int main() {
  constexpr int ticks = 256, ticks_per_second = 128;
  for (const char* old : {"shooter.icrep", "shooter.reel"}) std::remove(old);
  const game::match about{.game = "shooter", .ticks_per_second = ticks_per_second};
  game::match_options options{.keyframe_interval_ticks = 1, .full_keyframe_interval = ticks_per_second};
  auto recorder = game::game_recorder<world>::begin("shooter.icrep", about, options);
  options.file = game::container::reel;
  auto reel = game::game_recorder<world>::begin("shooter.reel", about, options);
  if (!recorder || !reel) return std::puts("the files could not be created"), 1;

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
    const auto describe = [&](auto& frame) {
      for (std::uint16_t i = 0; i < 64; ++i) frame.entity({i, 0}, "player").set(poses[i]).set(states[i]);
    };
    (void)recorder->tick(tick, 0, describe);
    (void)reel->tick(tick, 0, describe);
    std::this_thread::sleep_until(due += std::chrono::microseconds(1'000'000 / ticks_per_second));
  }
  const auto report = recorder->end();
  if (!report || !reel->end()) return std::puts("the files could not be written"), 1;

  auto replay = game::replay::open("shooter.icrep");
  auto other = game::replay::open("shooter.reel");
  if (!replay || !other) return std::puts("the files could not be read"), 1;
  int wrong = 0;
  for (std::uint64_t tick = 0; tick < replay->total_ticks(); ++tick) {
    const auto found = replay->restore(tick);
    const auto at = found ? replay->get<world, pose>(found->snapshot.core.entities.at(0)) : std::nullopt;
    wrong += !at || !tickreel::same_component(*at, path_of_first[found->snapshot.core.tick]);
  }
  const auto compared = game::compare(*replay, *other);
  const bool same = compared && compared->same();
  std::printf("%d ticks, %d lost, %.1f bytes per player and tick, %d wrong, the reel is %s\n",
              int(replay->total_ticks()), int(report->counters.dropped),
              double(report->file_bytes) / ticks / 64, wrong, same ? "the same" : "different");
  return wrong == 0 && same ? 0 : 1;
}
