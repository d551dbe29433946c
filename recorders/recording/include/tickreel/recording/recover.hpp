// From what a crash or a cut transfer left to the fullest valid file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tickreel/recording/recording.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

struct recover_options {
  bool overwrite = false;
  monitor watch = {};
};

struct recover_report {
  std::filesystem::path output;
  std::uint64_t ticks = 0;  // in the output
  std::uint64_t bytes = 0;
  // What could not be saved, as sentences; empty when the input was whole.
  std::vector<std::string> lost;
};

// The name that recover() chooses beside the input: "X.butter.reel" and "X.reel" become X.butter or
// X.echoreplay or X.icrep, as their frames are; "X.butter" becomes X.recovered.butter.
result<std::filesystem::path> recovered_name(const std::filesystem::path& input);

// A reel becomes the file of its format (or a reel, when `output` is named so), a cut .butter or .echoreplay
// one of the same format. Kept frames and lines are kept as they are, never encoded anew. The input is only
// read. An empty `output` stands for recovered_name(). truncated when nothing could be saved.
result<recover_report> recover(const std::filesystem::path& input, const std::filesystem::path& output = {},
                               const recover_options& options = {});

}  // namespace tickreel::recording
