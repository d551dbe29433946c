// Finishes what a recorder that died has left behind.
#pragma once

#include <cstdint>
#include <string_view>

#include "tickreel/reel/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::game {

struct recover_report {
  bool changed = false;  // false: the file was finished already
  std::uint64_t total_ticks = 0;
  std::uint64_t keyframes = 0;
};

// Makes a live file and its spools one finished file, marked as incomplete, and removes the spools; in place.
// Interrupted anywhere, it can be done again. in_use while a recorder lives. Errors leave everything as it
// was.
result<recover_report> recover(std::string_view path, system_calls& calls = system_calls::real());

}  // namespace tickreel::game
