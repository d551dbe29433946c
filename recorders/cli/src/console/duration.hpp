// Lengths of time on the command line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <string_view>

#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

// For an option that holds seconds: takes 90, 90s, 15m, 2h, 08:30 and 1:02:03.
inline CLI::Validator seconds_with_unit() {
  const CLI::AsNumberWithUnit with_unit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}},
                                        CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME");
  const auto read = [with_unit](std::string& text) {
    if (text.find(':') == std::string::npos) return with_unit(text);
    const auto seconds = files::parse_clock(text);
    if (!seconds) return text + " is no time such as 08:30 or 1:02:03";
    text = fmt::format("{}", *seconds);
    return std::string();
  };
  return {read, "TIME"};
}

// For an option that holds seconds of an age: takes 90s, 15m, 12h, 30d and 4w. A bare number is refused,
// since hours and days could both be meant.
inline CLI::Validator age_with_unit() {
  const CLI::AsNumberWithUnit with_unit(
      std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}, {"w", 604800}},
      CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME");
  const auto read = [with_unit](std::string& text) {
    const bool has_unit =
        !text.empty() && std::string_view("smhdwSMHDW").find(text.back()) != std::string_view::npos;
    if (!has_unit) return text + " has no unit: write " + text + "h or " + text + "d (s, m, h, d or w)";
    return with_unit(text);
  };
  return {read, "TIME"};
}

}  // namespace tickreel::cli
