// Output of tickreel query.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library/library_verbs.hpp"
#include "tickreel/query/query.hpp"

namespace tickreel::cli {

// Writes the rows of a statement as a table, CSV or JSON.
class query_rows {
 public:
  explicit query_rows(row_style style) : style_(style) {}
  // Returns false if the rows cannot be written: see name_used_twice().
  bool columns(const std::vector<std::string>& names);
  // A name of two columns, of which an object of JSON has only one.
  [[nodiscard]] const std::optional<std::string>& name_used_twice() const noexcept { return twice_; }
  // Returns false when the output is closed.
  bool row(const std::vector<query::value>& values);
  // After the last row.
  void finish();

 private:
  row_style style_;
  std::vector<std::string> names_;
  std::optional<std::string> twice_;
  std::unique_ptr<text_table> table_;
  std::size_t waiting_rows_ = 0;
};

// What a statement read: files, columns and ticks.
void print_explanation(const query::report& from, row_style style);

}  // namespace tickreel::cli
