// The start of each direction of each actor, on the clock that all actors of a script share.
#pragma once

#include <span>
#include <vector>

#include "tickreel/npc/plan.hpp"

namespace tickreel::npc {

struct timeline {
  std::vector<double> starts_s;  // of each direction
  std::vector<double> marks_s;   // of each event
  double begin_s = 0;            // when the recording starts; above 0 for an actor that continues another one
  double duration_s = 0;         // when it ends, on the shared clock
  double length_m = 0;           // of the travelled path
  double top_mps = 0;
};

// One for each plan, in order. Closes the plans first. Refuses parts that take too long, and delays that
// would put a moment before the start.
[[nodiscard]] tl::expected<std::vector<timeline>, problem> schedule(std::span<plan* const> plans);

}  // namespace tickreel::npc
