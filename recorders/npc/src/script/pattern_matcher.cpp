#include "pattern_matcher.hpp"

#include <cstring>

#include "sandbox.hpp"
#include "tickreel/text/ascii.hpp"

namespace tickreel::npc {

namespace {

// As in Lua: MAXCCALLS of its matcher.
constexpr int max_pattern_depth = 200;
// Steps of the matcher between two charges, and the number that costs as much as one instruction.
constexpr std::size_t steps_per_charge = 1024;
constexpr double steps_per_instruction = 4;

constexpr bool is_between(char letter, char first, char last) noexcept {
  return letter >= first && letter <= last;
}
using text::is_digit;
using text::is_letter;

// %a and similar classes; any other letter matches itself.
bool is_of_class(char letter, char name) noexcept {
  const char lower = text::to_lower(name);
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

}  // namespace

const char* pattern_matcher::match_from(const char* at, const char* pattern) {
  captures_ = depth_ = 0;
  spend(1);
  return match(at, pattern);
}

int pattern_matcher::push_captures(const char* begin, const char* end) {
  const int count = captures_ == 0 && begin != nullptr ? 1 : captures_;
  luaL_checkstack(L_, count, "too many captures");
  for (int i = 0; i < count; ++i) push_capture(i, begin, end);
  return count;
}

void pattern_matcher::push_capture(int index, const char* begin, const char* end) {
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

void pattern_matcher::settle() {
  const auto steps = static_cast<double>(spent_);
  spent_ = 0;
  sandbox::charge(L_, steps / steps_per_instruction);
}

void pattern_matcher::spend(std::size_t steps) {
  spent_ += steps;
  if (spent_ >= steps_per_charge) settle();
}

const char* pattern_matcher::item_end(const char* p) {
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

bool pattern_matcher::is_of_set(char letter, const char* p, const char* last) {
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

bool pattern_matcher::is_one(const char* at, const char* p, const char* end) {
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

const char* pattern_matcher::match(const char* at, const char* p) {
  if (++depth_ > max_pattern_depth) luaL_error(L_, "pattern too complex");
  const char* const end = match_items(at, p);
  --depth_;
  return end;
}

const char* pattern_matcher::match_items(const char* at, const char* p) {
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

const char* pattern_matcher::match_most(const char* at, const char* p, const char* end) {
  std::ptrdiff_t count = 0;
  for (; is_one(at + count, p, end); ++count) spend(1);
  for (; count >= 0; --count) {
    spend(1);
    if (const char* const found = match(at + count, end + 1); found != nullptr) return found;
  }
  return nullptr;
}

const char* pattern_matcher::match_least(const char* at, const char* p, const char* end) {
  for (;; ++at) {
    spend(1);
    if (const char* const found = match(at, end + 1); found != nullptr) return found;
    if (!is_one(at, p, end)) return nullptr;
  }
}

const char* pattern_matcher::begin_capture(const char* at, const char* p, std::ptrdiff_t kind) {
  if (captures_ >= max_captures) luaL_error(L_, "too many captures");
  all_[captures_++] = {at, kind};
  const char* const end = match(at, p);
  if (end == nullptr) --captures_;
  return end;
}

const char* pattern_matcher::end_capture(const char* at, const char* p) {
  int last = captures_ - 1;
  while (last >= 0 && all_[last].bytes != is_open) --last;
  if (last < 0) luaL_error(L_, "invalid pattern capture");
  all_[last].bytes = at - all_[last].begin;
  const char* const end = match(at, p);
  if (end == nullptr) all_[last].bytes = is_open;
  return end;
}

const char* pattern_matcher::match_balance(const char* at, const char* p) {
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

const char* pattern_matcher::match_frontier(const char* at, const char*& p) {
  if (p == pattern_end_ || *p != '[') luaL_error(L_, "missing '[' after '%%f' in pattern");
  const char* const set = p;
  p = item_end(set);
  const char before = at == text_ ? '\0' : at[-1];
  const char here = at == text_end_ ? '\0' : *at;
  return !is_of_set(before, set, p - 1) && is_of_set(here, set, p - 1) ? at : nullptr;
}

const char* pattern_matcher::match_back_reference(const char* at, char digit) {
  const int index = digit - '1';
  if (index < 0 || index >= captures_ || all_[index].bytes == is_open)
    luaL_error(L_, "invalid capture index %%%d", index + 1);
  if (all_[index].bytes == is_position || text_end_ - at < all_[index].bytes) return nullptr;
  const auto bytes = static_cast<std::size_t>(all_[index].bytes);
  spend(bytes / 16 + 1);
  return std::memcmp(all_[index].begin, at, bytes) == 0 ? at + bytes : nullptr;
}

}  // namespace tickreel::npc
