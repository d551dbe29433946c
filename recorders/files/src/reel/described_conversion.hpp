// Reels of described structs as texts: a line a tick.
#pragma once

#include "tickreel/files/conversion.hpp"

namespace tickreel::files {

// The lines of `cat`.
result<conversion_report> convert_reel_to_ndjson(const file_path& input, const file_path& output,
                                                 const conversion_options& options);
// A first line with names, then tick, time_ms and a column for each single value. Empty where an optional has
// no value or nobody lives in a place of entities.
result<conversion_report> convert_reel_to_csv(const file_path& input, const file_path& output,
                                              const conversion_options& options);

}  // namespace tickreel::files
