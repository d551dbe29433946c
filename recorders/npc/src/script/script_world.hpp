// Shared by the functions of a script, and their calling convention.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <lua.hpp>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox.hpp"
#include "tickreel/npc/script.hpp"

namespace tickreel::npc {

// The height of a point that has none of its own.
constexpr double no_z = std::numeric_limits<double>::quiet_NaN();

// Handles in a script: userdata with this content, without a destructor. The names are arrays, because their
// addresses are unique, unlike those of literals: they are also keys.
struct handle {
  std::uint32_t index = 0;
  std::uint32_t number = 0;  // of an event
};
inline constexpr char actor_type[] = "actor";
inline constexpr char event_type[] = "event";
inline constexpr char recording_type[] = "recording";
inline constexpr char heights_type[] = "heights";

// Heights on a grid.
struct height_grid {
  double x0 = 0;
  double y0 = 0;
  double step_m = 1;
  std::size_t columns = 0;
  std::vector<double> rows;  // by y, then x

  [[nodiscard]] double at(double x, double y) const noexcept;
};

struct world {
  script_options options;
  production made;
  std::vector<std::shared_ptr<const recorded>> recordings;
  std::size_t recorded_blocks = 0;
  std::size_t saved = 0;         // recordings of made.saved that are counted in saved_blocks
  std::size_t saved_blocks = 0;  // of their files
  std::size_t points = 0;
  std::size_t heights = 0;               // of all heights{} together
  std::vector<height_function> grounds;  // targets of heights handles
  std::mt19937_64 random;

  // The result of the current call; here, and not on the C++ stack, because Lua leaves functions with
  // longjmp.
  std::string message;
  std::vector<vec3> points_result;

  void ask_for(std::string_view setting) noexcept { std::erase(made.unread_settings, setting); }
  double random_share() { return static_cast<double>(random() >> 11) * 0x1p-53; }
};

// The return value of a function.
enum class gives : std::uint8_t {
  nothing,
  itself,
  number,
  integer,
  numbers,
  actor,
  event,
  recording,
  heights,
  point,   // the first of points_result
  points,  // all of points_result
};

// The arguments of a function, read without raising Lua errors; stores the first error.
class call {
 public:
  call(lua_State* state, world& all, std::string_view name) noexcept : L_(state), world_(&all), name_(name) {}

  [[nodiscard]] lua_State* state() const noexcept { return L_; }
  [[nodiscard]] world& all() const noexcept { return *world_; }
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  [[nodiscard]] int count() const noexcept { return lua_gettop(L_); }
  [[nodiscard]] bool has(int index) const noexcept { return !lua_isnoneornil(L_, index); }
  [[nodiscard]] bool is_table(int index) const noexcept { return lua_type(L_, index) == LUA_TTABLE; }
  [[nodiscard]] bool is_number(int index) const noexcept { return lua_type(L_, index) == LUA_TNUMBER; }

  // Invalid values return 0, an empty text and so on, and the call fails.
  double number(int index, std::string_view what);
  // A whole number in a range.
  double whole(int index, std::string_view what, double least, double most);
  bool truth(int index, bool otherwise) const noexcept {
    return has(index) ? lua_toboolean(L_, index) != 0 : otherwise;
  }
  std::string_view text(int index, std::string_view what);
  // The script's current line.
  [[nodiscard]] int line() const noexcept;

  // {x, y, z} or {x=, y=, z=}; z defaults to `missing_z`.
  vec3 point(int index, std::string_view what, double missing_z);
  std::vector<vec3> points(int index, std::string_view what, double missing_z);

  // Calls use(key, index of value) for each named field of a table, in the order of the names; false means an
  // unknown field, which fails, as does a value without a name unless the table is also a list.
  enum class unnamed : std::uint8_t { refused, a_list };
  template <class Use>
  void fields(int index, Use&& use, unnamed others = unnamed::refused) {
    if (!has(index)) return;
    if (!is_table(index)) return (void)fail("expects a table of options, got {}", type_at(index));
    const int table = lua_absindex(L_, index);
    for (const std::string& key : field_names(table, others)) {
      if (failed()) return;
      lua_pushlstring(L_, key.data(), key.size());
      lua_rawget(L_, table);
      if (!use(std::string_view(key), lua_gettop(L_))) fail("has no option '{}'", key);
      lua_pop(L_, 1);
    }
  }
  // The values 1, 2, ... of a table.
  template <class Use>
  void elements(int index, Use&& use) {
    const int table = lua_absindex(L_, index);
    const auto size = static_cast<lua_Integer>(lua_rawlen(L_, table));
    if (lua_checkstack(L_, 8) == 0) return (void)fail("out of memory");
    if (!sandbox::of(L_).spend(static_cast<double>(size)))
      return (void)fail_with("the script took too many steps");
    for (lua_Integer i = 1; i <= size && !failed(); ++i) {
      lua_rawgeti(L_, table, i);
      use(lua_gettop(L_), i);
      lua_pop(L_, 1);
    }
  }

  const handle* handle_at(int index, const char* type) const noexcept;
  plan* actor(int index, std::string_view what);
  std::shared_ptr<const recorded> recording(int index, std::string_view what);
  // Whether the actor has a place; otherwise the call fails.
  bool is_placed(const plan& actor);
  [[nodiscard]] std::string_view type_at(int index) const noexcept;

  // "actor:walk_to() expects ..."
  template <class... Values>
  gives fail(fmt::format_string<Values...> text, Values&&... values) {
    return fail_with(fmt::format("{}() ", name_) + fmt::format(text, std::forward<Values>(values)...));
  }
  gives fail_with(std::string text);
  // Forwards the plan's refusal, if there is one.
  gives done(const outcome& what, gives otherwise = gives::itself);
  [[nodiscard]] bool failed() const noexcept { return failed_; }

  // For return values.
  double results[4] = {};
  int result_count = 1;
  handle result_handle;
  int problem_line = 0;  // of the refusal, if it concerns an earlier line

 private:
  std::vector<std::string> field_names(int table, unnamed others);

  lua_State* L_;
  world* world_;
  std::string_view name_;
  bool failed_ = false;
};

struct call_result {
  gives what = gives::nothing;
  bool failed = false;
  double results[4] = {};
  int result_count = 1;
  handle made;
  int problem_line = 0;
};

// In script_recordings.cpp. Called after every call: saved recordings beyond the limits are discarded, and
// the call fails.
void limit_saved(call& of);

// All objects with destructors are inside; the caller raises Lua's errors.
template <gives (*Body)(call&)>
call_result run_call(lua_State* L, world& all, const char* name) noexcept {
  call_result result;
  try {
    call of(L, all, name);
    result.what = Body(of);
    limit_saved(of);
    result.failed = of.failed();
    std::copy(std::begin(of.results), std::end(of.results), std::begin(result.results));
    result.result_count = of.result_count;
    result.made = of.result_handle;
    result.problem_line = of.problem_line;
  } catch (const std::exception&) {
    all.message.clear();  // raised as "out of memory", which needs no text
    result.failed = true;
  }
  return result;
}

[[noreturn]] void raise(lua_State* L, world& all, int problem_line);
int give(lua_State* L, world& all, const call_result& result);

// A C function for Lua; its name is its upvalue.
template <gives (*Body)(call&)>
int bound(lua_State* L) {
  world& all = *static_cast<world*>(sandbox::of(L).owner());
  const char* name = lua_tostring(L, lua_upvalueindex(1));
  // A call costs more than an instruction.
  sandbox::charge(L, 20);
  const call_result result = run_call<Body>(L, all, name);
  if (result.failed) raise(L, all, result.problem_line);
  return give(L, all, result);
}

struct named_function {
  const char* name;
  lua_CFunction function;
};

// In script_order.cpp. Replaces functions whose results differ between runs.
void put_in_order(lua_State* L);
// pairs() in the order of the keys: booleans, numbers, texts, actors and so on.
int ordered_pairs(lua_State* L);
// Pushes the result of tostring(), without addresses.
void push_text(lua_State* L, int at);

// One file each; called during the state's setup.
void add_globals(lua_State* L);
void add_actor_type(lua_State* L);
void add_recording_type(lua_State* L);
// Methods of a type, with names in messages like "actor:wait".
void add_type(lua_State* L, const char* type, std::initializer_list<std::span<const named_function>> methods);
std::span<const named_function> movement_methods() noexcept;
std::span<const named_function> standing_methods() noexcept;
std::span<const named_function> road_methods() noexcept;
std::span<const named_function> convoy_functions() noexcept;
std::span<const named_function> actor_functions() noexcept;
std::span<const named_function> global_functions() noexcept;

// Fails unless the name can be that of a new file.
bool check_name(call& of, std::string_view name);
std::span<const named_function> ground_methods() noexcept;
std::span<const named_function> height_methods() noexcept;
std::span<const named_function> recording_methods() noexcept;

// Starts at a place; null, with a failed call, if there are already too many blocks.
std::shared_ptr<const recorded> rebased(call& of, const recorded& what, vec3 start, double heading_deg);

// x, y[, z] or {x, y, z} from argument `next`, which is advanced. No value, with a failed call, for anything
// else.
std::optional<vec3> read_target(call& of, const plan& who, int& next);
// Options of one movement; its changes are reverted afterwards.
class for_this_movement {
 public:
  explicit for_this_movement(plan& who)
      : who_(&who), limits_(who.limits), corner_m_(who.corner_m), reverse_(who.reverse) {}
  for_this_movement(const for_this_movement&) = delete;
  for_this_movement& operator=(const for_this_movement&) = delete;
  ~for_this_movement() {
    who_->limits = limits_;
    who_->corner_m = corner_m_;
    who_->reverse = reverse_;
  }

 private:
  plan* who_;
  motion_limits limits_;
  double corner_m_;
  bool reverse_;
};

// Speed limits and corners for one movement, from a table of options; other options go to `more`.
bool read_motion_option(call& of, plan& who, std::string_view key, int index);

}  // namespace tickreel::npc
