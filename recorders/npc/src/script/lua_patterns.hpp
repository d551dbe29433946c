// Lua's patterns, with the matcher's steps charged while it runs: the standard library's matcher cannot be
// interrupted, and a pattern may take exponential time.
#pragma once

#include <lua.hpp>

namespace tickreel::npc {

// As in Lua 5.4, for string.find (with patterns), match, gmatch and gsub. Classes are those of ASCII.
int pattern_find(lua_State* L);
int pattern_match(lua_State* L);
int pattern_gmatch(lua_State* L);
int pattern_gsub(lua_State* L);

}  // namespace tickreel::npc
