// says: tickreel: a member is a struct without a TICKREEL_DESCRIBE line
#include <tickreel/tickreel.hpp>

struct unit {
  float x = 0;
};
struct world {
  unit first;
};
TICKREEL_DESCRIBE(world, first);

auto out = tickreel::record<world>("match.reel");
