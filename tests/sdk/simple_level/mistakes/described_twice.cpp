// says: redefinition of .*tickreel_name
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);
TICKREEL_DESCRIBE(world, x);

auto out = tickreel::record<world>("match.reel");
