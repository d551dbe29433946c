#include <cmath>
#include <cstring>

#include "script_world.hpp"
#include "tickreel/samp_rec/fault.hpp"
#include "tickreel/text/suggestion.hpp"

namespace tickreel::npc {

std::string_view call::type_at(int index) const noexcept {
  if (lua_isnone(L_, index)) return "nothing";
  for (const char* each : {actor_type, event_type, recording_type, heights_type}) {
    if (handle_at(index, each) != nullptr) return each;
  }
  return lua_typename(L_, lua_type(L_, index));
}

gives call::fail_with(std::string text) {
  if (!failed_) world_->message = std::move(text);
  failed_ = true;
  return gives::nothing;
}

gives call::done(const outcome& what, gives otherwise) {
  if (what) return otherwise;
  if (what.error().line != line()) problem_line = what.error().line;
  return fail_with(what.error().text);
}

std::vector<std::string> call::field_names(int table, unnamed others) {
  std::vector<std::string> names;
  if (lua_checkstack(L_, 8) == 0) return fail("out of memory"), names;
  lua_pushnil(L_);
  while (lua_next(L_, table) != 0) {
    lua_pop(L_, 1);
    if (lua_type(L_, -1) == LUA_TSTRING) {
      std::size_t size = 0;
      const char* key = lua_tolstring(L_, -1, &size);
      names.emplace_back(key, size);
    } else if (others == unnamed::refused && !failed()) {
      fail("expects options by name, like {{ speed=3 }}");
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

double call::number(int index, std::string_view what) {
  if (lua_type(L_, index) != LUA_TNUMBER) {
    fail("expects a number for {}, got {}", what, type_at(index));
    return 0;
  }
  const double value = lua_tonumber(L_, index);
  if (!std::isfinite(value)) {
    fail("got no finite number for {}", what);
    return 0;
  }
  return value;
}

double call::whole(int index, std::string_view what, double least, double most) {
  const double value = number(index, what);
  if (!failed() && (value < least || value > most || value != std::floor(value))) {
    fail("expects a whole number from {} to {} for {}", least, most, what);
    return least;
  }
  return value;
}

std::string_view call::text(int index, std::string_view what) {
  if (lua_type(L_, index) != LUA_TSTRING) {
    fail("expects a text for {}, got {}", what, type_at(index));
    return {};
  }
  std::size_t size = 0;
  const char* begin = lua_tolstring(L_, index, &size);
  return {begin, size};
}

int call::line() const noexcept {
  lua_Debug where;
  std::memset(&where, 0, sizeof where);
  // The function that calls us may itself be called from one of ours.
  for (int level = 0; lua_getstack(L_, level, &where) != 0; ++level) {
    if (lua_getinfo(L_, "l", &where) != 0 && where.currentline > 0) return where.currentline;
  }
  return 0;
}

vec3 call::point(int index, std::string_view what, double missing_z) {
  vec3 result{0, 0, missing_z};
  if (!is_table(index)) {
    fail("expects a point like {{x, y, z}} for {}, got {}", what, type_at(index));
    return result;
  }
  bool seen[3] = {};
  const auto take = [&](int axis, int at) {
    const double value = number(at, what);
    seen[axis] = true;
    (axis == 0 ? result.x : axis == 1 ? result.y : result.z) = value;
  };
  const int table = lua_absindex(L_, index);
  if (lua_checkstack(L_, 8) == 0) return fail("out of memory"), result;
  for (int axis = 0; axis < 3 && !failed(); ++axis) {
    if (lua_rawgeti(L_, table, axis + 1) != LUA_TNIL) take(axis, lua_gettop(L_));
    lua_pop(L_, 1);
  }
  if (!seen[0] && !seen[1] && !failed()) {
    lua_pushnil(L_);
    while (lua_next(L_, table) != 0) {
      std::size_t size = 0;
      const char* key = lua_type(L_, -2) == LUA_TSTRING ? lua_tolstring(L_, -2, &size) : "";
      if (size == 1 && key[0] >= 'x' && key[0] <= 'z' && !failed()) take(key[0] - 'x', lua_gettop(L_));
      lua_pop(L_, 1);
    }
  }
  if (!failed() && (!seen[0] || !seen[1])) fail("expects a point with x and y for {}", what);
  if (!failed() && !seen[2] && std::isnan(missing_z)) fail("needs a z for {}: its height is unknown", what);
  if (!failed() && length(result) > samp_rec::far_position_m) {
    fail("got ({:g}, {:g}, {:g}) for {}, which is outside the world: it ends at {:.0f} m", result.x, result.y,
         result.z, what, samp_rec::far_position_m);
  }
  return result;
}

std::vector<vec3> call::points(int index, std::string_view what, double missing_z) {
  std::vector<vec3> result;
  if (!is_table(index)) {
    fail("expects a list of points for {}, got {}", what, type_at(index));
    return result;
  }
  elements(index, [&](int at, lua_Integer number_of) {
    result.push_back(point(at, what, missing_z));
    if (failed()) world_->message += fmt::format(" (point {})", number_of);
    // A missing height is that of the previous point.
    missing_z = result.back().z;
  });
  return result;
}

const handle* call::handle_at(int index, const char* type) const noexcept {
  // Compares the metatable's field directly, without allocation.
  if (lua_type(L_, index) != LUA_TUSERDATA || lua_getmetatable(L_, index) == 0) return nullptr;
  const void* has = lua_topointer(L_, -1);
  lua_pop(L_, 1);
  if (lua_rawgetp(L_, LUA_REGISTRYINDEX, type) != LUA_TTABLE) return lua_pop(L_, 1), nullptr;
  const void* wanted = lua_topointer(L_, -1);
  lua_pop(L_, 1);
  return has == wanted ? static_cast<const handle*>(lua_touserdata(L_, index)) : nullptr;
}

plan* call::actor(int index, std::string_view what) {
  const handle* who = handle_at(index, actor_type);
  if (who == nullptr) {
    fail("expects an actor for {}, got {}", what, type_at(index));
    return nullptr;
  }
  plan* part = world_->made.actors[who->index].part.get();
  part->line = line();
  return part;
}

bool call::is_placed(const plan& actor) {
  if (actor.position()) return true;
  fail("needs the place of {}: say at={{x, y, z}}", actor.options().name);
  return false;
}

std::shared_ptr<const recorded> call::recording(int index, std::string_view what) {
  const handle* which = handle_at(index, recording_type);
  if (which == nullptr) {
    fail("expects a recording for {}, got {}", what, type_at(index));
    return nullptr;
  }
  return world_->recordings[which->index];
}

void raise(lua_State* L, world& all, int problem_line) {
  if (all.message.empty()) {
    luaL_error(L, "out of memory");
  } else if (problem_line > 0) {
    // luaL_where gives "script:line:" of the caller; the refusal concerns another line of the same script.
    lua_Debug where;
    std::memset(&where, 0, sizeof where);
    for (int level = 0; lua_getstack(L, level, &where) != 0; ++level) {
      if (lua_getinfo(L, "Sl", &where) != 0 && where.currentline > 0) break;
    }
    lua_pushfstring(L, "%s:%d: %s", where.short_src, problem_line, all.message.c_str());
    lua_error(L);
  } else {
    luaL_error(L, "%s", all.message.c_str());
  }
  std::abort();  // not reached: errors use longjmp
}

namespace {

void push_point(lua_State* L, const vec3& point) {
  lua_createtable(L, 3, 0);
  lua_pushnumber(L, point.x);
  lua_rawseti(L, -2, 1);
  lua_pushnumber(L, point.y);
  lua_rawseti(L, -2, 2);
  lua_pushnumber(L, point.z);
  lua_rawseti(L, -2, 3);
}

int give_handle(lua_State* L, const char* type, handle made) {
  auto* inside = static_cast<handle*>(lua_newuserdatauv(L, sizeof(handle), 0));
  *inside = made;
  lua_rawgetp(L, LUA_REGISTRYINDEX, type);
  lua_setmetatable(L, -2);
  return 1;
}

}  // namespace

int give(lua_State* L, world& all, const call_result& result) {
  switch (result.what) {
    case gives::nothing:
      return 0;
    case gives::itself:
      lua_settop(L, 1);
      return 1;
    case gives::number:
      lua_pushnumber(L, result.results[0]);
      return 1;
    case gives::integer:
      lua_pushinteger(L, static_cast<lua_Integer>(result.results[0]));
      return 1;
    case gives::numbers:
      luaL_checkstack(L, 4, nullptr);
      for (int i = 0; i < result.result_count; ++i) lua_pushnumber(L, result.results[i]);
      return result.result_count;
    case gives::actor:
      return give_handle(L, actor_type, result.made);
    case gives::event:
      return give_handle(L, event_type, result.made);
    case gives::recording:
      return give_handle(L, recording_type, result.made);
    case gives::heights:
      return give_handle(L, heights_type, result.made);
    case gives::point:
      push_point(L, all.points_result.front());
      return 1;
    case gives::points:
      lua_createtable(L, static_cast<int>(all.points_result.size()), 0);
      for (std::size_t i = 0; i < all.points_result.size(); ++i) {
        push_point(L, all.points_result[i]);
        lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
      }
      return 1;
  }
  return 0;
}

namespace {

// Finds a method by name; suggests a similar one if there is none.
int find_method(lua_State* L) {
  lua_settop(L, 2);
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
  if (lua_type(L, 2) != LUA_TSTRING)
    return luaL_error(L, "%s has no such field", lua_tostring(L, lua_upvalueindex(2)));
  world& all = *static_cast<world*>(sandbox::of(L).owner());
  const auto say = [&]() noexcept {
    try {
      std::vector<std::string> names;
      lua_pushnil(L);
      while (lua_next(L, lua_upvalueindex(1)) != 0) {
        lua_pop(L, 1);
        names.emplace_back(lua_tostring(L, -1));
      }
      std::sort(names.begin(), names.end());
      const std::string wanted(lua_tostring(L, 2));
      all.message = fmt::format("{} has no '{}'{}", lua_tostring(L, lua_upvalueindex(2)),
                                wanted.substr(0, 60), text::suggestion(wanted, names));
    } catch (const std::exception&) {
      all.message.clear();
    }
  };
  say();
  raise(L, all, 0);
}

}  // namespace

void add_type(lua_State* L, const char* type,
              std::initializer_list<std::span<const named_function>> methods) {
  lua_newtable(L);
  lua_newtable(L);
  for (const auto& list : methods) {
    for (const named_function& each : list) {
      lua_pushfstring(L, "%s:%s", type, each.name);
      lua_pushcclosure(L, each.function, 1);
      lua_setfield(L, -2, each.name);
    }
  }
  lua_pushstring(L, type);
  lua_pushcclosure(L, find_method, 2);
  lua_setfield(L, -2, "__index");
  // Scripts cannot reach the metatable, so they cannot add a finalizer or substitute another type's value.
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__metatable");
  lua_pushstring(L, type);
  lua_setfield(L, -2, "__name");
  lua_rawsetp(L, LUA_REGISTRYINDEX, type);
}

}  // namespace tickreel::npc
