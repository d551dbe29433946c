// Recovers the games of a truncated or damaged cache.
#pragma once

#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<recover_report> recover_gamecache(const file_path& input, const file_path& output,
                                         const recover_options& options);

}  // namespace tickreel::files
