// What a cache says about the players of one of its games, as rows.
#pragma once

#include "tickreel/files/statistics.hpp"
#include "tickreel/gamecache/cache.hpp"

namespace tickreel::files {

// The game must be understood, see gamecache::item.
[[nodiscard]] match_rows statistics_of(const gamecache::item& from, gamecache::layout layout);

}  // namespace tickreel::files
