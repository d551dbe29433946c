#include "icrep.hpp"

namespace tickreel::fuzz {
constexpr mutator program_mutator = parts_mutator<icrep_format>::value;
}  // namespace tickreel::fuzz
