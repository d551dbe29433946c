// Makes results that depend on addresses or the clock depend on the script alone: the order of pairs() and
// next(), the texts of tables and functions, and sorting. Lua seeds its tables differently in every run, so
// the same script would create different recordings.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

#include "script_world.hpp"

namespace tickreel::npc {

namespace {

// Types of keys in the order of pairs(); none for keys without an order.
enum class key_rank : std::uint8_t { none, truth, number, text, value };

key_rank rank_of(lua_State* L, int at) noexcept {
  switch (lua_type(L, at)) {
    case LUA_TBOOLEAN:
      return key_rank::truth;
    case LUA_TNUMBER:
      return key_rank::number;
    case LUA_TSTRING:
      return key_rank::text;
    case LUA_TUSERDATA:
      return key_rank::value;
    default:
      return key_rank::none;
  }
}

// All userdata of a script are handles; the names of their types define the order.
int compare_values(lua_State* L, int a, int b) {
  luaL_getmetafield(L, a, "__name");
  luaL_getmetafield(L, b, "__name");
  const int by_type = std::strcmp(lua_tostring(L, -2), lua_tostring(L, -1));
  lua_pop(L, 2);
  if (by_type != 0) return by_type;
  const auto* first = static_cast<const handle*>(lua_touserdata(L, a));
  const auto* second = static_cast<const handle*>(lua_touserdata(L, b));
  if (first->index != second->index) return first->index < second->index ? -1 : 1;
  return first->number == second->number ? 0 : first->number < second->number ? -1 : 1;
}

bool key_before(lua_State* L, int a, int b) {
  const key_rank first = rank_of(L, a);
  const key_rank second = rank_of(L, b);
  if (first != second) return first < second;
  switch (first) {
    case key_rank::truth:
      return lua_toboolean(L, a) < lua_toboolean(L, b);
    case key_rank::number:
      return lua_compare(L, a, b, LUA_OPLT) != 0;
    case key_rank::text: {
      // By bytes: the locale's order is not deterministic.
      std::size_t size_a = 0;
      std::size_t size_b = 0;
      const char* text_a = lua_tolstring(L, a, &size_a);
      const char* text_b = lua_tolstring(L, b, &size_b);
      const int by_bytes = std::memcmp(text_a, text_b, std::min(size_a, size_b));
      return by_bytes != 0 ? by_bytes < 0 : size_a < size_b;
    }
    case key_rank::value:
      return compare_values(L, a, b) < 0;
    case key_rank::none:
      break;
  }
  return false;
}

using is_before = bool (*)(lua_State*, int a, int b);

// Sorts the values 1 to `count` of the table at `list`; stable.
void merge_sort(lua_State* L, int list, lua_Integer count, is_before before) {
  luaL_checkstack(L, 8, nullptr);
  lua_createtable(L, static_cast<int>(count), 0);
  int from = list;
  int to = lua_gettop(L);
  for (lua_Integer width = 1; width < count; width *= 2) {
    for (lua_Integer begin = 1; begin <= count; begin += 2 * width) {
      const lua_Integer middle = std::min(begin + width, count + 1);
      const lua_Integer end = std::min(begin + 2 * width, count + 1);
      lua_Integer left = begin;
      lua_Integer right = middle;
      for (lua_Integer place = begin; place < end; ++place) {
        bool takes_left = right >= end;
        if (left < middle && right < end) {
          lua_rawgeti(L, from, right);
          lua_rawgeti(L, from, left);
          const int top = lua_gettop(L);
          takes_left = !before(L, top - 1, top);
          lua_pop(L, 2);
        }
        lua_rawgeti(L, from, takes_left ? left++ : right++);
        lua_rawseti(L, to, place);
      }
    }
    std::swap(from, to);
  }
  for (lua_Integer i = 1; from != list && i <= count; ++i) {
    lua_rawgeti(L, from, i);
    lua_rawseti(L, list, i);
  }
  lua_settop(L, std::max(from, to) - 1);
}

void check_key(lua_State* L, int at, const char* name) {
  if (rank_of(L, at) != key_rank::none) return;
  luaL_error(
      L,
      "%s() cannot go through keys that are a %s: they have no order, and every run would create other "
      "recordings; keep them in a list",
      name, luaL_typename(L, at));
}

// The next key of the list (upvalue 1) after a position (upvalue 2) that the table still has.
int next_in_order(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  lua_Integer place = lua_tointeger(L, lua_upvalueindex(2));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(1), ++place) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 1) != LUA_TNIL) break;
    lua_pop(L, 2);
  }
  lua_pushinteger(L, place);
  lua_replace(L, lua_upvalueindex(2));
  return 2;
}

int next_key(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 2);
  lua_pushnil(L);  // 3: the smallest key after the given one
  lua_Integer seen = 0;
  lua_pushnil(L);
  while (lua_next(L, 1) != 0) {
    lua_pop(L, 1);
    check_key(L, 4, "next");
    const bool is_later = lua_isnil(L, 2) || key_before(L, 2, 4);
    if (is_later && (lua_isnil(L, 3) || key_before(L, 4, 3))) {
      lua_pushvalue(L, 4);
      lua_replace(L, 3);
    }
    if (++seen % 64 == 0) sandbox::charge(L, 64);
  }
  if (lua_isnil(L, 3)) return 1;
  lua_pushvalue(L, 3);
  lua_rawget(L, 1);
  return 2;
}

int compare_by_function(lua_State* L, int a, int b) {
  lua_pushvalue(L, 2);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  lua_call(L, 2, 1);
  const int result = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return result;
}

int sort(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
    return luaL_error(L, "tables with __len cannot be used here");
  const auto count = static_cast<lua_Integer>(lua_rawlen(L, 1));
  const auto size = static_cast<double>(count);
  sandbox::charge(L, size * std::log2(size + 2) + 1);
  lua_settop(L, 2);
  if (lua_isnil(L, 2)) {
    merge_sort(L, 1, count, [](lua_State* at, int a, int b) { return lua_compare(at, a, b, LUA_OPLT) != 0; });
  } else {
    luaL_checktype(L, 2, LUA_TFUNCTION);
    merge_sort(L, 1, count, [](lua_State* at, int a, int b) { return compare_by_function(at, a, b) != 0; });
  }
  return 0;
}

// Numbers of tables and functions, in the order in which the script requested their texts.
constexpr char serial_numbers = 0;

lua_Integer serial_number(lua_State* L, int at) {
  at = lua_absindex(L, at);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &serial_numbers) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &serial_numbers);
  }
  lua_pushvalue(L, at);
  lua_Integer number = 0;
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_rawgeti(L, -2, 0);  // their count
    number = lua_tointeger(L, -1) + 1;
    lua_pushinteger(L, number);
    lua_rawseti(L, -4, 0);
    lua_pushvalue(L, at);
    lua_pushinteger(L, number);
    lua_rawset(L, -5);
    lua_pop(L, 1);
  } else {
    number = lua_tointeger(L, -1);
  }
  lua_pop(L, 2);
  return number;
}

int to_text(lua_State* L) {
  luaL_checkany(L, 1);
  push_text(L, 1);
  return 1;
}

int format(lua_State* L) {
  // To its end, not to the first zero byte: Lua's own implementation continues after it.
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, 1, &size);
  std::string_view rest(text, size);
  for (std::size_t at = rest.find('%'); at != rest.npos; at = rest.find('%')) {
    rest.remove_prefix(at + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of("-+ #0123456789."), rest.size()));
    if (rest.starts_with('p'))
      return luaL_error(L, "string.format() does not support %%p: addresses differ in every run");
    if (!rest.empty()) rest.remove_prefix(1);
  }
  const int count = lua_gettop(L);
  for (int i = 2; i <= count; ++i) {
    if (lua_type(L, i) != LUA_TTABLE && lua_type(L, i) != LUA_TFUNCTION && lua_type(L, i) != LUA_TUSERDATA)
      continue;
    push_text(L, i);
    lua_replace(L, i);
  }
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, count, 1);
  return 1;
}

}  // namespace

int ordered_pairs(lua_State* L) {
  luaL_checkany(L, 1);
  lua_settop(L, 1);
  if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 3);
    return 3;
  }
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_newtable(L);  // 2: the keys
  lua_Integer count = 0;
  bool in_order = true;
  lua_pushnil(L);
  while (lua_next(L, 1) != 0) {
    lua_pop(L, 1);
    check_key(L, 3, "pairs");
    if (in_order && count > 0) {
      lua_rawgeti(L, 2, count);
      in_order = key_before(L, 4, 3);
      lua_pop(L, 1);
    }
    lua_pushvalue(L, 3);
    lua_rawseti(L, 2, ++count);
    if (count % 64 == 0) sandbox::charge(L, 64);
  }
  if (!in_order) {
    const auto size = static_cast<double>(count);
    sandbox::charge(L, size * std::log2(size + 2));
    merge_sort(L, 2, count, key_before);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_in_order, 2);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

void push_text(lua_State* L, int at) {
  at = lua_absindex(L, at);
  luaL_checkstack(L, 8, nullptr);
  if (luaL_getmetafield(L, at, "__tostring") != LUA_TNIL) {
    lua_pop(L, 1);
    luaL_tolstring(L, at, nullptr);
    return;
  }
  switch (lua_type(L, at)) {
    case LUA_TUSERDATA: {
      luaL_getmetafield(L, at, "__name");
      const auto* inside = static_cast<const handle*>(lua_touserdata(L, at));
      lua_pushfstring(L, "%s: %d", lua_tostring(L, -1), static_cast<int>(inside->index) + 1);
      lua_remove(L, -2);
      return;
    }
    case LUA_TTABLE:
    case LUA_TFUNCTION:
      lua_pushfstring(L, "%s: %I", luaL_typename(L, at), static_cast<LUAI_UACINT>(serial_number(L, at)));
      return;
    default:
      luaL_tolstring(L, at, nullptr);
  }
}

void put_in_order(lua_State* L) {
  lua_pushcfunction(L, ordered_pairs);
  lua_setglobal(L, "pairs");
  lua_pushcfunction(L, next_key);
  lua_setglobal(L, "next");
  lua_pushcfunction(L, to_text);
  lua_setglobal(L, "tostring");
  lua_getglobal(L, LUA_TABLIBNAME);
  lua_pushcfunction(L, sort);
  lua_setfield(L, -2, "sort");
  lua_getglobal(L, LUA_STRLIBNAME);
  lua_getfield(L, -1, "format");
  lua_pushcclosure(L, format, 1);
  lua_setfield(L, -2, "format");
  lua_pop(L, 2);
}

}  // namespace tickreel::npc
