// Reports the losses of an Echo VR source, and judges its health by them. Complete after every tick was read.
#pragma once

#include <string>
#include <vector>

#include "echo_input.hpp"
#include "tickreel/files/recording.hpp"

namespace tickreel::files {

// For readers of the ticks as JSON, which contains the recorded text if there is any.
[[nodiscard]] std::vector<std::string> sentences_of_losses(const echo_input& from);

// Sets `health`, and adds to `left_out`.
void describe_losses(const echo_input& from, summary& out);

// Also adds the findings about the structure.
void inspect_losses(const echo_input& from, verification& out);

}  // namespace tickreel::files
