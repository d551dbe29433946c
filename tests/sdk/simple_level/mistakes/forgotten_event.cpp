// says: tickreel: describe the event's struct first.*TICKREEL_DESCRIBE
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);
struct goal {
  int player = 0;
};

bool push_event(tickreel::recording<world>& out) {
  return out.event(goal{3});
}
