// Matches a pattern of Lua 5.4 and charges the steps that it takes while it runs. Errors in the pattern are Lua's errors,
// which use longjmp: no object here has a destructor.
#pragma once

#include <cstddef>
#include <lua.hpp>

namespace tickreel::npc {

class pattern_matcher {
 public:
  pattern_matcher(lua_State* L, const char* text, std::size_t text_bytes, const char* pattern,
                  std::size_t pattern_bytes) noexcept
      : L_(L), text_(text), text_end_(text + text_bytes), pattern_end_(pattern + pattern_bytes) {}

  // The end of a match that begins at `at`; null if there is none.
  const char* match_from(const char* at, const char* pattern);
  // All captures, or the whole match if the pattern has none. Returns the number pushed.
  int push_captures(const char* begin, const char* end);
  void push_capture(int index, const char* begin, const char* end);
  // Charges the steps not charged yet.
  void settle();

 private:
  struct capture {
    const char* begin;
    std::ptrdiff_t bytes;
  };
  static constexpr std::ptrdiff_t is_open = -1, is_position = -2;
  static constexpr int max_captures = 32;  // as in Lua: LUA_MAXCAPTURES

  void spend(std::size_t steps);
  // The position after the single item that begins at `p`.
  const char* item_end(const char* p);
  // `p` at the opening bracket, `last` at the closing one.
  bool is_of_set(char letter, const char* p, const char* last);
  bool is_one(const char* at, const char* p, const char* end);
  const char* match(const char* at, const char* p);
  const char* match_items(const char* at, const char* p);
  const char* match_most(const char* at, const char* p, const char* end);
  const char* match_least(const char* at, const char* p, const char* end);
  const char* begin_capture(const char* at, const char* p, std::ptrdiff_t kind);
  const char* end_capture(const char* at, const char* p);
  const char* match_balance(const char* at, const char* p);
  // `p` after the %f; on return after the set.
  const char* match_frontier(const char* at, const char*& p);
  const char* match_back_reference(const char* at, char digit);

  lua_State* L_;
  const char* text_;
  const char* text_end_;
  const char* pattern_end_;
  std::size_t spent_ = 4;  // of the call itself
  int depth_ = 0;
  int captures_ = 0;
  capture all_[max_captures] = {};
};

}  // namespace tickreel::npc
