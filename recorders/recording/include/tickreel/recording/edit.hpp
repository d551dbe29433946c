// A copy of a recording with something changed in it, in the same format.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tickreel/recording/recording.hpp"
#include "tickreel/result.hpp"

namespace tickreel::recording {

struct edit_options {
  bool overwrite = false;
  monitor watch = {};
};

struct edit_report {
  std::uint64_t bytes = 0;    // of the output
  std::uint64_t changes = 0;  // places that differ from the input
  // What the reader of the output should know, as sentences: "the signatures no longer hold".
  std::vector<std::string> notes;
};

// Names, identities and what was said become neutral: "Player 1", "Player 2". The same player has the same
// new name everywhere in the file, and the game itself stays as it was. unsupported_operation where the
// format has no such edit. The output appears whole or not at all; the input is only read.
result<edit_report> anonymise(const std::filesystem::path& input, const std::filesystem::path& output,
                              const edit_options& options = {});

}  // namespace tickreel::recording
