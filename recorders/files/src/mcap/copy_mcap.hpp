// Copies messages of an .mcap file into a new one: a part, or everything that is readable.
#pragma once

#include "tickreel/files/conversion.hpp"
#include "tickreel/files/recover.hpp"

namespace tickreel::files {

// Messages of every encoding whose log_time is between those of the first and the last tick of the range.
result<conversion_report> cut_mcap(const file_path& input, const file_path& output,
                                   const conversion_options& options);
result<recover_report> recover_mcap(const file_path& input, const file_path& output,
                                    const recover_options& options);

}  // namespace tickreel::files
