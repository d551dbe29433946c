// says: tickreel: .*must be trivially copyable
#include <string>
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
  std::string cache;
};
TICKREEL_DESCRIBE(world, x);

auto out = tickreel::record<world>("match.reel");
