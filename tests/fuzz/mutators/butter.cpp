#include "butter.hpp"

namespace tickreel::fuzz {
constexpr mutator program_mutator = parts_mutator<butter_format>::value;
}  // namespace tickreel::fuzz
