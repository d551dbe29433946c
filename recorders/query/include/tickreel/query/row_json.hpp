// The rows of a statement as JSON objects.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tickreel/query/query.hpp"

namespace tickreel::query {

// A name of two columns: an object has each name once.
[[nodiscard]] std::optional<std::string> name_used_twice(const std::vector<std::string>& names);

// Appends one object, with a member for each column.
void append_row(const std::vector<std::string>& names, const std::vector<value>& row, std::string& json);

}  // namespace tickreel::query
