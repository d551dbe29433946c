// Converts any recording to MCAP.
#pragma once

#include "tickreel/files/conversion.hpp"

namespace tickreel::files {

// Each tick is a message of /tick, each event one of /events, the positions of a tick one of /scene. Reads the
// recording three times: its summary, its events, its ticks.
result<conversion_report> convert_to_mcap(const file_path& input, const file_path& output,
                                          const conversion_options& options);

}  // namespace tickreel::files
