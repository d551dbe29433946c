// tickreel with an additional format.
#include "program.hpp"
#include "toy_format.hpp"

int main(int argc, char** argv) {
  if (!tickreel::files::register_format(toy::toy_format)) return 1;
  return tickreel::cli::run_program(argc, argv);
}
