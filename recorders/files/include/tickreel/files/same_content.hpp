// Whether a copy says what its original says, for those who let the original go.
#pragma once

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// True where both give the same ticks at the same times with the same states, the same events, as many
// sentences about what is missing, and `copy` verifies as well as `original`. Both are read from end to end,
// in the memory of one tick each. Fails as open() does, and with interrupted.
result<bool> has_same_content(const file_path& copy, const file_path& original, const monitor& watch = {});

}  // namespace tickreel::files
