// A tick as a line of JSON, as cat and similar verbs print it.
#pragma once

#include <string>

#include "tickreel/files/recording.hpp"

namespace tickreel::cli {

// Prints {"tick":0,"time_ms":0, followed by the state's members. `line` is a buffer. Returns false if the
// output is closed, or if the program is stopped within an unfinished tick.
bool write_tick(files::recording& from, std::string& line);

}  // namespace tickreel::cli
