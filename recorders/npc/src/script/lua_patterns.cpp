// Lua's errors use longjmp: no object here has a destructor.
#include "lua_patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "pattern_matcher.hpp"

namespace tickreel::npc {

namespace {

// The start of a search, counted from 0; beyond the text if there is none.
std::size_t start_of(lua_State* L, int index, std::size_t bytes) {
  const lua_Integer at = luaL_optinteger(L, index, 1);
  if (at > 0) return static_cast<std::size_t>(at) - 1;
  if (at == 0 || at < -static_cast<lua_Integer>(bytes)) return 0;
  return bytes - static_cast<std::size_t>(-at);
}

int find_first(lua_State* L, bool wants_places) {
  std::size_t bytes = 0, pattern_bytes = 0;
  const char* const text = luaL_checklstring(L, 1, &bytes);
  const char* pattern = luaL_checklstring(L, 2, &pattern_bytes);
  const std::size_t start = start_of(L, 3, bytes);
  if (start <= bytes) {
    const bool anchored = pattern_bytes > 0 && *pattern == '^';
    pattern_matcher matcher(L, text, bytes, pattern, pattern_bytes);
    if (anchored) ++pattern;
    for (const char* at = text + start; at <= text + bytes; ++at) {
      if (const char* const end = matcher.match_from(at, pattern); end != nullptr) {
        matcher.settle();
        if (!wants_places) return matcher.push_captures(at, end);
        lua_pushinteger(L, (at - text) + 1);
        lua_pushinteger(L, end - text);
        return matcher.push_captures(nullptr, nullptr) + 2;
      }
      if (anchored) break;
    }
    matcher.settle();
  }
  luaL_pushfail(L);
  return 1;
}

// Upvalues: the text, the pattern, the next position, and the end of the last match.
int next_match(lua_State* L) {
  std::size_t bytes = 0, pattern_bytes = 0;
  const char* const text = lua_tolstring(L, lua_upvalueindex(1), &bytes);
  const char* const pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_bytes);
  const auto start = static_cast<std::size_t>(lua_tointeger(L, lua_upvalueindex(3)));
  const lua_Integer last_end = lua_tointeger(L, lua_upvalueindex(4));
  pattern_matcher matcher(L, text, bytes, pattern, pattern_bytes);
  for (std::size_t at = start; at <= bytes; ++at) {
    const char* const end = matcher.match_from(text + at, pattern);
    if (end == nullptr || end - text == last_end) continue;
    matcher.settle();
    lua_pushinteger(L, end - text);
    lua_copy(L, -1, lua_upvalueindex(3));
    lua_replace(L, lua_upvalueindex(4));
    return matcher.push_captures(text + at, end);
  }
  matcher.settle();
  return 0;
}

// Appends the replacement of a match; false: it stays unchanged.
bool add_replacement(lua_State* L, pattern_matcher& matcher, luaL_Buffer& out, const char* begin,
                     const char* end) {
  switch (lua_type(L, 3)) {
    case LUA_TFUNCTION:
      lua_pushvalue(L, 3);
      lua_call(L, matcher.push_captures(begin, end), 1);
      break;
    case LUA_TTABLE:
      matcher.push_capture(0, begin, end);
      lua_gettable(L, 3);
      break;
    default: {
      std::size_t bytes = 0;
      const char* text = lua_tolstring(L, 3, &bytes);
      const char* const text_end = text + bytes;
      while (const auto* escape = static_cast<const char*>(
                 std::memchr(text, '%', static_cast<std::size_t>(text_end - text)))) {
        luaL_addlstring(&out, text, static_cast<std::size_t>(escape - text));
        const char what = escape + 1 < text_end ? escape[1] : '\0';
        if (what == '%') {
          luaL_addchar(&out, '%');
        } else if (what == '0') {
          luaL_addlstring(&out, begin, static_cast<std::size_t>(end - begin));
        } else if (what >= '0' && what <= '9') {
          matcher.push_capture(what - '1', begin, end);
          luaL_tolstring(L, -1, nullptr);
          lua_remove(L, -2);
          luaL_addvalue(&out);
        } else {
          luaL_error(L, "invalid use of '%%' in replacement string");
        }
        text = escape + 2;
      }
      luaL_addlstring(&out, text, static_cast<std::size_t>(text_end - text));
      return true;
    }
  }
  if (lua_toboolean(L, -1) == 0) {
    lua_pop(L, 1);
    luaL_addlstring(&out, begin, static_cast<std::size_t>(end - begin));
    return false;
  }
  if (lua_isstring(L, -1) == 0) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  luaL_addvalue(&out);
  return true;
}

}  // namespace

int pattern_find(lua_State* L) {
  return find_first(L, true);
}
int pattern_match(lua_State* L) {
  return find_first(L, false);
}

int pattern_gmatch(lua_State* L) {
  std::size_t bytes = 0;
  luaL_checklstring(L, 1, &bytes);
  luaL_checkstring(L, 2);
  const std::size_t start = std::min(start_of(L, 3, bytes), bytes + 1);
  lua_settop(L, 2);
  lua_pushinteger(L, static_cast<lua_Integer>(start));
  lua_pushinteger(L, -1);
  lua_pushcclosure(L, next_match, 4);
  return 1;
}

int pattern_gsub(lua_State* L) {
  std::size_t bytes = 0, pattern_bytes = 0;
  const char* const text = luaL_checklstring(L, 1, &bytes);
  const char* pattern = luaL_checklstring(L, 2, &pattern_bytes);
  const int kind = lua_type(L, 3);
  luaL_argexpected(L,
                   kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE,
                   3, "string/function/table");
  const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(bytes) + 1);
  const bool anchored = pattern_bytes > 0 && *pattern == '^';
  pattern_matcher matcher(L, text, bytes, pattern, pattern_bytes);
  if (anchored) ++pattern;
  luaL_Buffer out;
  luaL_buffinit(L, &out);
  bool is_changed = false;
  lua_Integer count = 0;
  const char* last_end = nullptr;
  const char* at = text;
  while (count < most) {
    if (const char* const end = matcher.match_from(at, pattern); end != nullptr && end != last_end) {
      ++count;
      is_changed = add_replacement(L, matcher, out, at, end) || is_changed;
      at = last_end = end;
    } else if (at < text + bytes) {
      luaL_addchar(&out, *at);
      ++at;
    } else {
      break;
    }
    if (anchored) break;
  }
  luaL_addlstring(&out, at, static_cast<std::size_t>(text + bytes - at));
  matcher.settle();
  if (is_changed) {
    luaL_pushresult(&out);
  } else {
    lua_pushvalue(L, 1);
  }
  lua_pushinteger(L, count);
  return 2;
}

}  // namespace tickreel::npc
