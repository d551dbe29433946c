// File names in the commands that remedies show.
#pragma once

#include <string>

namespace tickreel::cli {

// Quotes a file name for a shell, whatever characters it has.
[[nodiscard]] std::string shell_word(const std::string& word);

}  // namespace tickreel::cli
