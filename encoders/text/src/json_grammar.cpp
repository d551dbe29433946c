#include <array>

#include "tickreel/text/ascii.hpp"
#include "tickreel/text/json.hpp"
#include "tickreel/text/utf8.hpp"

namespace tickreel::text {

namespace {

bool is_hex_digit(char c) noexcept {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// Reads the text once, with a mark for each open bracket instead of recursion.
class grammar {
 public:
  explicit grammar(std::string_view text) noexcept : at_(text.data()), end_(text.data() + text.size()) {}

  bool holds() noexcept {
    std::array<char, max_nested_json> open;
    std::size_t depth = 0;
    for (;;) {
      skip_space();
      // A value.
      if (take('{')) {
        if (depth == open.size()) return false;
        open[depth++] = '}';
        skip_space();
        if (!is_next('}')) {
          if (!key()) return false;
          continue;
        }
      } else if (take('[')) {
        if (depth == open.size()) return false;
        open[depth++] = ']';
        skip_space();
        if (!is_next(']')) continue;
      } else if (!scalar()) {
        return false;
      }
      // What follows it.
      skip_space();
      while (depth != 0 && take(open[depth - 1])) {
        --depth;
        skip_space();
      }
      if (depth == 0) return at_ == end_;
      if (!take(',')) return false;
      if (open[depth - 1] == '}') {
        skip_space();
        if (!key()) return false;
      }
    }
  }

 private:
  [[nodiscard]] bool is_next(char c) const noexcept { return at_ != end_ && *at_ == c; }
  bool take(char c) noexcept {
    if (!is_next(c)) return false;
    ++at_;
    return true;
  }
  bool take(std::string_view word) noexcept {
    if (!std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  void skip_space() noexcept {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }

  bool key() noexcept {
    if (!string()) return false;
    skip_space();
    return take(':');
  }

  bool scalar() noexcept {
    if (at_ == end_) return false;
    switch (*at_) {
      case '"':
        return string();
      case 't':
        return take("true");
      case 'f':
        return take("false");
      case 'n':
        return take("null");
      default:
        return number();
    }
  }

  bool string() noexcept {
    if (!take('"')) return false;
    while (at_ != end_) {
      const char c = *at_++;
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c == '\\' && !escape()) return false;
    }
    return false;
  }

  bool escape() noexcept {
    if (at_ == end_) return false;
    const char c = *at_++;
    if (c != 'u') return std::string_view("\"\\/bfnrt").find(c) != std::string_view::npos;
    for (int i = 0; i < 4; ++i) {
      if (at_ == end_ || !is_hex_digit(*at_++)) return false;
    }
    return true;
  }

  bool digits() noexcept {
    const char* const start = at_;
    while (at_ != end_ && is_digit(*at_)) ++at_;
    return at_ != start;
  }

  bool number() noexcept {
    (void)take('-');
    if (!take('0') && !digits()) return false;
    if (take('.') && !digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) (void)take('-');
      return digits();
    }
    return true;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

bool is_json(std::string_view text) noexcept {
  return has_json_grammar(text) && is_utf8(text);
}

bool has_json_grammar(std::string_view text) noexcept {
  return grammar(text).holds();
}

}  // namespace tickreel::text
