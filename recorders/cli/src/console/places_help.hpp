// What --from and --to take, the same in every verb: see files::read_range().
#pragma once

#include <string_view>

namespace tickreel::cli {

inline constexpr std::string_view places_help =
    "Places:\n"
    "  90s, 1m30s, 00:01:30   time in the file, since its first tick\n"
    "  tick:1200, 1200        the tick of that number, as 'tickreel cat' prints it. Reels number polls, and "
    "a\n"
    "                         lost poll leaves a hole; .butter and .echoreplay number the ticks they hold. "
    "So\n"
    "                         for one moment in several files of a match use the time or the clock\n"
    "  clock:08:30            the game's own clock, which counts down (Echo VR)\n"
    "  08:30 --to 08:00       minutes and seconds on both sides: falling, the game's clock; rising, time in\n"
    "                         the file. On one side only, or twice the same, they are refused: either clock\n"
    "                         could be meant\n";

}  // namespace tickreel::cli
