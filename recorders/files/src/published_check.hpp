// The last look at a file before it gets its name: nothing is published that cannot be opened again.
#pragma once

#include <string_view>

#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// Whether what was written is told to be `format` ("butter", "echoreplay") by its content, has a head that
// can be read and tables that fit, and gives its first tick. malformed, with the reason behind it, when it
// does not. Memory: as much of the file as stands before the second chunk or line. Call it before commit().
result<void> check_published_file(const published_file& written, std::string_view format);

}  // namespace tickreel::files
