// Finishes the recording of a recorder that died.
#pragma once

#include <cstdint>

#include "tickreel/io/file.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

struct recover_report {
  bool changed = false;  // false: the file was already finished
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
};

// `path` as given to begin() with container::icrep. Publishes the match of its reel, NAME.icrep.reel, marked
// as incomplete unless the match was ended and its reel is complete, and removes the reel. Also finishes live files with spools of
// version 0.1. For a published match in several files it writes the missing files; already_exists if a file
// of another match has such a name. It can be interrupted at any point and repeated. in_use while a recorder
// is running. After an error everything is unchanged.
result<recover_report> recover(const file_path& path, system_calls& calls = system_calls::real());

}  // namespace tickreel::game
