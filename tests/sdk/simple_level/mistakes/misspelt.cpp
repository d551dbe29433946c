// says: mistakes/misspelt.cpp:[0-9]+:.*sped.*world
#include <tickreel/tickreel.hpp>

struct world {
  float speed = 0;
};
TICKREEL_DESCRIBE(world, sped);

auto out = tickreel::record<world>("match.reel");
