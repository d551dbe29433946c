// Finds the fights in the match of 07_rts, which the game did not record as events: the match is replayed
// from its orders, and a detector observes it.
#include <cstdio>
#include <tickreel/analysis/detector.hpp>

#include "07_rts_world.hpp"

namespace analysis = tickreel::analysis;

void look(const rts::game& match, std::uint64_t tick, analysis::detector& detector,
          std::vector<analysis::event>& found) {
  detector.begin(tick);
  for (const auto& [number, one] : match.units) {
    const bool soldier = one.body.kind == rts::kind::soldier, base = one.body.kind == rts::kind::base;
    const auto role = soldier ? analysis::unit_role::army
                      : base  ? analysis::unit_role::building
                              : analysis::unit_role::worker;
    detector.see({{number, 0},
                  one.body.owner,
                  {one.at.x, one.at.y, 0},
                  role,
                  soldier ? 50
                  : base  ? 500
                          : 30});
  }
  detector.end(found);
}

int main() {
  auto replay = game::replay::open("rts.icrep");
  if (!replay) return std::puts(tickreel::describe(replay.error()).c_str()), 1;
  analysis::detector_rules rules;
  rules.weapon_range = 3;
  rules.base_range = 10;
  rules.base_buildings = 1;  // a player has only one building
  analysis::detector detector(rules);
  std::vector<analysis::event> found;

  rts::game match = rebuild(*replay, replay->restore(0)->snapshot);
  auto frames = replay->orders(0, replay->total_ticks());
  for (tickreel::icrep::tick_frame frame; frames.next(frame);) {
    look(match, frame.tick, detector, found);
    match.step(orders_of(frame));
  }
  detector.finish(replay->total_ticks(), found);

  std::array<int, analysis::type_count> counts{};
  for (const auto& one : found) ++counts[one.what.index()];
  for (std::size_t type = 0; type < counts.size(); ++type) {
    if (counts[type] != 0) std::printf("%d %s\n", counts[type], analysis::type_name(type).data());
  }
  return counts[16] > 0 && counts[18] > 0 ? 0 : 1;  // engagements that ended, and bases that fell
}
