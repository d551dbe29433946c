// The rows of a statement as JSON objects.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tickreel/query/query.hpp"

namespace tickreel::text {
class json_writer;
}

namespace tickreel::query {

// A name of two columns: an object has each name once.
[[nodiscard]] std::optional<std::string> name_used_twice(const std::vector<std::string>& names);

// As ticks have it: JSON has no number for it.
[[nodiscard]] constexpr std::string_view text_of_infinity(double number) noexcept {
  return number < 0 ? "-Infinity" : "Infinity";
}

void append_value(const value& from, text::json_writer& json);

// Appends one object, with a member for each column.
void append_row(const std::vector<std::string>& names, const std::vector<value>& row, std::string& json);

}  // namespace tickreel::query
