// A tick as a line of JSON, as cat and its like print it.
#pragma once

#include <string>

#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

// {"tick":0,"time_ms":0, and then the state's own members. `line` is room for it. False when nobody takes it,
// or in the middle of a tick that has no end, when the program is to stop.
bool write_tick(files::recording& from, std::string& line);

}  // namespace tickreel::cli
