// Numbers with their noun in sentences for users.
#pragma once

#include <cstdint>
#include <string>

namespace tickreel {

// "1 tick", "2 ticks". `many` is for other plurals, and for a verb that follows:
// counted(n, "match", "matches"), counted(n, "tick was lost", "ticks were lost").
[[nodiscard]] std::string counted(std::uint64_t count, const char* one, const char* many = nullptr);

}  // namespace tickreel
