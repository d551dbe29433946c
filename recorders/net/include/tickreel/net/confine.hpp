// Takes rights away from a server that only reads, so that a mistake in it harms nothing else.
#pragma once

#include <string>
#include <vector>

namespace tickreel::net {

// From now on the calling thread, and threads that it starts, read only below `folders`. They write, create, remove and start no
// file, open no connections, and send no signals to other processes. Files and sockets that are open stay usable. It cannot be
// undone. Uses Landlock of Linux, and those of its rights that the running kernel knows. False, and nothing has changed, where
// the system has no such means or a folder cannot be opened.
bool confine_to_reading(const std::vector<std::string>& folders) noexcept;

}  // namespace tickreel::net
