// A new name for a temporary file of published_file.
#pragma once

#include "tickreel/io/path.hpp"

namespace tickreel {

// "<final path>.<random>.part". The name need not be unique: the file is created with create_new, and another name is
// tried if it exists.
[[nodiscard]] file_path temporary_name(const file_path& final_path);

}  // namespace tickreel
