// The program without a shell: double-clicked, or with a file dropped on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tickreel::cli {

// Whether the window belongs to the program and closes with it, and the command line names no verb.
[[nodiscard]] bool is_in_own_window(const std::vector<std::string>& words);

// Explains the program and asks what to do. Returns the command line, which is only the program's name if the
// user chose nothing.
[[nodiscard]] std::vector<std::string> ask_in_own_window(const std::vector<std::string>& words);

// Asks whether to show a file that was dropped. Returns the command line as above, or no result if there is
// nothing to ask.
[[nodiscard]] std::optional<std::vector<std::string>> ask_for_more(const std::vector<std::string>& words,
                                                                   int exit_code);

// Waits until the user has read the window.
void keep_own_window();

}  // namespace tickreel::cli
