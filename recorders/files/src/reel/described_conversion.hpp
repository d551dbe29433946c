// Converts reels of described structs to texts with one line per tick.
#pragma once

#include "tickreel/files/conversion.hpp"

namespace tickreel::files {

// The lines of `cat`.
result<conversion_report> convert_reel_to_ndjson(const file_path& input, const file_path& output,
                                                 const conversion_options& options);
// A header line with names, then tick, time_ms and a column for each value. Cells are empty for an optional
// without a value and for an unused place of entities.
result<conversion_report> convert_reel_to_csv(const file_path& input, const file_path& output,
                                              const conversion_options& options);

}  // namespace tickreel::files
