// Checks of what an archive has around its members.
#pragma once

#include <vector>

#include "tickreel/bytes/span.hpp"
#include "tickreel/mpq/archive.hpp"

namespace tickreel::mpq {

// The whole file; `prefix` is null when the file begins with its archive, whose tables could be read.
[[nodiscard]] std::vector<frame_fault> find_frame_faults(byte_span file, const file_prefix* prefix);

}  // namespace tickreel::mpq
