// Cells of comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace tickreel::text {

// Appends `text` as one cell, in quotes where it needs them. What spreadsheets would take for a formula,
// because it begins with one of = + - @ or a control character, gets an apostrophe in front, which they do
// not show.
void append_csv_text(std::string_view text, std::string& out);

}  // namespace tickreel::text
