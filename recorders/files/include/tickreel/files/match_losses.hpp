// Losses of a match, for callers that name its missing ticks themselves.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// recording::losses() after its end, without missing orders of ticks before `named_from_tick`.
result<std::vector<std::string>> losses_of_match(const file_path& file, std::uint64_t named_from_tick);

}  // namespace tickreel::files
