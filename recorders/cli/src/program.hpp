// The program's entry point, for programs that register their own formats first.
#pragma once

namespace tickreel::cli {

// Runs the verb that the command line names and returns the exit code, as main() of tickreel does.
[[nodiscard]] int run_program(int argc, char** argv);

}  // namespace tickreel::cli
