// What the structs of a recording are, for programs.
#pragma once

#include <string>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Of a reel of described structs, and of an Echo VR reel of columns, members of a JSON object:
// `"described":{...}`, and `"described_events":[...]` where there are any. docs/command-line.md says what is
// in them. Empty for everything else, and for what cannot be read.
[[nodiscard]] std::string structs_json(const file_path& file);

}  // namespace tickreel::files
