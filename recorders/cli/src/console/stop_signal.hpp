// Ctrl-C and similar signals.
#pragma once

namespace tickreel::cli {

// From now on, a closed pipe and a limit of the size of files (ulimit -f) are write errors instead of signals.
void ignore_write_signals() noexcept;

// From now on SIGINT, SIGTERM and, unless it is ignored as under nohup, SIGHUP are only counted; the first
// after `max_signals` signals ends the program immediately. On Windows these are Ctrl-C, Ctrl-Break, closing the
// window, logging off and shutting down; the last three leave a few seconds.
void catch_stop_signals(int max_signals = 1) noexcept;
// For work that leaves nothing to clean up: the signals end the program again, also one that was counted before. On Windows the
// next one ends it, so that the window of a recorder that Ctrl-C stopped stays open.
void let_stop_signals_end() noexcept;

[[nodiscard]] bool stop_requested() noexcept;
// The number of signals.
[[nodiscard]] int stop_requests() noexcept;

}  // namespace tickreel::cli
