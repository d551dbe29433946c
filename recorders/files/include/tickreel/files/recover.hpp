// Recovers damaged or unfinished recordings: writes a valid file with every readable tick.
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
  // What could not be recovered, as sentences; empty if the input was complete.
  std::vector<std::string> lost;
  // Content that the output's format cannot store, as sentences; not a loss of this recording.
  std::vector<std::string> left_out = {};
  // The offset of a second recording in the input, as in concatenated files. It is left out, with everything
  // after it: `lost` reports it, and lost_ticks includes its ticks.
  std::optional<std::uint64_t> another_at = {};
  // The end that the input states was wrong: all bytes after it were searched, so none are reported as trailing.
  bool searched_to_end = false;
};

// The output name that recover() chooses beside the input: "X.butter.reel", "X.tape.reel" and "X.reel" become
// X.butter, X.tape and so on, according to their frames; "X.butter" becomes X.recovered.butter.
result<file_path> recovered_name(const file_path& input);

// A reel becomes a file of its final format (or a reel, if `output` is named so); a truncated .butter or
// .echoreplay becomes a file of the same format. Recovered frames and lines are copied, never encoded again;
// only a reel of columns with Echo VR becomes the .butter or .echoreplay that convert() makes of it. The
// input is only read. An empty `output` means recovered_name(). truncated if no tick is readable.
result<recover_report> recover(const file_path& input, const file_path& output = {},
                               const recover_options& options = {});

}  // namespace tickreel::files
