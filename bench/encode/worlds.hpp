// The worlds of described structs, with every component that can record them.
#pragma once

#include <boost/json/array.hpp>

#include "../support/program.hpp"

namespace tickreel::bench {

// Prints two tables; adds a row per encoder and workload to `rows`, and to the results `scaling`: cost
// against the size of the world and against what changed.
void measure_worlds(program& self, boost::json::array& rows);

}  // namespace tickreel::bench
