// Parses a command line and runs its verb.
#pragma once

#include <string>
#include <vector>

#include "options.hpp"

namespace tickreel::cli {

// Runs the verb that `words` name; the first word is the program's name. Prints help and reports wrong usage.
// Returns the exit code.
[[nodiscard]] int run_command_line(command& program, std::vector<std::string> words);

}  // namespace tickreel::cli
