// Lines of Echo VR as the game's own recordings have them.
#pragma once

#include <string>

#include "tickreel/files/recording.hpp"
#include "tickreel/result.hpp"

namespace tickreel::viewer {

// Appends the line that an .echoreplay has for the current tick, without its end: the game's text where the
// recording keeps it, else the state in the game's form. unsupported_operation for other recordings.
result<void> append_game_line(files::recording& from, std::string& out);

}  // namespace tickreel::viewer
