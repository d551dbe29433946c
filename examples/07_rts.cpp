// Records a strategy game: orders every tick, the state every 300. Then replays it from every keyframe and
// checks that each tick has the same state.
#include <algorithm>
#include <cstdio>

#include "07_rts_world.hpp"

int main() {
  std::remove("rts.icrep");
  rts::game match(2027);
  auto recorder = game::game_recorder<world>::begin(
      "rts.icrep",
      {.game = "rts",
       .seed = 2027,
       .players =
           {{0, "Red", "", "", 0}, {1, "Blue", "", "", 0}, {2, "Green", "", "", 0}, {3, "Gold", "", "", 0}}},
      {.ring_ticks = 8192});  // this loop runs far faster than 15 ticks a second
  if (!recorder) return std::puts(tickreel::describe(recorder.error()).c_str()), 1;
  std::size_t peak_units = 0;
  for (std::uint64_t tick = 0; tick < 3600; ++tick) {
    (void)recorder->tick(tick, match.hash(), [&](auto& keyframe) { describe(match, keyframe); });
    const auto orders = match.bots(tick);
    for (const auto& one : orders) (void)recorder->order(one.player, 1, one.command);
    match.step(orders);
    peak_units = std::max(peak_units, match.units.size());
  }
  const auto report = recorder->end({.state_hash = match.hash()});
  if (!report || !report->nothing_lost()) return std::puts("something was lost"), 1;

  auto replay = game::replay::open("rts.icrep");
  if (!replay) return std::puts(tickreel::describe(replay.error()).c_str()), 1;
  std::size_t different = 0;
  for (const auto& keyframe : replay->keyframes()) {
    rts::game again = rebuild(*replay, replay->restore(keyframe.tick)->snapshot);
    auto frames = replay->orders(keyframe.tick, replay->total_ticks());
    for (tickreel::icrep::tick_frame frame; frames.next(frame);) {
      if (frame.state_hash != again.hash()) ++different;
      again.step(orders_of(frame));
    }
    if (again.hash() != match.hash()) ++different;
  }
  std::printf("%d units at most, %d at the end, %d keyframes, %d bytes, %d differences\n", int(peak_units),
              int(match.units.size()), int(replay->keyframes().size()), int(report->file_bytes),
              int(different));
  return different == 0 && peak_units == 500 ? 0 : 1;
}
