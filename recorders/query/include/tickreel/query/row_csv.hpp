// The rows of a statement as CSV.
#pragma once

#include <string>
#include <vector>

#include "tickreel/query/query.hpp"

namespace tickreel::query {

// Empty for null.
[[nodiscard]] std::string text_of(const value& from);

// Appends one line without its end. Texts are safe for spreadsheets.
void append_csv_row(const std::vector<value>& row, std::string& csv);

}  // namespace tickreel::query
