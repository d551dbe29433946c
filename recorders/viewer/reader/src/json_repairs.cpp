// Repairs of JSON that its grammar permits and no parser accepts.
#include <simdjson.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "tickreel/text/json_repair.hpp"
#include "tickreel/viewer/cell_losses.hpp"

namespace tickreel::viewer {

namespace {

// By the parser that rejects such a number: another reader of numbers would enlarge the page by kilobytes.
class number_check {
 public:
  // Of a number that the grammar of JSON permits: whether it is too large for a double, or an integer beyond 64 bits. One that is
  // too small is 0.
  [[nodiscard]] bool is_out_of_range(std::string_view number) {
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
    if (!is_number || !check.is_out_of_range(text)) {
      out += text;
    } else if (text.find_first_of(".eE") == std::string_view::npos) {
      out.append("\"").append(text).append("\"");
    } else {
      out += "null";
      is_lost = true;
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
