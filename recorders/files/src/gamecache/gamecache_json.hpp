// A game of a cache as JSON.
#pragma once

#include <string>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::files {

// Appends the game's fields as members of an object, without braces: those that the item has, numbers that
// stand for words followed by the word, and `..._hex` beside every text that is not valid.
void append_gamecache_item(const gamecache::item& from, gamecache::layout layout, std::string& json);

}  // namespace tickreel::files
