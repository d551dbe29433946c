// Writes JSON piece by piece into a string: compact, keys in the order they come.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::analysis {

// The caller opens and closes in pairs; commas come by themselves. One thread at a time.
class json_text {
 public:
  explicit json_text(std::string& out) noexcept : out_(out) {}

  void open(char bracket) {
    separate();
    out_.push_back(bracket);
    first_ = true;
  }
  void close(char bracket) {
    out_.push_back(bracket);
    first_ = false;
  }
  void key(std::string_view name) {
    value(name);
    out_.push_back(':');
    first_ = true;  // no comma between a key and its value
  }
  // A string with quotes, backslashes and control characters escaped; other bytes as they are.
  void value(std::string_view words);
  void value(const char* words) { value(std::string_view(words)); }
  void value(bool flag) { raw(flag ? "true" : "false"); }
  // The shortest text that reads back to the same value; null for what JSON cannot say.
  void value(double number);
  template <std::integral Integer>
  void value(Integer number) {
    if constexpr (std::is_signed_v<Integer>) {
      whole(static_cast<std::int64_t>(number));
    } else {
      whole(static_cast<std::uint64_t>(number));
    }
  }
  void null() { raw("null"); }
  // Text that already is JSON.
  void raw(std::string_view json) {
    separate();
    out_.append(json);
  }
  template <class T>
  void pair(std::string_view name, const T& content) {
    key(name);
    value(content);
  }

 private:
  void separate() {
    if (!first_) out_.push_back(',');
    first_ = false;
  }
  void whole(std::int64_t number);
  void whole(std::uint64_t number);

  std::string& out_;
  bool first_ = true;
};

}  // namespace tickreel::analysis
