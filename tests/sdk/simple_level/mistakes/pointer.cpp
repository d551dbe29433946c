// says: tickreel: this member.s type cannot be recorded.*for pointers record an index
#include <tickreel/tickreel.hpp>

struct world {
  int* target = nullptr;
};
TICKREEL_DESCRIBE(world, target);

auto out = tickreel::record<world>("match.reel");
