#include "archive.hpp"

namespace tickreel::fuzz {
constexpr mutator program_mutator = {mutate_archive, parts_mutator<archive_format>::cross_over};
}  // namespace tickreel::fuzz
