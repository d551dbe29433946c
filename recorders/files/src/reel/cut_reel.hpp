// Copies a part of a reel into a reel and keeps its frames.
#pragma once

#include "tickreel/files/conversion.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// For reels of any encoder, also unknown ones: from the keyframe at or before the range's first tick. Reels
// of described structs begin with that tick itself; matches are cut like an .icrep.
result<conversion_report> cut_reel(const file_path& input, const file_path& output,
                                   const conversion_options& options);

}  // namespace tickreel::files
