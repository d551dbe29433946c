// Recovers a truncated or damaged replay as a replay.
#pragma once

#include "tickreel/files/recover.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

result<recover_report> recover_sc2replay(const file_path& input, const file_path& output,
                                         const recover_options& options);

}  // namespace tickreel::files
