// A Lua state for untrusted scripts: sandboxed, with limits on time, memory and text.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <lua.hpp>

#include "tickreel/npc/script.hpp"

namespace tickreel::npc {

// The libraries of a script: base without loading, collecting and finalizers; math with a seeded generator;
// string without dump, pack and unpack, and with its own pattern matching; table. Every C function of the
// standard library whose work is not bounded by its allocations is charged before its call.
class sandbox {
 public:
  // `owner` is what owner_of() returns to functions of the state.
  sandbox(const script_limits& limits, void* owner);
  sandbox(const sandbox&) = delete;
  sandbox& operator=(const sandbox&) = delete;
  ~sandbox();

  // Null if the state itself exceeds the memory limit.
  [[nodiscard]] lua_State* state() const noexcept { return state_; }

  [[nodiscard]] static sandbox& of(lua_State* state) noexcept;
  [[nodiscard]] void* owner() const noexcept { return owner_; }

  // Takes steps from the budget; false if none are left.
  [[nodiscard]] bool spend(double steps) noexcept;
  // The same for C functions called from Lua: raises an error instead. Must not be called with destructors
  // pending.
  static void charge(lua_State* state, double steps);
  [[nodiscard]] bool out_of_memory() const noexcept { return refused_memory_; }
  // The script's line at that moment; 0 outside of any function.
  [[nodiscard]] int out_of_memory_line() const noexcept { return refused_line_; }
  // The limit that ended the script; empty if none did.
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
  std::uint64_t allocated_bytes_ = 0;  // in total, including freed memory
  bool refused_memory_ = false;
  int refused_line_ = 0;
  double steps_left_;
  const char* exhausted_ = nullptr;
  std::chrono::steady_clock::time_point deadline_;
  lua_State* state_ = nullptr;
};

// In sandbox_library.cpp: replaces standard functions with guarded ones. The libraries are already in the
// globals on the stack.
void guard_libraries(lua_State* state);

}  // namespace tickreel::npc
