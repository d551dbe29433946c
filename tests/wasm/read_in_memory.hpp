#pragma once

#include <string>

#include "tickreel/bytes/span.hpp"

// What stands in a .butter or a reel of described structs, as text: a line a tick; an error's sentence last,
// when there is one. From memory, without threads and files.
[[nodiscard]] std::string read_in_memory(tickreel::byte_span recording);
