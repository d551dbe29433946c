#include "reel.hpp"

namespace tickreel::fuzz {
constexpr mutator program_mutator = parts_mutator<reel_format>::value;
}  // namespace tickreel::fuzz
