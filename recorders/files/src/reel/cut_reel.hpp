// A part of a reel as a reel, its frames kept as they are.
#pragma once

#include "tickreel/files/conversion.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Of any encoder, known here or not: from the keyframe at or before the range's first tick. Reels of
// described structs begin with that tick itself, and matches go the way of an .icrep.
result<conversion_report> cut_reel(const file_path& input, const file_path& output,
                                   const conversion_options& options);

}  // namespace tickreel::files
