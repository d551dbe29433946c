// Names in the text of a statement, for columns that exist because a statement names them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tickreel::query {

struct statement_name {
  std::string text;
  bool may_be_column = true;  // not a keyword, a function or a table without quotes
};
// Words and quoted names, without texts, numbers and comments.
[[nodiscard]] std::vector<statement_name> names_in(std::string_view sql);

// The column that SQLite's message reports as missing, if the statement names it and `known` lacks it: "no such
// column: e.speed" is "speed".
[[nodiscard]] std::optional<std::string> missing_column(std::string_view message,
                                                        const std::vector<statement_name>& names,
                                                        const std::vector<std::string>& known);

// What SQLite's message may lack: advice for a path without its double quotes, and the tables; otherwise empty.
[[nodiscard]] std::string hint(std::string_view message);

// Another spelling of a known path, which SQL would take for the same column.
[[nodiscard]] std::optional<std::string> other_spelling(const std::string& path,
                                                        const std::vector<statement_name>& names);

}  // namespace tickreel::query
