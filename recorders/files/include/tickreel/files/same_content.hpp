// Checks that a copy has the content of its original, for callers that then delete the original.
#pragma once

#include "tickreel/files/recording.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// True if both return the same ticks with equal times and states, the same events, the same number of losses,
// and `copy` verifies as well as `original`. Reads both completely, with the memory of one tick each. Fails
// as open() does, and with interrupted.
result<bool> has_same_content(const file_path& copy, const file_path& original, const monitor& watch = {});

}  // namespace tickreel::files
