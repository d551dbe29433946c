// The user's own browser.
#pragma once

#include <string>

namespace tickreel::cli {

// Starts whatever the system opens addresses with and does not wait for it. `address` is one of ours: no
// character in it means anything to a shell. False when nothing could be started.
bool open_in_browser(const std::string& address);

}  // namespace tickreel::cli
