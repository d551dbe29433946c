// Values by path as values of SQL.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rows.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::query {

// A truth is 1 or 0.
[[nodiscard]] value value_of(const viewer::tick_value& from);

// Values of JSON by path, of repaired JSON if the parser rejects the original.
class repaired_values {
 public:
  // As json_values.
  static result<repaired_values> create(std::span<const std::string_view> paths);
  struct reading {
    std::span<const viewer::tick_value> values;  // nulls if the JSON is unreadable; valid until the next call
    viewer::json_repairs repairs;
  };
  reading read(std::string_view json);

 private:
  explicit repaired_values(viewer::json_values values, std::size_t count)
      : values_(std::move(values)), none_(count) {}

  viewer::json_values values_;
  std::vector<viewer::tick_value> none_;
  std::string repaired_;
};

// Null for an empty text, and an integer for the digits of one, so that it equals the number in a tick or event.
[[nodiscard]] value number_or_text(const std::string& from);

[[nodiscard]] inline std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace tickreel::query
