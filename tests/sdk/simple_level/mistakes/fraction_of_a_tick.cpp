// says: (deleted function|deleted member function).*
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);

float half_way(tickreel::replay_of<world>& in) {
  return in.at(0.5)->x;
}
