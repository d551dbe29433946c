// A game rarely stores its state in the recorder's layout: is it cheaper to build it in the slot?
#pragma once

#include <boost/json/array.hpp>

#include "../support/cycle_clock.hpp"

namespace tickreel::bench {

// The same state gathered from the game's own arrays, alternately in the slot with capture() and outside of it, then pushed.
// Prints; a row per workload.
[[nodiscard]] boost::json::array compare_building(bool quick, const cycle_clock& clock);

}  // namespace tickreel::bench
