// says:
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);
TICKREEL_DECLARE(world, (x, decimals(3), unit_name("m")));
auto out = tickreel::record<world>("match.reel");
