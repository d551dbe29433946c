// The user's default browser.
#pragma once

#include <string>

namespace tickreel::cli {

// Starts the system's opener for `address` and does not wait for it. `address` comes from this program and
// contains no shell metacharacters. Returns false if nothing could be started.
bool open_in_browser(const std::string& address);

}  // namespace tickreel::cli
