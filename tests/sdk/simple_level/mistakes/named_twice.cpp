// says: tickreel: TICKREEL_DESCRIBE names a member twice
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x, x);

auto out = tickreel::record<world>("match.reel");
