// says: tickreel: .*no std::vector .use an array
#include <tickreel/tickreel.hpp>
#include <vector>

struct world {
  std::vector<int> units;
};
TICKREEL_DESCRIBE(world, units);

auto out = tickreel::record<world>("match.reel");
