// Ctrl-C and its like.
#pragma once

namespace tickreel::cli {

// From here on a closed pipe is an error of writing instead of a signal.
void outlive_closed_pipes() noexcept;

// From here on SIGINT, SIGTERM and, unless it is ignored as under nohup, SIGHUP only count; the one after the
// `patience`th ends the program at once. On Windows these are Ctrl-C, Ctrl-Break, closing the window, logging
// off and shutting down; the last three leave a few seconds.
void catch_stop_signals(int patience = 1) noexcept;
// For work that leaves nothing behind and does not ask: the signals end the program again.
void let_stop_signals_end() noexcept;

[[nodiscard]] bool stop_requested() noexcept;
// How often.
[[nodiscard]] int stop_requests() noexcept;

}  // namespace tickreel::cli
