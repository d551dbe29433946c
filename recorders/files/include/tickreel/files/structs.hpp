// Schemas of a recording's structs as JSON.
#pragma once

#include <string>

#include "tickreel/io/path.hpp"

namespace tickreel::files {

// For a reel of described structs, and an Echo VR reel of columns: members of a JSON object,
// `"described":{...}`, and `"described_events":[...]` if there are any. docs/command-line.md describes them.
// Empty for other and for unreadable files.
[[nodiscard]] std::string structs_json(const file_path& file);

}  // namespace tickreel::files
