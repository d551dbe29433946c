// says: tickreel: a recorded struct has a default constructor
#include <tickreel/tickreel.hpp>

struct world {
  explicit world(float from) : x(from) {}
  float x;
};
TICKREEL_DESCRIBE(world, x);

auto out = tickreel::record<world>("match.reel");
