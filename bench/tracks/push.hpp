#pragma once

#include "../support/program.hpp"

namespace tickreel::bench {

// record<T>'s push beside a copy of the same bytes into a ring that another thread reads, in turns.
void measure_push(program& self);

}  // namespace tickreel::bench
