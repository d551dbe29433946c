// Reads tables with independent readers, which run in node: see hyparquet/read.mjs and apache_arrow/read.mjs.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cells.hpp"
#include "file_bytes.hpp"
#include "lines.hpp"
#include "preconditions.hpp"
#include "scratch_folder.hpp"

namespace tickreel::test {

inline const auto with_hyparquet = needed(
    [] {
      return std::filesystem::exists(TICKREEL_HYPARQUET "/node_modules/hyparquet")
                 ? nullptr
                 : "no hyparquet; scripts/bootstrap --ci installs it";
    },
    "TICKREEL_REQUIRE_BINDINGS");
inline const auto with_apache_arrow = needed(
    [] {
      return std::filesystem::exists(TICKREEL_APACHE_ARROW "/node_modules/apache-arrow")
                 ? nullptr
                 : "no apache-arrow; scripts/bootstrap --ci installs it";
    },
    "TICKREEL_REQUIRE_BINDINGS");

// The lines of a script, which gets the folder of its packages and the file.
inline std::vector<std::string> lines_of_script(const std::string& script, const std::string& packages,
                                                const std::string& file) {
  const scratch_folder folder;
  const std::string out = folder / "rows";
  const std::string line = "node '" + script + "' '" + packages + "' '" + file + "' > '" + out + "'";
  BOOST_REQUIRE(std::system(line.c_str()) == 0);
  const byte_vector text = read_file(out);
  return lines_of(std::string(as_text(text)));
}
inline std::vector<std::string> read_parquet(const std::string& file) {
  return lines_of_script(TICKREEL_PARQUET_READER, TICKREEL_HYPARQUET, file);
}
inline std::vector<std::string> read_arrow(const std::string& file) {
  return lines_of_script(TICKREEL_ARROW_READER, TICKREEL_APACHE_ARROW, file);
}

}  // namespace tickreel::test
