// Computes rows of player statistics from a game of a cache.
#pragma once

#include "tickreel/files/statistics.hpp"
#include "tickreel/gamecache/cache.hpp"

namespace tickreel::files {

// The game must be parsed, see gamecache::item.
[[nodiscard]] match_rows statistics_of(const gamecache::item& from, gamecache::layout layout);

}  // namespace tickreel::files
