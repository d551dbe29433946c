// Copies a part of a .butter into a .butter and keeps its frames bit by bit.
#pragma once

#include "tickreel/files/convert.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// Copies from the keyframe at or before the range's first tick to its last. The head, including the roster,
// is unchanged.
result<convert_report> cut_butter(const file_path& input, const file_path& output,
                                  const convert_options& options);

}  // namespace tickreel::files
