#pragma once

#include <string>

#include "tickreel/bytes/span.hpp"

// The contents of a .butter or a reel of described structs as text: one line per tick; an error message last, if there is one.
// From memory, without threads and files.
[[nodiscard]] std::string read_in_memory(tickreel::byte_span recording);
