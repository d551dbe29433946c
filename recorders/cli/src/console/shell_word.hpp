// Names in the commands that hints tell to type.
#pragma once

#include <string>

namespace tickreel::cli {

// A file's name as it can be typed into a command, whatever is in it.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace tickreel::cli
