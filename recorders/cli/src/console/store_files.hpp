// Recordings in stores, for verbs that read.
#pragma once

#include <string>
#include <vector>

#include "file_batch.hpp"

namespace tickreel::cli {

// Then files::open() takes an s3:// address in place of a path. Credentials are those of the environment.
void read_objects_as_files() noexcept;

// Adds the object at an s3:// address, or all objects below it, as add_named_files() does. Reports the reason if they
// cannot be listed, and then returns false.
bool add_objects(const std::string& address, std::vector<named_file>& out);

}  // namespace tickreel::cli
