// Lua's errors use longjmp: no object here has a destructor.
#include "lua_patterns.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sandbox.hpp"

namespace tickreel::npc {

namespace {

// As in Lua: LUA_MAXCAPTURES and MAXCCALLS of its matcher.
constexpr int max_captures = 32;
constexpr int max_pattern_depth = 200;
// Steps of the matcher between two charges, and the number that costs as much as one instruction.
constexpr std::size_t steps_per_charge = 1024;
constexpr double steps_per_instruction = 4;

constexpr bool is_between(char letter, char first, char last) noexcept {
  return letter >= first && letter <= last;
}
constexpr bool is_letter(char letter) noexcept {
  return is_between(letter, 'a', 'z') || is_between(letter, 'A', 'Z');
}
constexpr bool is_digit(char letter) noexcept {
  return is_between(letter, '0', '9');
}

// %a and similar classes; any other letter matches itself.
bool is_of_class(char letter, char name) noexcept {
  const char lower = is_between(name, 'A', 'Z') ? static_cast<char>(name - 'A' + 'a') : name;
  const bool is_visible = is_between(letter, '!', '~');
  bool is_member = false;
  switch (lower) {
    case 'a':
      is_member = is_letter(letter);
      break;
    case 'c':
      is_member = static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f;
      break;
    case 'd':
      is_member = is_digit(letter);
      break;
    case 'g':
      is_member = is_visible;
      break;
    case 'l':
      is_member = is_between(letter, 'a', 'z');
      break;
    case 'p':
      is_member = is_visible && !is_letter(letter) && !is_digit(letter);
      break;
    case 's':
      is_member = letter == ' ' || is_between(letter, '\t', '\r');
      break;
    case 'u':
      is_member = is_between(letter, 'A', 'Z');
      break;
    case 'w':
      is_member = is_letter(letter) || is_digit(letter);
      break;
    case 'x':
      is_member = is_digit(letter) || is_between(letter, 'a', 'f') || is_between(letter, 'A', 'F');
      break;
    case 'z':  // deprecated, and still supported
      is_member = letter == '\0';
      break;
    default:
      return name == letter;
  }
  return is_member != (lower != name);
}

class pattern_matcher {
 public:
  pattern_matcher(lua_State* L, const char* text, std::size_t text_bytes, const char* pattern,
                  std::size_t pattern_bytes) noexcept
      : L_(L), text_(text), text_end_(text + text_bytes), pattern_end_(pattern + pattern_bytes) {}

  // The end of a match that begins at `at`; null if there is none.
  const char* match_from(const char* at, const char* pattern) {
    captures_ = depth_ = 0;
    spend(1);
    return match(at, pattern);
  }

  // All captures, or the whole match if the pattern has none. Returns the number pushed.
  int push_captures(const char* begin, const char* end) {
    const int count = captures_ == 0 && begin != nullptr ? 1 : captures_;
    luaL_checkstack(L_, count, "too many captures");
    for (int i = 0; i < count; ++i) push_capture(i, begin, end);
    return count;
  }

  void push_capture(int index, const char* begin, const char* end) {
    if (index >= captures_) {
      if (index != 0) luaL_error(L_, "invalid capture index %%%d", index + 1);
      lua_pushlstring(L_, begin, static_cast<std::size_t>(end - begin));
      return;
    }
    const capture& each = all_[index];
    if (each.bytes == is_open) luaL_error(L_, "unfinished capture");
    if (each.bytes == is_position) {
      lua_pushinteger(L_, (each.begin - text_) + 1);
    } else {
      lua_pushlstring(L_, each.begin, static_cast<std::size_t>(each.bytes));
    }
  }

  // Charges the steps not charged yet.
  void settle() {
    const auto steps = static_cast<double>(spent_);
    spent_ = 0;
    sandbox::charge(L_, steps / steps_per_instruction);
  }

 private:
  struct capture {
    const char* begin;
    std::ptrdiff_t bytes;
  };
  static constexpr std::ptrdiff_t is_open = -1, is_position = -2;

  void spend(std::size_t steps) {
    spent_ += steps;
    if (spent_ >= steps_per_charge) settle();
  }

  // The position after the single item that begins at `p`.
  const char* item_end(const char* p) {
    const char* const begin = p;
    if (*p++ == '%') {
      if (p == pattern_end_) luaL_error(L_, "malformed pattern (ends with '%%')");
      return p + 1;
    }
    if (*begin != '[') return p;
    if (p < pattern_end_ && *p == '^') ++p;
    // A bracket in first position is literal.
    do {
      if (p == pattern_end_) luaL_error(L_, "malformed pattern (missing ']')");
      if (*p++ == '%' && p < pattern_end_) ++p;
    } while (p == pattern_end_ || *p != ']');
    spend(static_cast<std::size_t>(p - begin));
    return p + 1;
  }

  // `p` at the opening bracket, `last` at the closing one.
  bool is_of_set(char letter, const char* p, const char* last) {
    bool is_member = true;
    if (p[1] == '^') {
      is_member = false;
      ++p;
    }
    spend(static_cast<std::size_t>(last - p));
    const auto code = [](char of) { return static_cast<unsigned char>(of); };
    while (++p < last) {
      if (*p == '%') {
        ++p;
        if (is_of_class(letter, *p)) return is_member;
      } else if (p[1] == '-' && p + 2 < last) {
        p += 2;
        if (code(p[-2]) <= code(letter) && code(letter) <= code(*p)) return is_member;
      } else if (*p == letter) {
        return is_member;
      }
    }
    return !is_member;
  }

  bool is_one(const char* at, const char* p, const char* end) {
    if (at >= text_end_) return false;
    switch (*p) {
      case '.':
        return true;
      case '%':
        return is_of_class(*at, p[1]);
      case '[':
        return is_of_set(*at, p, end - 1);
      default:
        return *p == *at;
    }
  }

  const char* match(const char* at, const char* p) {
    if (++depth_ > max_pattern_depth) luaL_error(L_, "pattern too complex");
    const char* const end = match_items(at, p);
    --depth_;
    return end;
  }

  const char* match_items(const char* at, const char* p) {
    while (p != pattern_end_) {
      spend(1);
      switch (*p) {
        case '(':
          return p + 1 < pattern_end_ && p[1] == ')' ? begin_capture(at, p + 2, is_position)
                                                     : begin_capture(at, p + 1, is_open);
        case ')':
          return end_capture(at, p + 1);
        case '$':
          if (p + 1 == pattern_end_) return at == text_end_ ? at : nullptr;
          break;
        case '%':
          if (p + 1 < pattern_end_ && (p[1] == 'b' || p[1] == 'f' || is_digit(p[1]))) {
            if (p[1] == 'b') {
              at = match_balance(at, p + 2);
              p += 4;
            } else if (p[1] == 'f') {
              at = match_frontier(at, p += 2);
            } else {
              at = match_back_reference(at, p[1]);
              p += 2;
            }
            if (at == nullptr) return nullptr;
            continue;
          }
          break;
        default:
          break;
      }
      const char* const end = item_end(p);
      const char repeats = end < pattern_end_ ? *end : '\0';
      switch (repeats) {
        case '?':
          if (is_one(at, p, end)) {
            if (const char* const found = match(at + 1, end + 1); found != nullptr) return found;
          }
          p = end + 1;
          continue;
        case '+':
          return is_one(at, p, end) ? match_most(at + 1, p, end) : nullptr;
        case '*':
          return match_most(at, p, end);
        case '-':
          return match_least(at, p, end);
        default:
          if (!is_one(at, p, end)) return nullptr;
          ++at;
          p = end;
      }
    }
    return at;
  }

  const char* match_most(const char* at, const char* p, const char* end) {
    std::ptrdiff_t count = 0;
    for (; is_one(at + count, p, end); ++count) spend(1);
    for (; count >= 0; --count) {
      spend(1);
      if (const char* const found = match(at + count, end + 1); found != nullptr) return found;
    }
    return nullptr;
  }

  const char* match_least(const char* at, const char* p, const char* end) {
    for (;; ++at) {
      spend(1);
      if (const char* const found = match(at, end + 1); found != nullptr) return found;
      if (!is_one(at, p, end)) return nullptr;
    }
  }

  const char* begin_capture(const char* at, const char* p, std::ptrdiff_t kind) {
    if (captures_ >= max_captures) luaL_error(L_, "too many captures");
    all_[captures_++] = {at, kind};
    const char* const end = match(at, p);
    if (end == nullptr) --captures_;
    return end;
  }

  const char* end_capture(const char* at, const char* p) {
    int last = captures_ - 1;
    while (last >= 0 && all_[last].bytes != is_open) --last;
    if (last < 0) luaL_error(L_, "invalid pattern capture");
    all_[last].bytes = at - all_[last].begin;
    const char* const end = match(at, p);
    if (end == nullptr) all_[last].bytes = is_open;
    return end;
  }

  const char* match_balance(const char* at, const char* p) {
    if (p + 1 >= pattern_end_) luaL_error(L_, "malformed pattern (missing arguments to '%%b')");
    if (at >= text_end_ || *at != *p) return nullptr;
    for (std::ptrdiff_t open = 1; ++at < text_end_;) {
      spend(1);
      if (*at == p[1]) {
        if (--open == 0) return at + 1;
      } else if (*at == *p) {
        ++open;
      }
    }
    return nullptr;
  }

  // `p` after the %f; on return after the set.
  const char* match_frontier(const char* at, const char*& p) {
    if (p == pattern_end_ || *p != '[') luaL_error(L_, "missing '[' after '%%f' in pattern");
    const char* const set = p;
    p = item_end(set);
    const char before = at == text_ ? '\0' : at[-1];
    const char here = at == text_end_ ? '\0' : *at;
    return !is_of_set(before, set, p - 1) && is_of_set(here, set, p - 1) ? at : nullptr;
  }

  const char* match_back_reference(const char* at, char digit) {
    const int index = digit - '1';
    if (index < 0 || index >= captures_ || all_[index].bytes == is_open)
      luaL_error(L_, "invalid capture index %%%d", index + 1);
    if (all_[index].bytes == is_position || text_end_ - at < all_[index].bytes) return nullptr;
    const auto bytes = static_cast<std::size_t>(all_[index].bytes);
    spend(bytes / 16 + 1);
    return std::memcmp(all_[index].begin, at, bytes) == 0 ? at + bytes : nullptr;
  }

  lua_State* L_;
  const char* text_;
  const char* text_end_;
  const char* pattern_end_;
  std::size_t spent_ = 4;  // of the call itself
  int depth_ = 0;
  int captures_ = 0;
  capture all_[max_captures] = {};
};

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
        } else if (is_digit(what)) {
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
