// Appends JSON to a text, piece by piece: for documents and NDJSON lines.
#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace tickreel::recording {

// Appends `text` in quotes. Bytes that are not UTF-8 become U+FFFD, so that the result always is JSON.
void append_json_text(std::string_view text, std::string& out);

// Keeps the commas; the caller keeps the nesting right.
class json_writer {
 public:
  explicit json_writer(std::string& out) noexcept : out_(&out) {}

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }

  json_writer& key(std::string_view name) {
    separate();
    append_json_text(name, *out_);
    *out_ += ':';
    comma_ = false;
    return *this;
  }

  json_writer& value(std::string_view text) {
    separate();
    append_json_text(text, *out_);
    return *this;
  }
  json_writer& value(const char* text) { return value(std::string_view(text)); }
  json_writer& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) json_writer& value(Integer number) {
    char text[24];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return raw({text, static_cast<std::size_t>(end - text)});
  }
  // The shortest text that reads back to the same number; what JSON has no number for becomes null.
  template <std::floating_point Float>
  json_writer& value(Float number) {
    if (!std::isfinite(number)) return raw("null");
    char text[40];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return raw({text, static_cast<std::size_t>(end - text)});
  }
  json_writer& null() { return raw("null"); }

  // JSON text as it is.
  json_writer& raw(std::string_view json) {
    separate();
    *out_ += json;
    return *this;
  }

  template <class Value>
  json_writer& member(std::string_view name, const Value& content) {
    return key(name).value(content);
  }

 private:
  void separate() {
    if (comma_) *out_ += ',';
    comma_ = true;
  }
  json_writer& open(char bracket) {
    separate();
    *out_ += bracket;
    comma_ = false;
    return *this;
  }
  json_writer& close(char bracket) {
    *out_ += bracket;
    comma_ = true;
    return *this;
  }

  std::string* out_;
  bool comma_ = false;
};

}  // namespace tickreel::recording
