// Functions of a script besides Lua's: units, random numbers, heights, print, save.
#include <algorithm>
#include <cmath>

#include "script_world.hpp"
#include "tickreel/counted.hpp"

namespace tickreel::npc {

namespace {

gives kmh(call& of) {
  of.results[0] = of.number(1, "the speed") / 3.6;
  return gives::number;
}
gives mph(call& of) {
  of.results[0] = of.number(1, "the speed") * 0.44704;
  return gives::number;
}

gives seed(call& of) {
  of.all().random.seed(static_cast<std::uint64_t>(of.whole(1, "the seed", 0, 9e15)));
  return gives::nothing;
}

// As math.random(): a fraction, 1 to n, or a to b, an integer if both are.
gives random(call& of) {
  const double share = of.all().random_share();
  if (!of.has(1)) {
    of.results[0] = share;
    return gives::number;
  }
  double from = 1;
  double to = of.number(1, "the limit");
  if (of.has(2)) {
    from = to;
    to = of.number(2, "the upper limit");
  }
  if (of.failed()) return gives::nothing;
  if (to < from) return of.fail("expects limits that rise");
  const bool whole = from == std::floor(from) && to == std::floor(to);
  of.results[0] =
      whole ? std::min(to, from + std::floor(share * (to - from + 1))) : from + share * (to - from);
  return whole ? gives::integer : gives::number;
}

gives random_point(call& of) {
  const vec3 centre = {of.number(1, "the centre's x"), of.number(2, "the centre's y"), 0};
  const double radius = of.number(3, "the radius");
  const double z = of.has(4) ? of.number(4, "z") : 0;
  if (of.failed()) return gives::nothing;
  // The square root distributes the points evenly over the disc.
  const double from_centre = radius * std::sqrt(of.all().random_share());
  const vec3 off = direction_of(360 * of.all().random_share()) * from_centre;
  of.all().points_result = {{centre.x + off.x, centre.y + off.y, z}};
  return gives::point;
}

gives circle_points(call& of) {
  const vec3 centre = {of.number(1, "the centre's x"), of.number(2, "the centre's y"),
                       of.number(3, "the centre's z")};
  const double radius = of.number(4, "the radius");
  const double count = of.has(5) ? of.whole(5, "the number of points", 3, 1000) : 12;
  if (of.failed()) return gives::nothing;
  auto& points = of.all().points_result;
  points.clear();
  for (int i = 0; i < static_cast<int>(count); ++i)
    points.push_back(centre + direction_of(360.0 * i / count) * radius);
  return gives::points;
}

gives heights(call& of) {
  // For all grids of a script together: they are outside of the memory limit of its tables.
  constexpr std::size_t max_heights = 4'000'000;
  height_grid grid;
  if (!of.is_table(1)) return of.fail("expects a table like heights{{ x=0, y=0, step=10, rows={{...}} }}");
  of.fields(1, [&](std::string_view key, int at) {
    if (key == "x") return grid.x0 = of.number(at, key), true;
    if (key == "y") return grid.y0 = of.number(at, key), true;
    if (key == "step") return grid.step_m = of.number(at, key), true;
    if (key != "rows") return false;
    if (!of.is_table(at)) return of.fail("expects a list of rows"), true;
    of.elements(at, [&](int row, lua_Integer number_of) {
      const std::size_t before = grid.rows.size();
      if (!of.is_table(row)) return (void)of.fail("expects a list of heights as row {}", number_of);
      of.elements(row, [&](int height, lua_Integer) {
        if (of.all().heights + grid.rows.size() >= max_heights)
          return (void)of.fail("takes at most {} heights in all", max_heights);
        grid.rows.push_back(of.number(height, "a height"));
      });
      if (of.failed()) return;
      const std::size_t columns = grid.rows.size() - before;
      if (number_of == 1) grid.columns = columns;
      if (columns != grid.columns)
        of.fail("has {} in row {}, the first has {}", counted(columns, "height"), number_of, grid.columns);
    });
    return true;
  });
  if (of.failed()) return gives::nothing;
  if (grid.columns < 2 || grid.rows.size() < 2 * grid.columns)
    return of.fail("needs at least two rows of two heights");
  if (!(grid.step_m > 0)) return of.fail("needs a step above 0");
  of.all().heights += grid.rows.size();
  of.all().grounds.emplace_back(
      [kept = std::make_shared<const height_grid>(std::move(grid))](
          double x, double y) -> tl::expected<double, std::string> { return kept->at(x, y); });
  of.result_handle = {static_cast<std::uint32_t>(of.all().grounds.size() - 1), 0};
  return gives::heights;
}

gives height_at(call& of) {
  const handle* which = of.handle_at(1, heights_type);
  if (which == nullptr) return of.fail("expects heights, got {}", of.type_at(1));
  const double x = of.number(2, "x");
  const double y = of.number(3, "y");
  if (of.failed()) return gives::nothing;
  const auto height = of.all().grounds[which->index](x, y);
  if (!height) return of.fail_with(height.error());
  of.results[0] = *height;
  return gives::number;
}

// Wraps a Lua function. Its reference stays in the registry until the state is closed.
height_function height_of(lua_State* L, int reference) {
  return [L, reference](double x, double y) -> tl::expected<double, std::string> {
    if (lua_checkstack(L, 8) == 0) return tl::unexpected<std::string>("out of memory");
    const int top = lua_gettop(L);
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
    lua_pushnumber(L, x);
    lua_pushnumber(L, y);
    const int status = lua_pcall(L, 2, 1, 0);
    tl::expected<double, std::string> result = 0;
    if (status != LUA_OK) {
      const char* text = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "an error";
      result = tl::unexpected<std::string>(std::string("the height function failed: ") + text);
    } else if (lua_type(L, -1) != LUA_TNUMBER) {
      result = tl::unexpected<std::string>("the height function returns no number");
    } else {
      result = lua_tonumber(L, -1);
    }
    lua_settop(L, top);
    return result;
  };
}

// ground(heights or function or nothing[, offset]); the third argument is the function's reference.
gives ground_with_reference(call& of) {
  plan* who = of.actor(1, "self");
  if (who == nullptr) return gives::nothing;
  ground what;
  what.offset_m = of.has(3) ? of.number(3, "the offset") : 0;
  if (of.failed()) return gives::nothing;
  if (const handle* grid = of.handle_at(2, heights_type)) {
    what.height = of.all().grounds[grid->index];
  } else if (lua_type(of.state(), 2) == LUA_TFUNCTION) {
    what.height = height_of(of.state(), static_cast<int>(lua_tointeger(of.state(), 4)));
  } else if (of.has(2)) {
    return of.fail("expects heights{{...}} or a function of x and y, got {}", of.type_at(2));
  } else {
    return of.done(who->stand_on(std::nullopt));
  }
  return of.done(who->stand_on(std::move(what)));
}

int ground_method(lua_State* L) {
  lua_settop(L, 3);
  int reference = LUA_NOREF;
  if (lua_type(L, 2) == LUA_TFUNCTION) {
    lua_pushvalue(L, 2);
    reference = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_pushinteger(L, reference);
  return bound<ground_with_reference>(L);
}

bool keep_printed(world& all, const char* text, std::size_t size) noexcept {
  try {
    std::string& printed = all.made.printed;
    if (printed.size() + size > all.options.limits.printed_bytes) return false;
    printed.append(text, size);
    if (all.options.on_print) all.options.on_print({text, size});
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

int print(lua_State* L) {
  world& all = *static_cast<world*>(sandbox::of(L).owner());
  const int count = lua_gettop(L);
  for (int i = 1; i <= count; ++i) {
    std::size_t size = 0;
    push_text(L, i);
    const char* text = lua_tolstring(L, -1, &size);
    if ((i > 1 && !keep_printed(all, "\t", 1)) || !keep_printed(all, text, size)) {
      return luaL_error(L, "the script prints too much");
    }
    lua_pop(L, 1);
  }
  if (!keep_printed(all, "\n", 1)) return luaL_error(L, "the script prints too much");
  return 0;
}

gives save(call& of) {
  auto what = of.recording(1, "the recording");
  const std::string_view name = of.text(2, "the name");
  if (of.failed() || !check_name(of, name)) return gives::nothing;
  if (what->empty()) return of.fail("got a recording without blocks");
  of.all().made.saved.push_back({std::string(name), std::move(what)});
  return gives::nothing;
}

void add_function(lua_State* L, const char* name, lua_CFunction function) {
  lua_pushstring(L, name);
  lua_pushcclosure(L, function, 1);
}

}  // namespace

double height_grid::at(double x, double y) const noexcept {
  const std::size_t lines = rows.size() / columns;
  const double column = std::clamp((x - x0) / step_m, 0.0, static_cast<double>(columns - 1));
  const double line = std::clamp((y - y0) / step_m, 0.0, static_cast<double>(lines - 1));
  const auto i = std::min(static_cast<std::size_t>(column), columns - 2);
  const auto j = std::min(static_cast<std::size_t>(line), lines - 2);
  const double u = column - static_cast<double>(i);
  const double v = line - static_cast<double>(j);
  const double* corner = rows.data() + j * columns + i;
  return (corner[0] * (1 - u) + corner[1] * u) * (1 - v) +
         (corner[columns] * (1 - u) + corner[columns + 1] * u) * v;
}

std::span<const named_function> global_functions() noexcept {
  static constexpr named_function all[] = {
      {"kmh", bound<kmh>},
      {"mph", bound<mph>},
      {"seed", bound<seed>},
      {"random", bound<random>},
      {"random_point", bound<random_point>},
      {"heights", bound<heights>},
      {"circle_points", bound<circle_points>},
      {"save", bound<save>},
  };
  return all;
}

std::span<const named_function> ground_methods() noexcept {
  static constexpr named_function all[] = {{"ground", ground_method}};
  return all;
}

std::span<const named_function> height_methods() noexcept {
  static constexpr named_function all[] = {{"at", bound<height_at>}};
  return all;
}

void add_globals(lua_State* L) {
  for (const auto& list : {actor_functions(), global_functions(), convoy_functions()}) {
    for (const named_function& each : list) {
      add_function(L, each.name, each.function);
      lua_setglobal(L, each.name);
    }
  }
  lua_pushcfunction(L, print);
  lua_setglobal(L, "print");
  lua_getglobal(L, LUA_MATHLIBNAME);
  add_function(L, "random", bound<random>);
  lua_setfield(L, -2, "random");
  add_function(L, "randomseed", bound<seed>);
  lua_setfield(L, -2, "randomseed");
  lua_pop(L, 1);
}

void add_actor_type(lua_State* L) {
  add_type(L, actor_type, {movement_methods(), standing_methods(), ground_methods(), road_methods()});
  add_type(L, heights_type, {height_methods()});
  add_type(L, event_type, {});
}

}  // namespace tickreel::npc
