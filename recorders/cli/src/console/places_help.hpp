// The syntax of --from and --to, the same in every verb: see files::read_range().
#pragma once

#include <string_view>

namespace tickreel::cli {

inline constexpr std::string_view places_help =
    "Places:\n"
    "  90s, 1m30s, 00:01:30   time in the file, since its first tick\n"
    "  tick:1200, 1200        the tick with the number that 'tickreel cat' prints. Files of one match may\n"
    "                         number it differently: reels count lost polls, too, .butter and .echoreplay\n"
    "                         do not. To find one moment in several files, use the time or the clock\n"
    "  clock:08:30            the game clock, which counts down (Echo VR)\n"
    "  08:30 --to 08:00       two times in minutes and seconds: of the game clock if the second is less,\n"
    "                         otherwise in the file. One alone, or two equal ones, are ambiguous and\n"
    "                         rejected\n";

}  // namespace tickreel::cli
