// says: tickreel: unit_vector, .* are for members of float or double
#include <tickreel/tickreel.hpp>

struct world {
  int forward[3] = {};
};
TICKREEL_DESCRIBE(world, forward);
TICKREEL_DECLARE(world, (forward, unit_vector));
auto out = tickreel::record<world>("match.reel");
