// Values of JSON by path, of repaired JSON if the parser rejects the original.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::viewer {

class repaired_values {
 public:
  // As json_values.
  static result<repaired_values> create(std::span<const std::string_view> paths);
  struct reading {
    std::span<const tick_value> values;  // nulls if the JSON is unreadable; valid until the next call
    json_repairs repairs;
  };
  reading read(std::string_view json);

 private:
  explicit repaired_values(json_values values, std::size_t count)
      : values_(std::move(values)), none_(count) {}

  json_values values_;
  std::vector<tick_value> none_;
  std::string repaired_;
};

}  // namespace tickreel::viewer
