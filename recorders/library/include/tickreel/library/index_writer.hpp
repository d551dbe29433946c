// Opens an index to change it.
#pragma once

#include "tickreel/io/path.hpp"
#include "tickreel/library/sqlite.hpp"
#include "tickreel/result.hpp"

namespace tickreel::library {

// Migrates the index to the current schema. `how`: read_write or create. permission_denied for a file that cannot be
// written; other errors as catalogue::open().
result<connection> open_to_write(const file_path& database, connection::access how);

}  // namespace tickreel::library
