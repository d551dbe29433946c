// Must not compile: the struct has no such member.
#include <tickreel/describe/describe.hpp>

namespace game {

struct health {
  int now = 0;
  int most = 0;
};
TICKREEL_DESCRIBE(health, now, mots);

}  // namespace game
