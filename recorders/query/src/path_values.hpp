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

// Makes a text parseable whose numbers SQL cannot hold: a larger integer becomes a text of its digits, another number
// null. Returns whether one became null.
bool replace_large_numbers(std::string& json);

// Values of ticks by path. A tick with a number that no double holds is reported to the walk.
class tick_paths {
 public:
  // `walk` must outlive the result.
  static result<tick_paths> create(tick_walk& walk, const std::vector<std::string>& paths);
  // Of the tick at hand; valid until the next call.
  result<std::span<const viewer::tick_value>> read();

 private:
  tick_paths(tick_walk& walk, std::vector<std::string> paths, viewer::tick_values values,
             viewer::json_values repaired)
      : walk_(&walk), paths_(std::move(paths)), values_(std::move(values)), repaired_(std::move(repaired)) {}

  tick_walk* walk_;
  std::vector<std::string> paths_;
  viewer::tick_values values_;
  viewer::json_values repaired_;
  std::vector<viewer::tick_value> given_;
};

// Null for an empty text, and an integer for the digits of one, so that it equals the number in a tick or event.
[[nodiscard]] value number_or_text(const std::string& from);

[[nodiscard]] inline std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace tickreel::query
