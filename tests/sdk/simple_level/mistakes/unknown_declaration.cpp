// says: mistakes/unknown_declaration.cpp:[0-9]+:.*(decimal.* was not declared|undeclared identifier .decimal)
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);
TICKREEL_DECLARE(world, (x, decimal(3)));
auto out = tickreel::record<world>("match.reel");
