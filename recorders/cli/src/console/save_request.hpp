// A request to save a clip, from a terminal or a signal.
#pragma once

namespace tickreel::cli {

// From now on SIGUSR1, where it exists, requests a clip instead of ending the program.
void catch_save_requests() noexcept;
// Whether standard input is a terminal on which `c` and Enter request a clip.
[[nodiscard]] bool can_be_typed() noexcept;
// Whether a clip was requested since the last call. Never waits.
[[nodiscard]] bool take_save_request() noexcept;

}  // namespace tickreel::cli
