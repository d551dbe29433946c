// says: tickreel: .*no std::string .use short_text
#include <string>
#include <tickreel/tickreel.hpp>

struct world {
  std::string name;
};
TICKREEL_DESCRIBE(world, name);

auto out = tickreel::record<world>("match.reel");
