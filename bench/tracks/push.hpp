#pragma once

#include "../support/program.hpp"

namespace tickreel::bench {

// record<T>'s push compared with a copy of the same bytes into a ring that another thread reads, alternately.
void measure_push(program& self);

}  // namespace tickreel::bench
