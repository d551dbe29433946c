// Writes JSON, piece by piece, at the end of a text: compact, keys in the order they come. And whether a text
// is JSON at all.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace tickreel::text {

// Appends `text` in quotes. The result is JSON in UTF-8 whatever the bytes are: quotes, backslashes and
// control characters (U+0000 to U+001F and U+007F) are escaped, each byte that is not UTF-8 becomes \ufffd,
// and all else stands as it is. What is UTF-8 reads back to the same bytes.
void append_json_text(std::string_view text, std::string& out);

// Whether `text` is one value of JSON from its first byte to its last, in UTF-8, as RFC 8259 has it: for
// texts that are handed on as they are. Brackets nested deeper than `most_nested_json` are refused.
inline constexpr std::size_t most_nested_json = 1024;
[[nodiscard]] bool is_json(std::string_view text) noexcept;
// The same, but bytes inside of texts need not be UTF-8.
[[nodiscard]] bool has_json_grammar(std::string_view text) noexcept;

// How numbers with a fraction are spelled.
enum class json_floats : std::uint8_t {
  // The shortest text that reads back to the same number: 600, 1e-05. What JSON has no number for is null.
  shortest,
  // As shortest, but always with a point or an exponent, and with plain digits from 0.0001 to 9999999: 600.0,
  // 1e-5. What JSON has no number for is one of the texts "NaN", "Infinity" and "-Infinity".
  shortest_with_point,
  // As shortest_with_point, with 8 significant digits.
  eight_digits_with_point,
};

// Commas come by themselves; the caller opens and closes in pairs, and gives each value in an object its key.
// Everything is in the text as soon as the call returns. One thread at a time.
class json_writer {
 public:
  explicit json_writer(std::string& out, json_floats floats = json_floats::shortest) noexcept
      : out_(&out), floats_(floats) {}

  json_writer& begin_object() { return open('{'); }
  json_writer& end_object() { return close('}'); }
  json_writer& begin_array() { return open('['); }
  json_writer& end_array() { return close(']'); }

  json_writer& key(std::string_view name);

  json_writer& value(std::string_view text);
  json_writer& value(const char* text) { return value(std::string_view(text)); }
  json_writer& value(std::same_as<bool> auto truth) { return raw(truth ? "true" : "false"); }
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>)
  json_writer& value(Integer number) {
    if constexpr (std::is_signed_v<Integer>) {
      return whole(static_cast<std::int64_t>(number));
    } else {
      return whole(static_cast<std::uint64_t>(number));
    }
  }
  json_writer& value(float number);
  json_writer& value(double number);
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
  json_writer& whole(std::int64_t number);
  json_writer& whole(std::uint64_t number);
  // Appends what `spell` writes behind the comma, if there is one; it gets the place and returns the end.
  template <class Spell>
  json_writer& append_number(Spell&& spell);
  template <std::floating_point Float>
  json_writer& append_float(Float number);

  std::string* out_;
  bool comma_ = false;
  json_floats floats_;
};

}  // namespace tickreel::text
