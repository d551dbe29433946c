// says: tickreel: a recorded struct has at most 1048576 bytes
#include <tickreel/tickreel.hpp>

struct world {
  std::array<float, 300'000> heights{};
};
TICKREEL_DESCRIBE(world, heights);

auto out = tickreel::record<world>("match.reel");
