// Ctrl-C and its like.
#pragma once

namespace tickreel::cli {

// From here on SIGINT and SIGTERM only set a flag; the second one ends the program at once. A closed pipe is
// an error of writing instead of a signal.
void catch_stop_signals() noexcept;
// For work that leaves nothing behind and does not ask: the signals end the program again.
void let_stop_signals_end() noexcept;

[[nodiscard]] bool stop_requested() noexcept;

}  // namespace tickreel::cli
