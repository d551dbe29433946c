// A part of a .butter as a .butter, its frames kept bit for bit.
#pragma once

#include "tickreel/files/convert.hpp"
#include "tickreel/io/path.hpp"

namespace tickreel::files {

// From the keyframe at or before the range's first tick to its last. The head stays as it is, and with it the
// roster.
result<convert_report> cut_butter(const file_path& input, const file_path& output,
                                  const convert_options& options);

}  // namespace tickreel::files
