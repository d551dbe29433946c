// When a recording began.
#pragma once

#include <cstdint>
#include <optional>

#include "tickreel/files/info.hpp"

namespace tickreel::files {

// Milliseconds since 1970-01-01, from the facts of a summary; empty if they do not state it. An Echo VR recording may
// state its recorder's local time.
[[nodiscard]] std::optional<std::int64_t> start_time_ms(const summary& of);

}  // namespace tickreel::files
