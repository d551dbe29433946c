// Formats a game of a cache as JSON.
#pragma once

#include <string>

#include "tickreel/gamecache/cache.hpp"

namespace tickreel::files {

// Appends the game's fields as members of an object, without braces: the fields that the item has, enumerated
// numbers followed by their name, and `..._hex` beside every invalid text.
void append_gamecache_item(const gamecache::item& from, gamecache::layout layout, std::string& json);

}  // namespace tickreel::files
