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

// Makes JSON parseable that its grammar permits. U+FFFD replaces parts of texts that are not Unicode. An integer beyond
// 64 bits becomes a text of its digits, another number that no double holds becomes null.
json_repairs repair_json(std::string& json);

// Values of JSON by path, of repaired JSON if the parser rejects the original.
class repaired_values {
 public:
  // As json_values.
  static result<repaired_values> create(std::span<const std::string_view> paths);
  struct reading {
    std::span<const viewer::tick_value> values;  // nulls if the JSON is unreadable; valid until the next call
    json_repairs repairs;
  };
  reading read(std::string_view json);

 private:
  explicit repaired_values(viewer::json_values values, std::size_t count)
      : values_(std::move(values)), none_(count) {}

  viewer::json_values values_;
  std::vector<viewer::tick_value> none_;
  std::string repaired_;
};

// Values of ticks by path. Repaired and unreadable ticks are reported to `omitted`.
class tick_paths {
 public:
  // `walk` and `omitted` must outlive the result.
  static result<tick_paths> create(tick_walk& walk, cell_losses& omitted,
                                   const std::vector<std::string>& paths);
  // Of the tick at hand; valid until the next call.
  result<std::span<const viewer::tick_value>> read();

 private:
  // A value that no tick contains.
  struct computed {
    std::size_t place = 0;
    viewer::tick_values value;
  };
  tick_paths(tick_walk& walk, cell_losses& omitted, viewer::tick_values values, repaired_values repaired)
      : walk_(&walk), omitted_(&omitted), values_(std::move(values)), repaired_(std::move(repaired)) {}
  void read_repaired();

  tick_walk* walk_;
  cell_losses* omitted_;
  viewer::tick_values values_;
  repaired_values repaired_;
  std::vector<computed> computed_;
  std::vector<viewer::tick_value> given_;
};

// Null for an empty text, and an integer for the digits of one, so that it equals the number in a tick or event.
[[nodiscard]] value number_or_text(const std::string& from);

[[nodiscard]] inline std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace tickreel::query
