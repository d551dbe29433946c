// Must not compile, in any CASE: the compiler's first error says what is wrong. wrong_code.cmake lists the sentences.
#if CASE == 6 || CASE == 9
#include <tickreel/tickreel.hpp>
#else
#include <tickreel/describe/component.hpp>
#include <tickreel/describe/declare.hpp>
#endif

namespace game {

struct health {
  int now = 0;
  int most = 0;
  unsigned is_full : 1;
};

#if CASE == 1
TICKREEL_DESCRIBE(health, now, mots);
#elif CASE == 2
TICKREEL_DESCRIBE(health, now, is_full);
#elif CASE == 3
void start() {
  struct local {
    int now;
  };
  TICKREEL_DESCRIBE(local, now);
}
#elif CASE == 4
TICKREEL_DESCRIBE(health, now, most);
TICKREEL_DECLARE(health, (now, decimal(3)));
#elif CASE == 5
TICKREEL_DESCRIBE(health, now, most);
TICKREEL_DECLARE(health, (mots, decimals(3)));
#elif CASE == 6
struct world {
  health units[4'000'000];
};
TICKREEL_DESCRIBE(health, now, most);
TICKREEL_DESCRIBE(world, units);
void start() {
  (void)tickreel::record<world>("world.reel");
}
#elif CASE == 7
struct unit {
  int* target;
};
TICKREEL_DESCRIBE(unit, target);
static_assert(tickreel::component_size<unit> > 0);
#elif CASE == 8
static_assert(tickreel::component_size<health> > 0);
#elif CASE == 9
TICKREEL_DESCRIBE(health, now, most);
void start(tickreel::replay_of<health>& from) {
  (void)from.at(0.9);
}
#endif

}  // namespace game
