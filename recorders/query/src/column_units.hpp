// Units and meanings of a result's columns.
#pragma once

#include <string>
#include <vector>

#include "tickreel/query/query.hpp"

namespace tickreel::query {

// Empty where nothing is known.
struct column_unit {
  std::string unit;
  std::string meaning;
};

// Of the result's columns by path, from the recordings whose ticks or events were read: those of `inputs`, and files. A column
// whose units differ between recordings has none; a sentence about it is appended to `notes`.
[[nodiscard]] std::vector<column_unit> units_of(const report& about, const std::vector<std::string>& names,
                                                const std::vector<input>& inputs,
                                                std::vector<std::string>& notes);

}  // namespace tickreel::query
