#include "tickreel/query/row_json.hpp"

#include <set>
#include <string_view>

#include "tickreel/text/json.hpp"

namespace tickreel::query {

std::optional<std::string> name_used_twice(const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& each : names) {
    if (!seen.insert(each).second) return each;
  }
  return std::nullopt;
}

void append_row(const std::vector<std::string>& names, const std::vector<value>& row, std::string& json) {
  text::json_writer out(json);
  out.begin_object();
  for (std::size_t at = 0; at < row.size(); ++at) {
    out.key(names[at]);
    if (std::holds_alternative<std::monostate>(row[at])) out.null();
    if (const auto* const whole = std::get_if<std::int64_t>(&row[at])) out.value(*whole);
    if (const auto* const real = std::get_if<double>(&row[at])) out.value(*real);
    if (const auto* const text = std::get_if<std::string>(&row[at])) out.value(*text);
  }
  out.end_object();
}

}  // namespace tickreel::query
