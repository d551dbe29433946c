// Opens files that may be recordings.
#pragma once

#include <functional>

#include "tickreel/io/byte_source.hpp"
#include "tickreel/io/path.hpp"
#include "tickreel/result.hpp"

namespace tickreel::files {

// invalid_argument for a folder, a pipe or a device; unsupported_operation for an address.
result<byte_source> open_file(const file_path& path);
// A function that reports whether the file, which is being written, was truncated or replaced since its last
// call.
std::function<bool()> replacement_of(const file_path& path);

}  // namespace tickreel::files
