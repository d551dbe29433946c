#include "tickreel/query/row_json.hpp"

#include <cmath>
#include <set>

#include "tickreel/text/json.hpp"

namespace tickreel::query {

std::optional<std::string> name_used_twice(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& each : names) {
    if (!seen.insert(each).second) return each;
  }
  return std::nullopt;
}

void append_value(const value& from, text::json_writer& json) {
  if (std::holds_alternative<std::monostate>(from)) json.null();
  if (const auto* const whole = std::get_if<std::int64_t>(&from)) json.value(*whole);
  if (const auto* const text = std::get_if<std::string>(&from)) json.value(*text);
  if (const auto* const real = std::get_if<double>(&from)) {
    std::isinf(*real) ? json.value(text_of_infinity(*real)) : json.value(*real);
  }
}

void append_row(const std::vector<std::string>& names, const std::vector<value>& row, std::string& json) {
  text::json_writer out(json);
  out.begin_object();
  for (std::size_t at = 0; at < row.size(); ++at) {
    out.key(names[at]);
    append_value(row[at], out);
  }
  out.end_object();
}

}  // namespace tickreel::query
