// The tickreel program.
#include "program.hpp"

int main(int argc, char** argv) {
  return tickreel::cli::run_program(argc, argv);
}
