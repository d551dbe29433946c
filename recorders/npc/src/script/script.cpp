#include "tickreel/npc/script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "script_world.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

// Runs inside a protected call: everything may fail for lack of memory.

void push_setting(lua_State* L, const std::string& text) {
  if (const auto value = text::parse_number<double>(text); value && std::isfinite(*value)) {
    constexpr double whole_numbers = 9007199254740992;  // 2^53
    if (std::abs(*value) <= whole_numbers && *value == std::floor(*value)) {
      lua_pushinteger(L, static_cast<lua_Integer>(*value));
    } else {
      lua_pushnumber(L, *value);
    }
  } else if (text == "true" || text == "false") {
    lua_pushboolean(L, text == "true");
  } else {
    lua_pushlstring(L, text.data(), text.size());
  }
}

void push_waypoints(lua_State* L, const waypoint_list& list) {
  lua_createtable(L, static_cast<int>(list.size()), 0);
  for (std::size_t i = 0; i < list.size(); ++i) {
    lua_createtable(L, 0, static_cast<int>(list[i].fields.size()));
    for (const auto& [key, value] : list[i].fields) {
      lua_pushlstring(L, key.data(), key.size());
      if (const auto* number = std::get_if<double>(&value)) {
        lua_pushnumber(L, *number);
      } else {
        const auto& text = std::get<std::string>(value);
        lua_pushlstring(L, text.data(), text.size());
      }
      lua_rawset(L, -3);
    }
    lua_rawseti(L, -2, static_cast<lua_Integer>(i + 1));
  }
}

// A table whose missing fields raise an error with a remedy, which reveals spelling mistakes.
int missing_input(lua_State* L) {
  return luaL_error(L, "%s.%s is not set; set it with %s %s=FILE", lua_tostring(L, lua_upvalueindex(1)),
                    luaL_tolstring(L, 2, nullptr), lua_tostring(L, lua_upvalueindex(2)),
                    luaL_tolstring(L, 2, nullptr));
}

void name_inputs(lua_State* L, const char* global, const char* option) {
  lua_newtable(L);
  lua_pushstring(L, global);
  lua_pushstring(L, option);
  lua_pushcclosure(L, missing_input, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_setglobal(L, global);
}

// settings.NAME, from the upvalue table; reads are recorded, so that unread names can be reported.
int read_setting(lua_State* L) {
  world& all = *static_cast<world*>(sandbox::of(L).owner());
  if (lua_type(L, 2) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* begin = lua_tolstring(L, 2, &size);
    all.ask_for({begin, size});
  }
  lua_settop(L, 2);
  lua_rawget(L, lua_upvalueindex(1));
  return 1;
}

int all_settings(lua_State* L) {
  static_cast<world*>(sandbox::of(L).owner())->made.unread_settings.clear();
  lua_settop(L, 0);
  lua_pushvalue(L, lua_upvalueindex(1));
  return ordered_pairs(L);
}

// The table of settings is on the stack's top, and is popped.
void name_settings(lua_State* L) {
  lua_newtable(L);
  lua_newtable(L);
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, read_setting, 1);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, -3);
  lua_pushcclosure(L, all_settings, 1);
  lua_setfield(L, -2, "__pairs");
  lua_setmetatable(L, -2);
  lua_setglobal(L, "settings");
  lua_pop(L, 1);
}

int prepare(lua_State* L) {
  world& all = *static_cast<world*>(sandbox::of(L).owner());
  add_actor_type(L);
  add_recording_type(L);
  add_globals(L);
  put_in_order(L);
  lua_newtable(L);
  for (const auto& [name, text] : all.options.settings) {
    push_setting(L, text);
    lua_setfield(L, -2, name.c_str());
  }
  name_settings(L);
  lua_newtable(L);
  for (const auto& [name, list] : all.options.waypoints) {
    push_waypoints(L, list);
    lua_setfield(L, -2, name.c_str());
  }
  name_inputs(L, "waypoints", "--waypoints");
  lua_newtable(L);
  for (std::size_t i = 0; i < all.options.recordings.size(); ++i) {
    auto* inside = static_cast<handle*>(lua_newuserdatauv(L, sizeof(handle), 0));
    *inside = {static_cast<std::uint32_t>(i), 0};
    lua_rawgetp(L, LUA_REGISTRYINDEX, recording_type);
    lua_setmetatable(L, -2);
    lua_setfield(L, -2, all.options.recordings[i].first.c_str());
  }
  name_inputs(L, "recordings", "--rec");
  if (all.options.heights) {
    all.grounds.push_back(all.options.heights);
    auto* inside = static_cast<handle*>(lua_newuserdatauv(L, sizeof(handle), 0));
    *inside = {0, 0};
    lua_rawgetp(L, LUA_REGISTRYINDEX, heights_type);
    lua_setmetatable(L, -2);
    lua_setglobal(L, "hmap");
  }
  return 0;
}

// Formats the error on the stack's top.
std::string error_text(lua_State* L, int status, std::string_view name, const sandbox& box,
                       const script_limits& limits) {
  std::string text;
  if (lua_type(L, -1) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* begin = lua_tolstring(L, -1, &size);
    text.assign(begin, std::min<std::size_t>(size, 4000));
  } else if (lua_type(L, -1) == LUA_TNUMBER) {
    text = fmt::format("{}: error {}", name, lua_tonumber(L, -1));
  } else {
    text = fmt::format("{}: the script raised an error that is a {}, not a text", name,
                       lua_typename(L, lua_type(L, -1)));
  }
  if (status == LUA_ERRMEM || (box.out_of_memory() && text.find("not enough memory") != std::string::npos)) {
    const int line = box.out_of_memory_line();
    return fmt::format("{}{}: the script needs more memory than its {} MB", name,
                       line > 0 ? fmt::format(":{}", line) : "", limits.memory_bytes >> 20);
  }
  if (status == LUA_ERRERR && box.exhausted() != nullptr) return fmt::format("{}: {}", name, box.exhausted());
  // Errors outside of any function have no position.
  return text.find(name) == std::string::npos ? fmt::format("{}: {}", name, text) : text;
}

// Without what Lua's own loader of files skips, too: a byte order mark, and a first line that begins with '#'. The
// line stays as an empty one, so that the numbers of the others are right.
std::string_view without_head(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  if (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n'), text.size()));
  return text;
}

tl::expected<production, std::string> run_in(world& all, std::string_view text, std::string_view name) {
  const script_limits& limits = all.options.limits;
  const auto refuse = [](std::string why) { return tl::unexpected<std::string>(std::move(why)); };
  text = without_head(text);
  if (text.size() > limits.script_bytes) {
    return refuse(fmt::format("{}: the script is longer than {} bytes", name, limits.script_bytes));
  }
  sandbox box(limits, &all);
  lua_State* L = box.state();
  if (L == nullptr) return refuse(fmt::format("{}: no memory for a script", name));
  lua_pushcfunction(L, prepare);
  int status = lua_pcall(L, 0, 0, 0);
  if (status == LUA_OK) {
    status = luaL_loadbufferx(L, text.data(), text.size(), fmt::format("@{}", name).c_str(), "t");
  }
  if (status == LUA_OK) status = lua_pcall(L, 0, 0, 0);
  if (status != LUA_OK) return refuse(error_text(L, status, name, box, limits));
  // The script may still be asked for heights.
  for (const scripted_actor& each : all.made.actors) {
    if (auto closed = each.part->stand_on(std::nullopt); !closed) {
      const problem& why = closed.error();
      return refuse(why.line > 0 ? fmt::format("{}:{}: {}", name, why.line, why.text)
                                 : fmt::format("{}: {}", name, why.text));
    }
  }
  if (box.exhausted() != nullptr) return refuse(fmt::format("{}: {}", name, box.exhausted()));
  return std::move(all.made);
}

}  // namespace

std::vector<std::string> script_functions() {
  std::vector<std::string> all;
  const auto add = [&](std::string_view type, std::span<const named_function> functions) {
    for (const named_function& each : functions) all.push_back(fmt::format("{}{}", type, each.name));
  };
  add("actor:", movement_methods());
  add("actor:", standing_methods());
  add("actor:", ground_methods());
  add("actor:", road_methods());
  add("heights:", height_methods());
  add("recording:", recording_methods());
  add("", actor_functions());
  add("", global_functions());
  add("", convoy_functions());
  return all;
}

tl::expected<production, std::string> run_script(std::string_view text, std::string_view name,
                                                 const script_options& options) {
  try {
    world all;
    all.options = options;
    all.random.seed(options.seed);
    for (const auto& [key, what] : options.recordings) all.recordings.push_back(what);
    for (const auto& [key, text_of_it] : options.settings) all.made.unread_settings.push_back(key);
    return run_in(all, text, name);
  } catch (const std::exception& problem) {
    return tl::unexpected<std::string>(fmt::format("{}: {}", name, problem.what()));
  }
}

}  // namespace tickreel::npc
