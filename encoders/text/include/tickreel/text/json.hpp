// Appends JSON to a text: compact, keys in the order of the calls. Also checks whether a text is JSON.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace tickreel::text {

// Appends `text` in quotes. The result is valid UTF-8 JSON for any bytes: quotes, backslashes and control
// characters (U+0000 to U+001F and U+007F) are escaped, each byte that is not UTF-8 becomes \ufffd, and all
// else stays unchanged. UTF-8 text parses to the same bytes.
void append_json_text(std::string_view text, std::string& out);

// Whether `text` is exactly one JSON value of RFC 8259 in UTF-8: for text that is passed on unchanged.
// Brackets nested deeper than `max_nested_json` are rejected.
inline constexpr std::size_t max_nested_json = 1024;
[[nodiscard]] bool is_json(std::string_view text) noexcept;
// The same, but bytes inside texts need not be UTF-8.
[[nodiscard]] bool has_json_grammar(std::string_view text) noexcept;

// The notation of numbers with a fraction.
enum class json_floats : std::uint8_t {
  // The shortest text that parses to the same number: 600, 1e-05. NaN and infinity are null.
  shortest,
  // As shortest, but always with a point or an exponent, and with plain digits from 0.0001 to 9999999: 600.0,
  // 1e-5. NaN and infinity are the texts "NaN", "Infinity" and "-Infinity".
  shortest_with_point,
  // As shortest_with_point, with 8 significant digits.
  eight_digits_with_point,
};

// What a parser reads from the shortest digits of a float in scientific notation, which are those of a different double.
// Without an exponent, only whole numbers from 2^24 on have other digits. Empty for very large and very small numbers,
// which need a parser.
[[nodiscard]] std::optional<double> read_shortest(float number) noexcept;

// Inserts commas; the caller opens and closes in pairs, and supplies a key for each value in an object. The
// text is complete after each call. One thread at a time.
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

  // Appends JSON text unchanged.
  json_writer& raw(std::string_view json) {
    separate();
    *out_ += json;
    return *this;
  }

  template <class Values>
  json_writer& array(const Values& values) {
    begin_array();
    for (const auto& each : values) value(each);
    return end_array();
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
  // Appends a comma if necessary, then the output of `spell`, which gets the position and returns the end.
  template <class Spell>
  json_writer& append_number(Spell&& spell);
  template <std::floating_point Float>
  json_writer& append_float(Float number);

  std::string* out_;
  bool comma_ = false;
  json_floats floats_;
};

}  // namespace tickreel::text
