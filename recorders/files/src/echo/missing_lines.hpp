// Lines that a copy of a reel cannot restore, for reels that keep lines.
#pragma once

#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/reel/reader.hpp"

namespace tickreel::files {

// Whether a record that lines may depend on is lost, or may have been lost before the reel was copied.
result<bool> may_lack_lines(reel::reader& source);

// Reports the ticks of the copy whose lines cannot be restored. Decodes all of it.
result<void> append_missing_lines(const file_path& copy, std::vector<std::string>& lost);

}  // namespace tickreel::files
