// The syntax of --from and --to, the same in every verb: see files::read_range().
#pragma once

#include <string_view>

namespace tickreel::cli {

inline constexpr std::string_view places_help =
    "Places:\n"
    "  90s, 1m30s, 00:01:30   time in the file, since its first tick\n"
    "  tick:1200, 1200        the tick of that number, as 'tickreel cat' prints it. Reels number polls, so "
    "a\n"
    "                         lost poll leaves a gap; .butter and .echoreplay number the ticks they hold. "
    "So\n"
    "                         for one moment in several files of a match use the time or the clock\n"
    "  clock:08:30            the game clock, which counts down (Echo VR)\n"
    "  08:30 --to 08:00       minutes and seconds for both: falling, the game clock; rising, time in\n"
    "                         the file. A single one, or two equal ones, are refused: they could mean\n"
    "                         either\n";

}  // namespace tickreel::cli
