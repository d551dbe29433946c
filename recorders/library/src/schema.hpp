// The tables, and how older indexes get them.
#pragma once

#include "sqlite.hpp"

namespace tickreel::library {

// "TRLB": tells an index from other SQLite files.
inline constexpr std::int64_t application_id = 0x54524C42;
inline constexpr int schema_version = 6;

// Brings the file to version `to`, all or nothing. unsupported_version when it is newer, malformed when it is
// something else's.
result<void> migrate(connection& of, int to = schema_version);
// Whether a file that cannot be written can be read as it is: unsupported_version unless it has this
// version, malformed when it is something else's.
result<void> check_current(connection& of);

}  // namespace tickreel::library
