// says: tickreel: an event has at most 1024 bytes
#include <tickreel/tickreel.hpp>

struct world {
  float x = 0;
};
TICKREEL_DESCRIBE(world, x);
struct map {
  std::array<float, 300> heights{};
};
TICKREEL_DESCRIBE(map, heights);

bool push_event(tickreel::recording<world>& out) {
  return out.event(map{});
}
