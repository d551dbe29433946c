// Lengths of time on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>

namespace tickreel::cli {

// For an option that holds seconds: takes 90, 90s, 15m and 2h.
inline CLI::Validator seconds_with_unit() {
  return CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}},
                               CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME");
}

}  // namespace tickreel::cli
