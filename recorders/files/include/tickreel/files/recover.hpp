// From what a crash or a cut transfer left to the fullest valid file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

struct recover_options {
  bool overwrite = false;
  monitor watch = {};
};

struct recover_report {
  file_path output;
  std::uint64_t ticks = 0;       // in the output
  std::uint64_t lost_ticks = 0;  // of a reel or an .echoreplay, as far as they can be counted
  std::uint64_t bytes = 0;
  // What could not be saved, as sentences; empty when the input was whole.
  std::vector<std::string> lost;
  // What the output's format has no place for, as sentences: no loss of this recording.
  std::vector<std::string> left_out = {};
  // Where in the input another recording begins, as in files that were put behind each other. It is left out,
  // with whatever stands behind it: a sentence in `lost` says so, and its ticks are among lost_ticks.
  std::optional<std::uint64_t> another_at = {};
};

// The name that recover() chooses beside the input: "X.butter.reel" and "X.reel" become X.butter or
// X.echoreplay or X.icrep, as their frames are; "X.butter" becomes X.recovered.butter.
result<file_path> recovered_name(const file_path& input);

// A reel becomes the file of its format (or a reel, when `output` is named so), a cut .butter or .echoreplay
// one of the same format. Kept frames and lines are kept as they are, never encoded anew, but for a reel of
// columns that holds Echo VR: as a .butter or .echoreplay it is what convert() makes of it. The input is only
// read. An empty `output` stands for recovered_name(). truncated when nothing could be saved.
result<recover_report> recover(const file_path& input, const file_path& output = {},
                               const recover_options& options = {});

}  // namespace tickreel::files
