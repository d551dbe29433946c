// Adapts an Echo VR source of ticks to `recording`.
#pragma once

#include <memory>

#include "echo_input.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// `format` has static storage.
std::unique_ptr<recording> make_echo_recording(std::string_view format, std::unique_ptr<echo_input> input);

}  // namespace tickreel::files
