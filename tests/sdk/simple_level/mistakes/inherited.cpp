// says:
// No mistake: members of a base are named as the struct's own.
#include <tickreel/tickreel.hpp>

struct thing {
  int id = 0;
  float place[3] = {};
};
struct world : thing {
  float a = 0;
};
TICKREEL_DESCRIBE(world, id, place, a);
TICKREEL_DECLARE(world, (place, decimals(2), unit_name("m")));

static_assert(tickreel::component_size<world> == 20);
static_assert(tickreel::field_count<world> == 3);

auto out = tickreel::record<world>("match.reel");
