// says: tickreel: decimals.. is for members of float or double
#include <tickreel/tickreel.hpp>

struct world {
  bool over = false;
};
TICKREEL_DESCRIBE(world, over);
TICKREEL_DECLARE(world, (over, decimals(3)));
auto out = tickreel::record<world>("match.reel");
