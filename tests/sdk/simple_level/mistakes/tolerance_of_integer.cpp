// says: tickreel: tolerance.. is for members of float or double
#include <tickreel/tickreel.hpp>

struct world {
  int score = 0;
};
TICKREEL_DESCRIBE(world, score);
TICKREEL_DECLARE(world, (score, tolerance(0.5)));
auto out = tickreel::record<world>("match.reel");
