// Finishes what a recorder that died has left behind.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

struct recover_report {
  bool changed = false;  // false: the file was finished already
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
};

// `path` as it was given to begin() with container::icrep. Lays out what its reel, NAME.icrep.reel, holds, as
// incomplete unless the match was ended, and removes the reel; also live files with spools of version 0.1.
// Of a match in several files that was laid out, those that are missing; already_exists where another match
// stands in a file's place.
// Interrupted anywhere, it can be done again. in_use while a recorder lives. Errors leave everything as it
// was.
result<recover_report> recover(const file_path& path, system_calls& calls = system_calls::real());

}  // namespace tickreel::game
