// Repairs of JSON that its grammar permits and no parser accepts.
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "tickreel/text/json_repair.hpp"
#include "tickreel/viewer/cell_losses.hpp"

namespace tickreel::viewer {

namespace {

// Of a number that no double holds: whether it is too large, not too small, by the power of ten of its first digit.
bool is_too_large(std::string_view number) {
  const std::size_t end = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, end);
  const std::size_t first = digits.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string_view exponent = number.substr(std::min(end + 1, number.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t power = 0;
  const auto read = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  constexpr std::int64_t beyond_all = std::int64_t{1} << 40;
  const bool is_beyond = read.ec == std::errc::result_out_of_range;
  if (is_beyond) power = exponent.starts_with('-') ? -beyond_all : beyond_all;
  power = std::clamp(power, -beyond_all, beyond_all);
  return power + static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first) > 0;
}

std::size_t count_digits(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789"), text.size());
}

// As the grammar of JSON has it.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t whole = count_digits(text);
  if (whole == 0 || (whole > 1 && text[0] == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const std::size_t decimals = count_digits(text.substr(1));
    if (decimals == 0) return false;
    text.remove_prefix(1 + decimals);
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && count_digits(text) == text.size();
}

// By the parser that rejects such a number: another reader of numbers would enlarge the page by kilobytes.
class number_check {
 public:
  // Whether no double holds it. What is not a number in JSON is not replaced.
  [[nodiscard]] bool is_out_of_range(std::string_view number) {
    if (!is_json_number(number)) return false;
    text_.assign(number);
    text_.reserve(text_.size() + simdjson::SIMDJSON_PADDING);
    return parser_.parse(text_).error() != simdjson::SUCCESS;
  }

 private:
  simdjson::dom::parser parser_;
  std::string text_;
};

// Returns whether one became null.
bool replace_large_numbers(std::string& json) {
  std::string out;
  number_check check;
  bool is_lost = false;
  for (std::size_t at = 0, end = 0; at < json.size(); at = end) {
    end = at + 1;
    const bool is_number = json[at] == '-' || (json[at] >= '0' && json[at] <= '9');
    if (json[at] == '"') {
      while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2u : 1u;
      end = std::min(end + 1, json.size());
    } else if (is_number) {
      end = std::min(json.find_first_not_of("+-.0123456789eE", at), json.size());
    }
    const std::string_view text = std::string_view(json).substr(at, end - at);
    const auto is_out_of_range = [&](auto number) {
      return std::from_chars(text.data(), text.data() + text.size(), number).ec ==
             std::errc::result_out_of_range;
    };
    if (!is_number) {
      out += text;
    } else if (text.find_first_of(".eE") == std::string_view::npos) {
      const bool is_large =
          is_out_of_range(std::int64_t{}) && (text[0] == '-' || is_out_of_range(std::uint64_t{}));
      out.append(is_large ? "\"" : "").append(text).append(is_large ? "\"" : "");
    } else {
      const bool is_large = check.is_out_of_range(text) && is_too_large(text);
      out += is_large ? "null" : text;
      is_lost = is_lost || is_large;
    }
  }
  json = std::move(out);
  return is_lost;
}

}  // namespace

json_repairs repair_json(std::string& json) {
  json_repairs out;
  std::string valid;
  if (text::append_repaired_json(json, valid) != 0) {
    json = std::move(valid);
    out.has_invalid_texts = true;
  }
  out.has_large_numbers = replace_large_numbers(json);
  return out;
}

}  // namespace tickreel::viewer
