// The program without a shell: double-clicked, or a file dropped on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tickreel::cli {

// Whether the window belongs to the program and closes with it, and no verb says what is to be done.
[[nodiscard]] bool is_in_own_window(const std::vector<std::string>& words);

// Explains the program and asks what to do; the words that do it, and only the program's name for nothing.
[[nodiscard]] std::vector<std::string> ask_in_own_window(const std::vector<std::string>& words);

// A file that was dropped and told about can be looked at: asks, and gives the words as above. Nothing where
// there is nothing to ask.
[[nodiscard]] std::optional<std::vector<std::string>> ask_for_more(const std::vector<std::string>& words,
                                                                   int exit_code);

// Until somebody has read what stands in it.
void keep_own_window();

}  // namespace tickreel::cli
