// When each direction of each actor begins, on the clock that all actors of a script share.
#pragma once

#include <span>
#include <vector>

#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

struct timeline {
  std::vector<double> starts_s;  // of each direction
  std::vector<double> marks_s;   // of each event
  double begin_s = 0;            // when the recording starts; above 0 for an actor that continues another
  double duration_s = 0;         // when it ends, on the shared clock
  double length_m = 0;           // of the way that is travelled
  double top_mps = 0;
};

// One for each plan, in their order. The plans are closed first. Refuses parts that take too long, and delays
// that would put a moment before the start.
[[nodiscard]] tl::expected<std::vector<timeline>, problem> schedule(std::span<plan* const> plans);

}  // namespace tickreel::npc
