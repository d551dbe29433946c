// says: tickreel: describe the struct first.*TICKREEL_DESCRIBE
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};

auto out = tickreel::record<world>("match.reel");
