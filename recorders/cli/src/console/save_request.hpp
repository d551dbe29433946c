// "Save what just happened", said on a terminal or by a signal.
#pragma once

namespace tickreel::cli {

// From here on SIGUSR1 asks, where there is such a signal, instead of ending the program.
void catch_save_requests() noexcept;
// Whether standard input is a terminal on which `c` and Enter ask.
[[nodiscard]] bool can_be_typed() noexcept;
// Whether somebody asked since the last call. Never waits.
[[nodiscard]] bool take_save_request() noexcept;

}  // namespace tickreel::cli
