// A part of recording 5,000 units with record<T>(), of which 1 % change, or of reading them.
#pragma once

namespace tickreel::bench {

enum class part { push_of_changes, writer, tick_at_random };
void record_units(part counted);

}  // namespace tickreel::bench
