// says: mistakes/declared_misspelt.cpp:[0-9]+:.*sped.*world
#include <tickreel/tickreel.hpp>

struct world {
  float speed = 0;
};
TICKREEL_DESCRIBE(world, speed);
TICKREEL_DECLARE(world, (sped, decimals(3)));
auto out = tickreel::record<world>("match.reel");
