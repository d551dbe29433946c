// The arguments of verbs that write a changed copy of a recording.
#pragma once

#include <string>

#include "console/checks.hpp"
#include "console/options.hpp"

namespace tickreel::cli {

struct edit_arguments {
  std::string file;
  std::string output;
  bool force = false;
  bool json = false;

  void add_to(command& app) {
    app.add_option("FILE", file, "Input recording").required();
    app.add_option("-o,--output", output, "Output file").required().check(file_to_write());
    app.add_flag("--force", force, "Overwrite an existing output");
    app.add_flag("--json", json, "One JSON object instead of text");
  }
};

}  // namespace tickreel::cli
