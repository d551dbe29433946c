// says: mistakes/private_member.cpp:[0-9]+:.*x.*private
#include <tickreel/tickreel.hpp>

class world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);

auto out = tickreel::record<world>("match.reel");
