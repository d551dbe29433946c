// says: tickreel: an interned_text is a number in a table that only game_recorder keeps
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);

struct said {
  tickreel::interned_text what;
};
TICKREEL_DESCRIBE(said, what);

void say(tickreel::recording<world>& out) {
  out.event(said{});
}
