// Values by path as values of SQL.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rows.hpp"
#include "tickreel/viewer/tick_values.hpp"

namespace tickreel::query {

// A truth is 1 or 0.
[[nodiscard]] value value_of(const viewer::tick_value& from);

// Null for an empty text, and an integer for the digits of one, so that it equals the number in a tick or event.
[[nodiscard]] value number_or_text(const std::string& from);

[[nodiscard]] inline std::vector<std::string_view> views_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

}  // namespace tickreel::query
