// Texts after a byte that selects how they are read.
#include "tokens.hpp"

namespace tickreel::fuzz {
namespace {
constexpr token_language lines{.words = {}, .prefix_bytes = 1};
}
constexpr mutator program_mutator = tokens_mutator<lines>::value;
}  // namespace tickreel::fuzz
