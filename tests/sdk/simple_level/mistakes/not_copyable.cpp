// says: tickreel: .*must be trivially copyable
#include <tickreel/tickreel.hpp>
#include <string>

struct world {
  float x = 0;
  std::string cache;
};
TICKREEL_DESCRIBE(world, x);

auto out = tickreel::record<world>("match.reel");
