// Opens the reel of 01_embed: any tick by its number or time, and iteration over all of them.
#include <chrono>
#include <cstdio>
#include <tickreel/tickreel.hpp>

namespace {

// Newer than the recording: x is read, and health, which was not recorded, keeps its value.
struct world {
  int health = 100;
  float x = 0;
};
TICKREEL_DESCRIBE(world, health, x);

}  // namespace

int main() {
  using namespace std::chrono_literals;
  auto in = tickreel::replay<world>("match.reel");
  if (!in) return std::puts(tickreel::describe(in.error()).c_str()), 1;

  const auto by_number = in->at(400);
  const auto by_time = in->at(6.5s);
  if (!by_number || !by_time) return 1;
  std::printf("tick 400: x %.2f; after 6.5 seconds: x %.2f\n", double(by_number->x), double(by_time->x));

  std::uint64_t ticks = 0;
  for (const auto& tick : *in) ticks += tick.state.health == 100 ? 1 : 0;
  for (const auto& one : in->differences()) std::puts(tickreel::describe(one).c_str());
  return by_number->x == 100 && by_time->x == 97.5f && ticks == 600 && !in->failure() ? 0 : 1;
}
