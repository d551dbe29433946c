#include "tokens.hpp"

namespace tickreel::fuzz {
namespace {
constexpr token_language json;
}
constexpr mutator program_mutator = tokens_mutator<json>::value;
}  // namespace tickreel::fuzz
