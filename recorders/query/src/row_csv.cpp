#include "tickreel/query/row_csv.hpp"

#include <cmath>

#include "tickreel/query/row_json.hpp"
#include "tickreel/text/csv.hpp"
#include "tickreel/text/json.hpp"

namespace tickreel::query {

std::string text_of(const value& from) {
  if (const auto* const text = std::get_if<std::string>(&from)) return *text;
  std::string out;
  if (const auto* const whole = std::get_if<std::int64_t>(&from)) text::json_writer(out).value(*whole);
  if (const auto* const real = std::get_if<double>(&from)) {
    if (std::isinf(*real)) return std::string(text_of_infinity(*real));
    text::json_writer(out).value(*real);
  }
  return out;
}

void append_csv_row(const std::vector<value>& row, std::string& csv) {
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (at != 0) csv += ',';
    text::append_csv_text(text_of(row[at]), csv);
  }
}

}  // namespace tickreel::query
