// Errors of conversions that cannot convert that range.
#pragma once

#include "tickreel/result.hpp"

namespace tickreel::files {

inline constexpr error no_game_clock{
    error_code::invalid_argument,
    error::no_offset,
    "this recording has no game clock; 8m30s and 00:08:30 are times in the file",
    {0, 0},
    0};
inline constexpr error no_part_of_text{
    error_code::unsupported_operation,
    error::no_offset,
    "only whole texts can be converted to recordings; clip the result instead",
    {0, 0},
    0};

}  // namespace tickreel::files
