// says: tickreel: an interned_text is a number in a table that only game_recorder keeps
#include <tickreel/tickreel.hpp>

struct unit {
  tickreel::interned_text name;
};
TICKREEL_DESCRIBE(unit, name);

struct world {
  tickreel::entities<unit, 4> units;
};
TICKREEL_DESCRIBE(world, units);

auto out = tickreel::record<world>("match.reel");
