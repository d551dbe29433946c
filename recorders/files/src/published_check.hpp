// The check of a file before it is published: no file is published that cannot be opened again.
#pragma once

#include <string_view>

#include "tickreel/io/file.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// Checks that the content is detected as `format` ("butter", "echoreplay"), that its head is readable, its
// tables are consistent, and its first tick can be decoded. malformed, with the reason, otherwise. Memory:
// the file up to its second chunk or line. Call it before commit().
result<void> check_published_file(const published_file& written, std::string_view format);

}  // namespace tickreel::files
