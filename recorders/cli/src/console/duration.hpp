// Lengths of time on the command line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <map>
#include <string>

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

}  // namespace tickreel::cli
