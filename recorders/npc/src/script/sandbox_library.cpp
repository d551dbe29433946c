// Guarded functions of Lua's standard library. The originals are called in the frame of the guard, so that
// their messages have the script's line.
#include <algorithm>
#include <string_view>

#include "lua_patterns.hpp"
#include "sandbox.hpp"

namespace tickreel::npc {

namespace {

int set_metatable(lua_State* L) {
  if (lua_type(L, 2) == LUA_TTABLE) {
    lua_pushliteral(L, "__gc");
    if (lua_rawget(L, 2) != LUA_TNIL) {
      // A finalizer runs outside of all limits.
      return luaL_error(L, "metatables with __gc are not allowed");
    }
    lua_pop(L, 1);
  }
  return sandbox::of(L).standard.set_metatable(L);
}

int find(lua_State* L) {
  std::size_t text = 0;
  std::size_t size = 0;
  luaL_checklstring(L, 1, &text);
  const char* pattern = luaL_checklstring(L, 2, &size);
  const bool is_plain = lua_toboolean(L, 4) != 0 ||
                        std::string_view(pattern, size).find_first_of("^$*+?.([%-") == std::string_view::npos;
  if (!is_plain) return pattern_find(L);
  sandbox::charge(L, static_cast<double>(text) * static_cast<double>(std::min(size, text) + 1) / 64 + 1);
  return sandbox::of(L).standard.find(L);
}
int rep(lua_State* L) {
  std::size_t text = 0;
  luaL_checklstring(L, 1, &text);
  const auto times = static_cast<double>(luaL_checkinteger(L, 2));
  sandbox::charge(L, std::max(0.0, times) * static_cast<double>(text + 1) / 64 + 1);
  return sandbox::of(L).standard.rep(L);
}

// The length of a table that the library will iterate over. A __len metamethod could return any number.
double plain_length(lua_State* L, int index) {
  luaL_checktype(L, index, LUA_TTABLE);
  if (luaL_getmetafield(L, index, "__len") != LUA_TNIL) {
    luaL_error(L, "tables with __len cannot be used here");
  }
  return static_cast<double>(lua_rawlen(L, index));
}

int insert(lua_State* L) {
  const double size = plain_length(L, 1);
  sandbox::charge(L, lua_gettop(L) > 2 ? size + 1 : 1);
  return sandbox::of(L).standard.insert(L);
}
int remove(lua_State* L) {
  const double size = plain_length(L, 1);
  sandbox::charge(L, lua_gettop(L) > 1 ? size + 1 : 1);
  return sandbox::of(L).standard.remove(L);
}
int move(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  const auto from = static_cast<double>(luaL_checkinteger(L, 2));
  const auto to = static_cast<double>(luaL_checkinteger(L, 3));
  sandbox::charge(L, std::max(0.0, to - from) + 1);
  return sandbox::of(L).standard.move(L);
}
// concat(list, separator, i, j) and unpack(list, i, j) have i at different positions.
void charge_range(lua_State* L, int first) {
  const double size = plain_length(L, 1);
  const auto from = static_cast<double>(luaL_optinteger(L, first, 1));
  const double to =
      lua_isnoneornil(L, first + 1) ? size : static_cast<double>(luaL_checkinteger(L, first + 1));
  sandbox::charge(L, std::max(0.0, to - from) + 1);
}
int concat(lua_State* L) {
  charge_range(L, 3);
  return sandbox::of(L).standard.concat(L);
}
int unpack(lua_State* L) {
  charge_range(L, 2);
  return sandbox::of(L).standard.unpack(L);
}

struct guard {
  const char* name;
  lua_CFunction sandbox::originals::* original;  // null: without any
  lua_CFunction replacement;                     // null: removed
};

void put(lua_State* L, const char* library, std::initializer_list<guard> guards) {
  lua_getglobal(L, library);
  for (const guard& each : guards) {
    if (each.original != nullptr) {
      lua_getfield(L, -1, each.name);
      sandbox::of(L).standard.*each.original = lua_tocfunction(L, -1);
      lua_pop(L, 1);
    }
    if (each.replacement != nullptr) {
      lua_pushcfunction(L, each.replacement);
    } else {
      lua_pushnil(L);
    }
    lua_setfield(L, -2, each.name);
  }
  lua_pop(L, 1);
}

}  // namespace

void guard_libraries(lua_State* L) {
  using originals = sandbox::originals;
  put(L, LUA_GNAME,
      {{"setmetatable", &originals::set_metatable, set_metatable},
       // A message handler runs inside the hook that ended the script, where no hook limits it.
       {"xpcall", nullptr, nullptr},
       {"load", nullptr, nullptr},
       {"loadfile", nullptr, nullptr},
       {"dofile", nullptr, nullptr},
       {"collectgarbage", nullptr, nullptr},
       {"warn", nullptr, nullptr}});
  put(L, LUA_STRLIBNAME,
      {{"dump", nullptr, nullptr},
       {"pack", nullptr, nullptr},
       {"unpack", nullptr, nullptr},
       {"packsize", nullptr, nullptr},
       {"find", &originals::find, find},
       {"match", nullptr, pattern_match},
       {"gmatch", nullptr, pattern_gmatch},
       {"gsub", nullptr, pattern_gsub},
       {"rep", &originals::rep, rep}});
  put(L, LUA_TABLIBNAME,
      {{"insert", &originals::insert, insert},
       {"remove", &originals::remove, remove},
       {"move", &originals::move, move},
       {"concat", &originals::concat, concat},
       {"unpack", &originals::unpack, unpack}});
}

}  // namespace tickreel::npc
