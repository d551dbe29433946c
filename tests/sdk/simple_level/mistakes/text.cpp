// says: tickreel: .*no std::string .use short_text
#include <tickreel/tickreel.hpp>
#include <string>

struct world {
  std::string name;
};
TICKREEL_DESCRIBE(world, name);

auto out = tickreel::record<world>("match.reel");
