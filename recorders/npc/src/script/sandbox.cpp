#include "sandbox.hpp"

#include <cstdlib>

namespace tickreel::npc {

namespace {

// Instructions between two checks of the limits. Single instructions can be slow (concatenation of long
// texts), so not many.
constexpr int instructions_per_look = 200;

constexpr const char* too_many_steps = "the script took too many steps; is there an endless loop?";
constexpr const char* too_long = "the script took too long; is there an endless loop?";

// The script's current line; 0 outside of it. Does not allocate: also called without memory.
int line_of(lua_State* state) noexcept {
  constexpr int deepest = 100;
  lua_Debug frame;
  for (int level = 0; level < deepest && lua_getstack(state, level, &frame) != 0; ++level) {
    lua_getinfo(state, "l", &frame);
    if (frame.currentline > 0) return frame.currentline;
  }
  return 0;
}

}  // namespace

sandbox::sandbox(const script_limits& limits, void* owner)
    : limits_(limits),
      owner_(owner),
      steps_left_(static_cast<double>(limits.instructions)),
      deadline_(std::chrono::steady_clock::now() + std::chrono::milliseconds(limits.milliseconds)) {
  state_ = lua_newstate(&sandbox::allocate, this);
  if (state_ == nullptr) return;
  *static_cast<sandbox**>(lua_getextraspace(state_)) = this;
  lua_pushcfunction(state_, &sandbox::open_libraries);
  if (lua_pcall(state_, 0, 0, 0) != LUA_OK) {
    lua_close(state_);
    state_ = nullptr;
    return;
  }
  lua_sethook(state_, &sandbox::count_hook, LUA_MASKCOUNT, instructions_per_look);
}

sandbox::~sandbox() {
  if (state_ != nullptr) lua_close(state_);
}

sandbox& sandbox::of(lua_State* state) noexcept {
  return **static_cast<sandbox**>(lua_getextraspace(state));
}

void* sandbox::allocate(void* self, void* old, std::size_t old_bytes, std::size_t new_bytes) noexcept {
  auto& box = *static_cast<sandbox*>(self);
  if (old == nullptr) old_bytes = 0;  // Lua passes a type there
  if (new_bytes == 0) {
    std::free(old);
    box.used_bytes_ -= old_bytes;
    return nullptr;
  }
  if (new_bytes > old_bytes) {
    const std::size_t more = new_bytes - old_bytes;
    if (more > box.limits_.memory_bytes - box.used_bytes_ ||
        box.allocated_bytes_ + new_bytes > box.limits_.allocated_bytes) {
      return box.refuse_memory();
    }
    box.allocated_bytes_ += new_bytes;
  }
  void* moved = std::realloc(old, new_bytes);
  if (moved == nullptr) {
    // Lua requires that shrinking succeeds.
    if (new_bytes <= old_bytes) return old;
    return box.refuse_memory();
  }
  box.used_bytes_ += new_bytes;
  box.used_bytes_ -= old_bytes;
  return moved;
}

void* sandbox::refuse_memory() noexcept {
  refused_memory_ = true;
  if (state_ != nullptr) refused_line_ = line_of(state_);
  return nullptr;
}

bool sandbox::spend(double steps) noexcept {
  steps_left_ -= steps;
  if (steps_left_ < 0) exhausted_ = too_many_steps;
  return exhausted_ == nullptr;
}

void sandbox::charge(lua_State* state, double steps) {
  sandbox& box = of(state);
  if (box.spend(steps)) return;
  // From now on each instruction fails, so that catching the error does not help.
  lua_sethook(state, &sandbox::count_hook, LUA_MASKCOUNT, 1);
  luaL_error(state, "%s", box.exhausted_);
}

void sandbox::count_hook(lua_State* state, lua_Debug*) {
  sandbox& box = of(state);
  if (box.exhausted_ == nullptr && std::chrono::steady_clock::now() > box.deadline_)
    box.exhausted_ = too_long;
  if (box.spend(instructions_per_look)) return;
  lua_sethook(state, &sandbox::count_hook, LUA_MASKCOUNT, 1);
  // A hook has no frame of its own: level 0 is the script's function.
  luaL_where(state, 0);
  lua_pushstring(state, box.exhausted_);
  lua_concat(state, 2);
  lua_error(state);
}

int sandbox::open_libraries(lua_State* state) {
  luaL_requiref(state, LUA_GNAME, luaopen_base, 1);
  luaL_requiref(state, LUA_MATHLIBNAME, luaopen_math, 1);
  luaL_requiref(state, LUA_STRLIBNAME, luaopen_string, 1);
  luaL_requiref(state, LUA_TABLIBNAME, luaopen_table, 1);
  lua_settop(state, 0);
  guard_libraries(state);
  return 0;
}

}  // namespace tickreel::npc
