// Points in time as people and JSON have them.
#pragma once

#include <cstdint>
#include <string>

namespace tickreel::recording {

// Seconds since 1970 as "2020-07-28T21:53:36Z"; empty for what no calendar holds.
[[nodiscard]] std::string utc_text(std::int64_t unix_seconds);

}  // namespace tickreel::recording
