// says: tickreel: TICKREEL_DESCRIBE must be at namespace level, not in a function
#include <tickreel/tickreel.hpp>

int main() {
  struct world {
    float x = 0;
  };
  TICKREEL_DESCRIBE(world, x);
  return 0;
}
