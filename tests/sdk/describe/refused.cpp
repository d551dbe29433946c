// Must not compile: a pointer is meaningless in a file.
#include <tickreel/describe/component.hpp>

struct unit {
  int* target;
};
TICKREEL_DESCRIBE(unit, target);

static_assert(tickreel::component_size<unit> > 0);
