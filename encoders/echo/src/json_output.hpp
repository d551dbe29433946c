// Appends JSON to a string, piecewise through a buffer of its own.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "tickreel/echo/json.hpp"

namespace tickreel::echo {

class json_output {
 public:
  json_output(std::string& out, number_style numbers) noexcept : out_(out), numbers_(numbers) {}
  json_output(const json_output&) = delete;
  json_output& operator=(const json_output&) = delete;
  ~json_output() { flush(); }

  void open(char bracket) {
    put(bracket);
    first_ = true;
  }
  void close(char bracket) {
    put(bracket);
    first_ = false;
  }
  // `name` needs no escapes.
  void key(std::string_view name) {
    separate();
    char* const at = room(name.size() + 3);
    at[0] = '"';
    std::memcpy(at + 1, name.data(), name.size());
    at[name.size() + 1] = '"';
    at[name.size() + 2] = ':';
    used_ += name.size() + 3;
    first_ = true;  // no comma between a key and its value
  }

  void null() { literal("null"); }
  void value(bool flag) { literal(flag ? "true" : "false"); }
  void value(float number);
  void value(std::string_view words);
  template <std::integral Integer>
  void value(Integer number) {
    if constexpr (std::is_signed_v<Integer>) {
      whole(static_cast<std::int64_t>(number));
    } else {
      whole(static_cast<std::uint64_t>(number));
    }
  }
  void value(const vec3& v) {
    open_value('[');
    value(v.x);
    value(v.y);
    value(v.z);
    close(']');
  }
  template <std::size_t Capacity>
  void value(const text<Capacity>& words) {
    value(words.view());
  }
  void open_value(char bracket) {
    separate();
    open(bracket);
  }

  template <class T>
  void pair(std::string_view name, const T& v) {
    key(name);
    value(v);
  }

 private:
  void whole(std::int64_t number);
  void whole(std::uint64_t number);
  void literal(std::string_view word) {
    separate();
    std::memcpy(room(word.size()), word.data(), word.size());
    used_ += word.size();
  }
  void separate() {
    if (!first_) put(',');
    first_ = false;
  }
  void put(char c) {
    *room(1) = c;
    ++used_;
  }
  // At least `bytes`, which is small, behind what is used.
  char* room(std::size_t bytes) {
    if (used_ + bytes > buffer_.size()) flush();
    return buffer_.data() + used_;
  }
  void flush() {
    out_.append(buffer_.data(), used_);
    used_ = 0;
  }

  std::string& out_;
  number_style numbers_;
  bool first_ = true;
  std::size_t used_ = 0;
  std::array<char, 4096> buffer_;
};

// Text of a finite float; returns its length. `to` has room for 24.
std::size_t spell_shortest(float number, char* to) noexcept;
std::size_t spell_as_game(float number, char* to) noexcept;

}  // namespace tickreel::echo
