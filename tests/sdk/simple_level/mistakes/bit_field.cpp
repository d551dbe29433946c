// says: tickreel: a bit-field of world cannot be recorded
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
  unsigned flags : 3;
};
TICKREEL_DESCRIBE(world, x, flags);

auto out = tickreel::record<world>("match.reel");
