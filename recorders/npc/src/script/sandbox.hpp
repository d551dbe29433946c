// A Lua state that a script from anywhere may run in: no way out, and limits on time, memory and text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <memory>
#include <string>

#include "tickreel/npc/script.hpp"

namespace tickreel::npc {

// What a script has: base without loading, collecting and finalizers; math with a seeded generator; string
// without dump, pack and unpack, and with pattern matching of its own; table. Every C function of the
// standard library whose work is not bounded by what it allocates is charged for it beforehand.
class sandbox {
 public:
  // `owner` is what owner_of() gives to functions of the state.
  sandbox(const script_limits& limits, void* owner);
  sandbox(const sandbox&) = delete;
  sandbox& operator=(const sandbox&) = delete;
  ~sandbox();

  // Null when even the state took too much memory.
  [[nodiscard]] lua_State* state() const noexcept { return state_; }

  [[nodiscard]] static sandbox& of(lua_State* state) noexcept;
  [[nodiscard]] void* owner() const noexcept { return owner_; }

  // Takes steps off the budget; false when none are left.
  [[nodiscard]] bool spend(double steps) noexcept;
  // The same for C functions called from Lua: raises an error instead. Not with destructors pending.
  static void charge(lua_State* state, double steps);
  [[nodiscard]] bool out_of_memory() const noexcept { return refused_memory_; }
  // Where the script was then; 0 outside of any function.
  [[nodiscard]] int out_of_memory_line() const noexcept { return refused_line_; }
  // Which limit ended the script; empty when none did.
  [[nodiscard]] const char* exhausted() const noexcept { return exhausted_; }

  // Originals behind the guarded functions.
  struct originals {
    lua_CFunction set_metatable = nullptr;
    lua_CFunction find = nullptr;
    lua_CFunction rep = nullptr;
    lua_CFunction insert = nullptr;
    lua_CFunction remove = nullptr;
    lua_CFunction move = nullptr;
    lua_CFunction concat = nullptr;
    lua_CFunction unpack = nullptr;
  };
  originals standard;

 private:
  static void* allocate(void* self, void* old, std::size_t old_bytes, std::size_t new_bytes) noexcept;
  void* refuse_memory() noexcept;
  static void count_hook(lua_State* state, lua_Debug* where);
  static int open_libraries(lua_State* state);

  script_limits limits_;
  void* owner_;
  std::size_t used_bytes_ = 0;
  std::uint64_t allocated_bytes_ = 0;  // in all, also what was freed again
  bool refused_memory_ = false;
  int refused_line_ = 0;
  double steps_left_;
  const char* exhausted_ = nullptr;
  std::chrono::steady_clock::time_point deadline_;
  lua_State* state_ = nullptr;
};

// In sandbox_library.cpp: puts the guarded functions over the standard ones. The libraries are on the stack's
// globals already.
void guard_libraries(lua_State* state);

}  // namespace tickreel::npc
